"""What the column of the winner says: a side, a name or a number, in the spellings of the field."""

import re

import numpy as np

from nlpstat_core.arrays import CodeArray, IntArray, ObjectArray
from nlpstat_core.errors import ScoreError, shown
from nlpstat_core.scores.battles import coded

# What a side is called: the word and which of the two, "model_a" or "Response 1".
_NOUNS = (
    *("model", "system", "assistant", "response", "player", "output", "answer", "option", "candidate"),
    *("agent", "generator", "completion", "translation", "summary", "text", "choice"),
)
_LEFT = (
    *(f"{noun}_{which}" for noun in _NOUNS for which in ("a", "1")),
    *("a", "left", "first", "x", "a>b", "a>>b", "b<a", "b<<a", "1>2", "1>>2"),
)
_RIGHT = (
    *(f"{noun}_{which}" for noun in _NOUNS for which in ("b", "2")),
    *("b", "right", "second", "y", "b>a", "b>>a", "a<b", "a<<b", "2>1", "2>>1"),
)
_TIE = (
    *("tie", "ties", "tied", "draw", "both", "equal", "equally good", "equally bad", "same", "neither"),
    *("no preference", "no difference", "no winner", "indifferent", "equivalent", "similar", "undecided"),
    *("unsure", "not sure", "can't decide", "cannot decide", "can't tell", "cannot tell"),
    *("both are bad", "both are good", "about the same", "tie (both bad)", "both bad", "both good"),
    *("tie (both good)", "tie (inconsistent)", "inconsistent", "½"),
    *("a=b", "b=a", "a==b", "=", "a~b", "a~=b", "a≈b", "1=2"),
)
# "A is much better", "left wins": a side with a verb and how much.
_BETTER = re.compile(
    r"(.+?)(?:is)?(?:(?:very)?much|far|clearly|significantly|slightly|somewhat|alittle|abit|marginally)?"
    r"(?:better|wins|preferred)"
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


def _side(text: str) -> int:
    """1 for the left side, −1 for the right one, 0 for a tie, _UNKNOWN for anything else."""
    word = _bare(text)
    if word not in _SIDES and (told := _BETTER.fullmatch(word)) and _SIDES.get(told[1], 0):
        word = told[1]
    return _SIDES.get(word, _UNKNOWN)


_UNKNOWN = 9
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
    words = [str(kind).strip() for kind in kinds]
    readings = [
        found
        for found in (
            _by_name(words, codes, left, right, names),
            np.array([_side(word) for word in words], dtype=np.int8)[codes],
            _by_number(words, codes),
        )
        if found is not None
    ]
    if all((found == _UNKNOWN).any() for found in readings):
        folded = [name.casefold() for name in names]
        if len({*folded}) == len(names):  # capitals don't tell systems apart
            readings.append(_by_name([word.casefold() for word in words], codes, left, right, tuple(folded)))
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


def _by_name(
    words: list[str], codes: IntArray, left: IntArray, right: IntArray, names: tuple[str, ...]
) -> CodeArray:
    places = {name: place for place, name in enumerate(names)}
    named = np.array([places.get(word, -1) for word in words], dtype=np.int64)[codes]
    tie = np.array([_side(word) == 0 for word in words], dtype=bool)[codes]
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
