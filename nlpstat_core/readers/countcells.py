"""Cells that hold counts: checked with line and column, turned into hits and misses, added up over runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.counts import CountKind, Counts
from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.pivot import LongData, codes

# Of one cell: sums over runs and units stay whole numbers.
MOST_COUNT = 1e12


def hits_and_misses(
    kind: CountKind, columns: Columns, used: Sequence[int], n_parts: int
) -> tuple[FloatArray, FloatArray]:
    """Hits and misses in some columns of a table.

    Parameters
    ----------
    kind : {"accuracy", "f1"}
    columns : Columns
    used : sequence of int
        Columns, group by group: correct and total, or tp, fp and fn.
    n_parts : int
        Columns of a group.

    Returns
    -------
    hits, misses : float arrays, shape (n_rows, groups)
        NaN where all counts of a group are missing.

    Raises
    ------
    ScoreFileError
        Counts that are negative, not whole, above a million million, missing alone, or more correct items
        than items.
    """
    cells = columns.values(used)
    bad = ~np.isnan(cells) & ((cells < 0) | (cells != np.round(cells)) | (cells > MOST_COUNT))
    if bad.any():
        row, place = np.argwhere(bad)[0]
        raise ScoreFileError(
            f"{columns.where} {columns.lines[row]}, column {shown(columns.header[used[place]])}: "
            f"{cells[row, place]:g} is no count; give whole numbers from 0 to 10¹²."
        )
    groups = cells.reshape(cells.shape[0], -1, n_parts)
    missing = np.isnan(groups)
    lone = missing.any(axis=2) & ~missing.all(axis=2)
    if lone.any():
        row, group = np.argwhere(lone)[0]
        place = group * n_parts + int(np.argmax(missing[row, group]))
        raise ScoreFileError(
            f"{columns.where} {columns.lines[row]}, column {shown(columns.header[used[place]])}: "
            "the count is missing; give all counts of a unit, or none."
        )
    if kind == "f1":
        return groups[:, :, 0], groups[:, :, 1] + groups[:, :, 2]
    over = groups[:, :, 0] > groups[:, :, 1]
    if over.any():
        row, group = np.argwhere(over)[0]
        correct, total = groups[row, group]
        raise ScoreFileError(
            f"{columns.where} {columns.lines[row]}, column {shown(columns.header[used[group * n_parts]])}: "
            f"{correct:g} correct items of {total:g}; check the total."
        )
    return groups[:, :, 0], groups[:, :, 1] - groups[:, :, 0]


def summed(
    kind: CountKind, hits: FloatArray, misses: FloatArray, data: LongData, n_units: int, n_systems: int
) -> Counts:
    """Counts of rows as a table of units × systems; several runs are added up.

    Parameters
    ----------
    kind : {"accuracy", "f1"}
    hits, misses : float arrays, shape (n_rows,)
    data : LongData
        Systems and units of the rows, in the order in which `pivot` numbers them.
    n_units, n_systems : int

    Returns
    -------
    Counts
    """
    cells = codes(data.units)[1] * n_systems + codes(data.systems)[1]
    there = ~np.isnan(hits)
    seen = np.bincount(cells[there], minlength=n_units * n_systems) > 0

    def table(counts: FloatArray) -> FloatArray:
        total = np.bincount(cells[there], weights=counts[there], minlength=n_units * n_systems)
        return np.where(seen, total, np.nan).reshape(n_units, n_systems)

    return Counts(kind=kind, hits=table(hits), misses=table(misses))
