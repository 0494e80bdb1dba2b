"""Several labels an item: a list, a cell with signs between them, or a column of 0 and 1 for each label."""

import re
from collections.abc import Sequence
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.readers.open.cells import FLAGS, number
from nlpstat_core.readers.submissions.cells import Cell, Cells

_SIGNS = "|;,"  # between labels, the likeliest first
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_NOTHING = ("", "[]", "none", "-")
Labels = tuple[str, ...]


def indicators(cells: Cells, places: Sequence[int]) -> bool:
    """Whether these are two or more columns of nothing but 0 and 1, one for each label."""
    return len(places) > 1 and all(_is_flag(cell) for place in places for cell in cells.column(place))


def _is_flag(cell: Cell) -> bool:
    return isinstance(cell, str) and (cell.strip().lower() in FLAGS or number(cell) in (0.0, 1.0))


def named_by_columns(cells: Cells, names: Sequence[str]) -> list[Cell]:
    """The labels of every row, by the columns that hold 1.

    Raises ScoreFileError: A label has no column, or a cell is neither 0 nor 1.
    """
    header = cells.header or ()
    gone = [name for name in names if name not in header]
    if gone:
        raise ScoreFileError(
            f"gold has a column of 0 and 1 for each label, and it has none for {some_shown(gone, 3)}; give "
            "gold's columns",
            Remedy("gold_column", form="aside", when="if one of gold's is what is right"),
            ".",
        )
    found: list[Cell] = []
    for row, line in zip(cells.rows, cells.lines, strict=True):
        own = [(name, row[header.index(name)]) for name in names]
        wrong = next((one for one in own if not _is_flag(one[1])), None)
        if wrong is not None:
            raise ScoreFileError(
                f"line {line:,}, column {shown(wrong[0])}: {shown(wrong[1])} is neither 1 nor 0; give 1 for "
                "a label that the item has, else 0."
            )
        found.append(tuple(sorted(name for name, cell in own if number(str(cell)) == 1)))
    return found


def sign_between(columns: Sequence[Sequence[Any]]) -> str:
    """The sign that stands between labels, the first of | ; , that any cell has; empty where none has one."""
    cells = [cell for column in columns for cell in column if isinstance(cell, str) and cell[:1] != "["]
    return next((sign for sign in _SIGNS if any(sign in cell for cell in cells)), "")


def labels_in(cell: Cell, sign: str) -> Labels:
    """The labels of a cell, sorted; none where it is empty."""
    if isinstance(cell, tuple):
        return tuple(sorted({part.strip() for part in cell if part.strip()}))
    text = cell.strip()
    if text.lower() in _NOTHING:
        return ()
    if text[0] == "[" and text[-1] == "]":
        parts = [part for pair in _QUOTED.findall(text) for part in pair]
    else:
        parts = text.split(sign) if sign else [text]
    return tuple(sorted({part.strip() for part in parts if part.strip()}))
