"""A short cut for tables whose cells are values already (JSON, Parquet): by column, not cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.fast import has_empty_row
from nlpstat_core.readers.objects import cell_text
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.table import Table

_NUMBERS = {float, int, bool, type(None)}


def value_columns(table: Table, limits: Limits, text_columns: set[int]) -> Columns | None:
    """The table by columns, or None when its cells have to be looked at one by one.

    Parameters
    ----------
    table : Table
        One with `values`.
    limits : Limits
    text_columns : set of int

    Returns
    -------
    Columns or None
    """
    values, width = table.values, len(table.head.header)
    if values is None or not 0 < len(values.lines) * width <= limits.max_cells:
        return None
    positions = [column for column in range(width) if column not in text_columns]
    numbers = np.empty((len(values.lines), len(positions)), order="F")  # filled column by column
    for place, column in enumerate(positions):
        found = _numbers(values.column(column))
        if found is None:
            return None
        numbers[:, place] = found
    if np.isinf(numbers).any():
        return None
    texts = {column: _texts(values.column(column)) for column in sorted(text_columns)}
    if has_empty_row(numbers, texts):
        return None
    return Columns(
        header=table.head.header,
        lines=values.lines,
        texts=texts,
        numbers=numbers,
        positions=tuple(positions),
        bad={},
        where=table.head.where,
    )


def _numbers(cells: Sequence[Any] | FloatArray) -> FloatArray | None:
    """Cells that are numbers or nothing as an array; None where one is something else."""
    if isinstance(cells, np.ndarray):
        return cells
    if not set(map(type, cells)) <= _NUMBERS:
        return None
    try:
        return np.array(cells, dtype=np.float64)  # nothing becomes NaN
    except OverflowError:  # whole numbers beyond a float
        return None


def _texts(cells: Sequence[Any] | FloatArray) -> list[str]:
    return [cell_text(cell).strip() for cell in (cells.tolist() if isinstance(cells, np.ndarray) else cells)]
