"""What the column of the winner says: a side, a name or a number, in the spellings of the field."""

import re

import numpy as np

from nlpstat_core.arrays import CodeArray, IntArray, ObjectArray
from nlpstat_core.errors import ScoreError, shown
from nlpstat_core.scores.battles import coded

_LEFT = (
    *(
        "a",
        "model_a",
        "model_1",
        "system_a",
        "system_1",
        "assistant_a",
        "assistant_1",
        "response_a",
        "player_a",
    ),
    *(
        "left",
        "first",
        "x",
        "a wins",
        "a is better",
        "a better",
        "left is better",
        "a>b",
        "a>>b",
        "b<a",
        "b<<a",
        "1>2",
        "1>>2",
    ),
)
_RIGHT = (
    *(
        "b",
        "model_b",
        "model_2",
        "system_b",
        "system_2",
        "assistant_b",
        "assistant_2",
        "response_b",
        "player_b",
    ),
    *(
        "right",
        "second",
        "y",
        "b wins",
        "b is better",
        "b better",
        "right is better",
        "b>a",
        "b>>a",
        "a<b",
        "a<<b",
        "2>1",
        "2>>1",
    ),
)
_TIE = (
    *(
        "tie",
        "tied",
        "draw",
        "both",
        "equal",
        "equally good",
        "equally bad",
        "same",
        "neither",
        "no preference",
    ),
    *(
        "both are bad",
        "both are good",
        "about the same",
        "tie (both bad)",
        "both bad",
        "both good",
        "tie (both good)",
        "tie (inconsistent)",
        "inconsistent",
    ),
    *("a=b", "b=a", "a==b", "=", "a~b", "a~=b", "a≈b", "1=2"),
)
_BARE = re.compile(r"[\s_\-.,:;()'\"]")
# Numbers of the two sides: the score of a, a sign, or the number of the better one.
_CODES: tuple[dict[float, int], ...] = (
    {1.0: 1, 0.0: -1, 0.5: 0},
    {1.0: 1, -1.0: -1, 0.0: 0},
    {1.0: 1, 2.0: -1},
)


def _bare(text: str) -> str:
    """A spelling without what differs between files: case, spaces, brackets, the word "winner" in front."""
    word = _BARE.sub("", text.casefold())
    verdict = re.fullmatch(r"\[\[(.+)\]\]", word)
    word = word if verdict is None else {"c": "tie"}.get(verdict[1], verdict[1])
    return word.removeprefix("winner") or word


_SIDES = {_bare(word): side for words, side in ((_LEFT, 1), (_RIGHT, -1), (_TIE, 0)) for word in words}


def outcomes(winner: ObjectArray, left: IntArray, right: IntArray, names: tuple[str, ...]) -> CodeArray:
    """1 where the left system won, −1 where the right one did, 0 for a tie.

    winner (array of anything, shape (n_battles,)): A side ("a", "model_b", "A>>B", "left", "[[A]]"), the
        winner's name, a tie ("tie", "both bad", "A=B"), or a number: score of a (1, 0, 0.5), sign (1, −1, 0)
        or side (1, 2).
    left, right (integers, shape (n_battles,)): Positions in `names`.
    Raises ScoreError: A winner that is none of these, or one that means two things: a side, and the other one
        of two systems. Of three systems or more every winner would hardly be a name of its battle by chance.

    >>> winner = np.array(["A>>B", "tie (bothbad)"], dtype=object)
    >>> outcomes(winner, np.array([0, 1]), np.array([1, 0]), ("u", "v")).tolist()
    [1, 0]
    """
    codes, kinds = coded(winner, "Winners")
    lacking = np.flatnonzero(codes < 0)
    if lacking.size:
        raise ScoreError(f"Battle {int(lacking[0]) + 1} has no winner; leave it out or say 'tie'.")
    words = [str(kind) for kind in kinds]
    readings = [
        found
        for found in (
            _by_name(words, codes, left, right, names),
            _by_side(words, codes),
            _by_number(words, codes),
        )
        if found is not None
    ]
    whole = [found for found in readings if (found != _UNKNOWN).all()]
    if not whole:
        # The reading that fails last says best which cell is the trouble.
        first = max((int(np.flatnonzero(found == _UNKNOWN)[0]) for found in readings), default=0)
        raise ScoreError(
            f"Battle {first + 1}: {shown(words[codes[first]])} is not a winner of "
            f"{shown(names[left[first]])} "
            f"against {shown(names[right[first]])}; say 'model_a', 'model_b', 'tie' or one of the two names."
        )
    for other in whole[1:] if len(names) == 2 else ():
        unlike = np.flatnonzero(other != whole[0])
        if unlike.size:
            raise ScoreError(
                f"Battle {int(unlike[0]) + 1}: the winner {shown(words[codes[unlike[0]]])} can be a side or "
                "a system's name; write 'model_a', 'model_b' and 'tie'."
            )
    return whole[0]


_UNKNOWN = 9


def _by_side(words: list[str], codes: IntArray) -> CodeArray:
    return np.array([_SIDES.get(_bare(word), _UNKNOWN) for word in words], dtype=np.int8)[codes]


def _by_name(
    words: list[str], codes: IntArray, left: IntArray, right: IntArray, names: tuple[str, ...]
) -> CodeArray:
    places = {name: place for place, name in enumerate(names)}
    named = np.array([places.get(word, -1) for word in words], dtype=np.int64)[codes]
    tie = np.array([_SIDES.get(_bare(word), _UNKNOWN) == 0 for word in words], dtype=bool)[codes]
    found = np.full(codes.size, _UNKNOWN, dtype=np.int8)
    found[tie] = 0
    found[named == left] = 1
    found[named == right] = -1
    return found


def _by_number(words: list[str], codes: IntArray) -> CodeArray | None:
    """Only where the numbers fit one of the usual codes; 0 and 1 alone are the score of a."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    code = next((code for code in _CODES if set(numbers) <= set(code)), None)
    return None if code is None else np.array([code[number] for number in numbers], dtype=np.int8)[codes]
