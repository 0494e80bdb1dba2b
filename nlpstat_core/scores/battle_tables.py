"""From whatever holds battles in Python (tuples, mappings, columns, frames) to `Battles`."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from nlpstat_core.arrays import IntArray, ObjectArray
from nlpstat_core.errors import ScoreError, shown, some_shown
from nlpstat_core.scores.battles import NO_BATTLE, Battles, coded
from nlpstat_core.scores.winners import outcomes

LEFT = (
    *("model_a", "model_1", "system_a", "system_1", "assistant_a", "assistant_1", "player_a", "player_1"),
    *("generator_1", "model_left", "left_model", "left", "first", "a", "x"),
)
RIGHT = (
    *("model_b", "model_2", "system_b", "system_2", "assistant_b", "assistant_2", "player_b", "player_2"),
    *("generator_2", "model_right", "right_model", "right", "second", "b", "y"),
)
WINNER = (
    *("winner", "preference", "preferred", "verdict", "outcome", "result", "vote", "judgment", "judgement"),
    *("choice", "label", "score_a", "score"),
)
SPELLINGS = {"left": LEFT, "right": RIGHT, "winner": WINNER}
# Names of the better and of the worse system, where nothing says which was shown first.
BETTER_WORSE = (("winner", "loser"), ("chosen_model", "rejected_model"))
# One column a verdict, as Kaggle's copies of arena logs have them.
ONE_OF = ("winner_model_a", "winner_model_b", "winner_tie")
# A column that says of each battle whether it was a tie, beside the winner's.
TIES = ("tie", "tied", "is_tie", "draw", "drawn", "is_draw")
# Scores of both sides, the higher of which wins, where no column names the winner.
SCORES = (("score_a", "score_b"), ("score_1", "score_2"), ("score_left", "score_right"))
_FLAGS = {"1": True, "1.0": True, "true": True, "yes": True, "y": True}
_FLAGS |= {"0": False, "0.0": False, "false": False, "no": False, "n": False, "": False, "none": False}
_FLAGS |= {"nan": False}
_BETWEEN = re.compile(r"[\s_\-]+")


def as_battles(given: Any, *, source: str = "") -> Battles:
    """Battles of anything that holds them.

    given: `Battles`, a list of (a, b, winner) or of mappings, a mapping of columns, or a data frame.
    Raises ScoreError: No columns of the two systems or of the winner, cells that are empty, unknown winners.

    >>> found = as_battles({"model_a": ["u", "v"], "model_b": ["v", "w"], "winner": ["left", "B>>A"]})
    >>> found.outcome.tolist()
    [1, -1]
    """
    if isinstance(given, Battles):
        return given
    columns = with_winners(_columns(given))
    pair = [column_of(columns, kind) for kind in ("left", "right")]
    if not columns:
        raise ScoreError(NO_BATTLE)
    if None in pair:
        raise ScoreError(
            "Battles need columns of the two systems, say 'model_a' and 'model_b'; there are "
            f"{some_shown(list(columns))}."
        )
    sides = [np.asarray(columns[name], dtype=object) for name in pair]
    if any(side.ndim != 1 for side in sides):
        raise ScoreError("Systems must be one row of names or numbers, one entry per battle.")
    own = {*pair}
    verdicts = one_of(columns)
    if verdicts is not None:
        own |= {*verdicts}
        winner = _one_of([columns[name] for name in verdicts])
    else:
        name = column_of(columns, "winner")
        if name is None:
            raise ScoreError(
                f"Battles need a column 'winner' of who was better; there are {some_shown(list(columns))}."
            )
        own.add(name)
        winner = np.asarray(columns[name], dtype=object)
    lengths = {len(column) for column in (*sides, winner)}
    if len(lengths) > 1:
        raise ScoreError(f"Columns of battles differ in length: {', '.join(map(str, sorted(lengths)))}.")
    left, right, systems = _systems(sides)
    return Battles(
        systems=systems,
        left=left,
        right=right,
        outcome=outcomes(winner, left, right, systems),
        labels={str(name): columns[name] for name in columns if name not in own},
        source=source,
    )


def _columns(given: Any) -> dict[Any, Any]:
    """Columns by name."""
    if isinstance(given, Mapping):
        return {name: _listed(column, name) for name, column in given.items()}
    if hasattr(given, "columns") and hasattr(given, "__getitem__"):
        return {name: np.asarray(given[name]) for name in given.columns}
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ScoreError(
            "Battles must be a list of (a, b, winner), columns or a table; a file is read by `read_battles`."
        )
    rows = list(given)
    if rows and all(isinstance(row, Mapping) for row in rows):
        frame = pd.DataFrame.from_records(rows).astype(object)
        return {name: frame[name].to_numpy() for name in frame.columns}
    for place, row in enumerate(rows):
        if isinstance(row, str | bytes | Mapping) or not hasattr(row, "__len__") or len(row) != 3:
            raise ScoreError(f"Battle {place + 1}: {shown(row)} is not (a, b, winner).")
    cells = np.empty((len(rows), 3), dtype=object)
    for place, row in enumerate(rows):
        cells[place] = list(row)
    return {name: cells[:, place] for place, name in enumerate(("model_a", "model_b", "winner"))}


def with_winners(columns: dict[Any, Any]) -> dict[Any, Any]:
    """Columns with one of the winner, where it stands in two: winner and loser, two scores, a tie beside it.

    Raises ScoreError: A column of ties beside the winner's and the loser's that doesn't say yes or no.
    """
    return _ties_told(_compared(_winners_first(columns)))


def one_of(columns: Iterable[Any]) -> tuple[Any, ...] | None:
    """The columns of which each has a verdict of its own; None where there are none."""
    named = _named(columns)
    keys = [_key(name) for name in ONE_OF]
    return tuple(named[key] for key in keys) if all(key in named for key in keys) else None


def _winners_first(columns: dict[Any, Any]) -> dict[Any, Any]:
    """Columns of the winner and the loser as those of battles that the first system won."""
    named = _named(columns)
    if column_of(columns, "left") is not None and column_of(columns, "right") is not None:
        return columns
    for better, worse in ((_key(one), _key(other)) for one, other in BETTER_WORSE):
        if better in named and worse in named:
            told = {named[better]: "model_a", named[worse]: "model_b"}
            ties = next((named[_key(name)] for name in TIES if _key(name) in named), None)
            if ties is not None and _flags(columns[ties]) is None:
                where = f"{shown(ties)} beside {shown(named[better])}"
                raise ScoreError(f"Column {where} must be 1 for a tie and 0 for others.")
            renamed = {told.get(name, name): column for name, column in columns.items()}
            return {**renamed, "winner": ["model_a"] * len(columns[named[better]])}
    return columns


def compared_scores(columns: dict[Any, Any]) -> tuple[Any, Any] | None:
    """The columns of both sides' scores, where no other column names the winner; None without them."""
    named, winner = _named(columns), column_of(columns, "winner")
    for left, right in SCORES:
        one, other = named.get(_key(left)), named.get(_key(right))
        if one is not None and other is not None and winner in (None, one):
            return (one, other) if None not in (_numbers(columns[one]), _numbers(columns[other])) else None
    return None


