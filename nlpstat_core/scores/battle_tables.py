"""From whatever holds battles in Python (tuples, mappings, columns, frames) to `Battles`."""

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
    *("model_left", "left_model", "left", "first", "a", "x"),
)
RIGHT = (
    *("model_b", "model_2", "system_b", "system_2", "assistant_b", "assistant_2", "player_b", "player_2"),
    *("model_right", "right_model", "right", "second", "b", "y"),
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
    columns = _winners_first(_columns(given))
    named = _named(columns)
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
    if all(name in named for name in ONE_OF):
        own |= {named[name] for name in ONE_OF}
        winner = _one_of([columns[named[name]] for name in ONE_OF])
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


def _winners_first(columns: dict[Any, Any]) -> dict[Any, Any]:
    """Columns of the winner and the loser as those of battles that the first system won."""
    named = _named(columns)
    if column_of(columns, "left") is not None and column_of(columns, "right") is not None:
        return columns
    for better, worse in BETTER_WORSE:
        if better in named and worse in named:
            told = {named[better]: "model_a", named[worse]: "model_b"}
            renamed = {told.get(name, name): column for name, column in columns.items()}
            return {**renamed, "winner": ["model_a"] * len(columns[named[better]])}
    return columns


def _listed(column: Any, name: object) -> Any:
    if isinstance(column, str | bytes) or not hasattr(column, "__len__"):
        raise ScoreError(f"Column {shown(name)} must be a list with one entry per battle.")
    return column


def column_of(columns: Iterable[Any], kind: str) -> Any:
    """The column that says which system was on the left, on the right, or the winner; None without one."""
    named = _named(columns)
    return next((named[name] for name in SPELLINGS[kind] if name in named), None)


def _named(columns: Iterable[Any]) -> dict[str, Any]:
    """Columns by their names without case."""
    return {str(name).strip().casefold(): name for name in columns}


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
        np.array([str(kind) for kind in kinds], dtype=object), "Systems"
    )  # 1 and "1" are one
    codes = again[codes]
    return codes[0::2].copy(), codes[1::2].copy(), tuple(map(str, names))
