"""Rows of a file of battles: winners that are numbers, rows that are copies or stand for several battles."""

from typing import Any

import pandas as pd

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.scores.battle_columns import RATERS
from nlpstat_core.scores.battle_tables import column_of, one_of

Columns = dict[str, list[Any]]
# Columns of numbers that are scores of the first system: 1, 0 and 0.5.
_SCORES, _POINTS = ("score_a", "score"), ("result", "outcome")
_SIDES = {0.0: "tie", 1.0: "model_a", 1.5: "tie", 2.0: "model_b"}
# Columns that say when a battle was, and how many battles a row stands for.
_TIMES = ("tstamp", "timestamp", "time", "datetime", "date")
_COUNTS = {"count", "counts", "n", "n_battles", "num_battles", "votes", "n_votes", "weight", "weights"}


def odd_rows(columns: Columns) -> list[Note]:
    """Notes on rows that are copies of others, and on rows that stand for several battles.

    Copies are looked for where a column names raters or times: without these one prompt may well have the
    same two systems and the same winner twice.
    """
    keys = {str(name).strip().casefold(): name for name in columns}
    notes = []
    if any(word in keys for word in (*RATERS, *_TIMES)):
        frame = pd.DataFrame(
            {place: pd.Series(column, dtype=object) for place, column in enumerate(columns.values())}
        )
        copies = frame.map(str).duplicated().to_numpy().nonzero()[0]
        if copies.size:
            n = f"{copies.size:,} battle{'s are' if copies.size > 1 else ' is'}"
            text = (
                f"{n} the same as an earlier one in every column (the first is number "
                f"{int(copies[0]) + 1:,}) and counted again; leave out what was exported twice."
            )
            notes.append(Note("battles-repeated", "caution", text))
    for key, name in keys.items():
        if key in _COUNTS and _several_each(columns[name]):
            text = (
                f"Every row counts as one battle: {shown(name)} isn't used. If it says how many battles a "
                "row stands for, repeat the row as often."
            )
            notes.append(Note("counts-not-used", "caution", text))
    return notes


def _several_each(column: list[Any]) -> bool:
    """Whether a column holds numbers other than 1."""
    try:
        return any(float(cell) != 1 for cell in column)
    except (TypeError, ValueError):
        return False


def numbers_told(columns: Columns) -> tuple[Columns, list[Note]]:
    """Battles whose winners, if they are numbers, can mean one thing; raises ScoreError for others."""
    left, right, winner = (column_of(columns, kind) for kind in ("left", "right", "winner"))
    if None in (left, right, winner) or one_of(columns) is not None:
        return columns, []
    words = dict.fromkeys(map(str, columns[winner]))
    systems = {str(name) for side in (left, right) for name in columns[side]}
    try:
        values = {word: float(word) for word in words}
    except ValueError:
        return columns, []  # words, of which every one must be known
    found, name = set(values.values()), str(winner).strip().casefold()
    counted = str(left).strip().endswith("1") and str(right).strip().endswith("2")
    if set(words) <= systems or min(found) < 0:
        return columns, []
    if counted and name == "preference" and all(value == 0 or 1 <= value <= 2 for value in found):
        sides = {word: _SIDES.get(value) or _SIDES[round(value)] for word, value in values.items()}
        text = (
            "Preferences between 1 and 2 are how likely the second system is preferred, plus 1; each battle "
            "goes to the likelier side. Read as scores, they count as they are."
        )
        said = [] if found <= set(_SIDES) else [Note("preferences-rounded", "info", text)]
        return {**columns, winner: [sides[str(cell)] for cell in columns[winner]]}, said
    if counted and 2.0 in found and found <= set(_SIDES):
        return {**columns, winner: [_SIDES[values[str(cell)]] for cell in columns[winner]]}, []
    usual = 2.0 not in found and (name in _SCORES or (0.5 in found and name in _POINTS))
    if usual or not found <= {0.0, 0.5, 1.0, 2.0}:
        return columns, []
    numbers = ", ".join(f"{value:g}" for value in sorted(found))
    if 2.0 in found:
        means, way = "and nothing says which system each means", ""
    else:
        means = "which may be the number of the better system or the score of the first"
        way = ", or call the column 'score_a' if 1 means that the first one won"
    raise ScoreFileError(
        f"the winners in {shown(winner)} are numbers ({numbers}), {means}; write 'model_a', 'model_b' and "
        f"'tie'{way}."
    )