def _compared(columns: dict[Any, Any]) -> dict[Any, Any]:
    """The higher of two scores as the winner, where no column names it; None where a score is missing."""
    scores = compared_scores(columns)
    if scores is None:
        return columns
    first, second = (np.array(_numbers(columns[name])) for name in scores)
    sides = [first > second, first < second, first == second]
    words = np.select(sides, ["model_a", "model_b", "tie"], "").tolist()
    kept = {name: column for name, column in columns.items() if name not in scores}
    return {**kept, "winner": [word or None for word in words]}


def _numbers(column: Any) -> list[float] | None:
    """A column of numbers, NaN where a cell is empty; None for another."""
    try:
        return [float("nan") if cell in (None, "") else float(cell) for cell in column]
    except (TypeError, ValueError):
        return None


def _ties_told(columns: dict[Any, Any]) -> dict[Any, Any]:
    """A column of ties beside the winner's in this one."""
    named, winner = _named(columns), column_of(columns, "winner")
    ties = next((named[_key(name)] for name in TIES if _key(name) in named), None)
    if ties is None or winner is None or ties == winner:
        return columns
    flags = _flags(columns[ties])
    if flags is None:
        return columns
    told = ["tie" if flag else cell for flag, cell in zip(flags, columns[winner], strict=False)]
    return {name: told if name == winner else column for name, column in columns.items() if name != ties}


def _flags(column: Any) -> list[bool] | None:
    """A column of yes and no; None for another."""
    found = [_FLAGS.get(str(cell).strip().casefold()) for cell in column]
    return None if None in found else [flag is True for flag in found]


def _listed(column: Any, name: object) -> Any:
    if isinstance(column, str | bytes) or not hasattr(column, "__len__"):
        raise ScoreError(f"Column {shown(name)} must be a list with one entry per battle.")
    return column


def column_of(columns: Iterable[Any], kind: str) -> Any:
    """The column that says which system was on the left, on the right, or the winner; None without one."""
    named = _named(columns)
    return next((named[_key(name)] for name in SPELLINGS[kind] if _key(name) in named), None)


def _named(columns: Iterable[Any]) -> dict[str, Any]:
    """Columns by their names without case, spaces, hyphens and underscores."""
    return {_key(name): name for name in columns}


def _key(name: object) -> str:
    return _BETWEEN.sub("", str(name).casefold())


def _one_of(columns: list[Any]) -> ObjectArray:
    """The verdict whose column says 1."""
    try:
        flags = np.column_stack([np.asarray(column, dtype=float) for column in columns])
    except (TypeError, ValueError):
        raise ScoreError(f"One of {', '.join(ONE_OF)} must be 1 and the others 0, in numbers.") from None
    odd = np.flatnonzero(~((flags == 0) | (flags == 1)).all(axis=1) | (flags.sum(axis=1) != 1))
    if odd.size:
        raise ScoreError(f"Battle {int(odd[0]) + 1}: one of {', '.join(ONE_OF)} must be 1 and the others 0.")
    verdicts: ObjectArray = np.array(["model_a", "model_b", "tie"], dtype=object)
    return np.asarray(verdicts[flags.argmax(axis=1)], dtype=object)


def _systems(sides: list[ObjectArray]) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Positions of both sides in the names, these in the order of their first battles."""
    n = sides[0].size
    both = np.empty(2 * n, dtype=object)
    both[0::2], both[1::2] = sides
    codes, kinds = coded(both, "Systems")
    lacking = np.flatnonzero(codes < 0)
    if lacking.size:
        raise ScoreError(f"Battle {int(lacking[0]) // 2 + 1} lacks the name of a system.")
    again, names = coded(
        np.array([str(kind).strip() for kind in kinds], dtype=object), "Systems"
    )  # 1 and "1" are one, and so are "u" and "u "
    codes = again[codes]
    return codes[0::2].copy(), codes[1::2].copy(), tuple(map(str, names))
