"""The pairs as a table of text, in the order of the leaderboard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.effects import EFFECTS
from nlpstat_core.exports.square import CONTRADICTION, EQUIVALENT, SIGNS
from nlpstat_core.exports.table import Cell, Column, Table
from nlpstat_core.formatting import format_interval, format_p, format_score
from nlpstat_core.wording import label_of_test
from nlpstat_core.wording.titles import pairs_remark, pairs_title

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis


def order_of_pairs(analysis: Analysis, most: int) -> IntArray:
    """Rows of the pair table, pairs of high ranks first.

    Parameters
    ----------
    analysis : Analysis
    most : int
        Pairs at most.

    Returns
    -------
    int array
    """
    board, pairs = analysis.leaderboard, analysis.pairs
    place = np.empty(len(board), dtype=np.int64)
    place[board.column] = np.arange(len(board))
    i, j = place[pairs.left], place[pairs.right]
    return np.lexsort((np.maximum(i, j), np.minimum(i, j)))[:most].astype(np.int64)


def pairs_table(analysis: Analysis, most: int, *, narrow: bool = False) -> Table:
    """The pairs as text; a − b keeps the file's order.

    Parameters
    ----------
    analysis : Analysis
    most : int
        Pairs at most; the remark says what is left out.
    narrow : bool
        For paper: one effect size, keys of tests, "a" or "b" for the better system.

    Returns
    -------
    Table
    """
    rows = order_of_pairs(analysis, most)
    told = [make(analysis, rows, narrow) for make in (_names, _numbers, _tests, _effects, _better)]
    columns = [column for part in told for column in part]
    return Table(
        title=pairs_title(analysis),
        columns=tuple(column for column, _ in columns),
        rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
        remark=pairs_remark(analysis, len(rows)),
    )


Part = list[tuple[Column, list[Cell]]]


def _names(analysis: Analysis, rows: IntArray, narrow: bool) -> Part:
    pairs = analysis.pairs
    part: Part = [
        (Column("System a"), [Cell(pairs.systems[column], name=True) for column in pairs.left[rows]]),
        (Column("System b"), [Cell(pairs.systems[column], name=True) for column in pairs.right[rows]]),
    ]
    if not narrow or len(set(pairs.n_units.tolist())) > 1:
        cells = [Cell(f"{count:,}", float(count)) for count in pairs.n_units[rows]]
        part.append((Column("Units", True), cells))
    return part


def _numbers(analysis: Analysis, rows: IntArray, narrow: bool) -> Part:
    pairs, level = analysis.pairs, analysis.config.level
    return [
        (Column("a − b", True), [_score(float(value)) for value in pairs.difference[rows]]),
        (Column(f"{100 * level:g} % interval", True), [_interval(ends) for ends in pairs.interval[rows]]),
    ]


def _tests(analysis: Analysis, rows: IntArray, narrow: bool) -> Part:
    pairs, part = analysis.pairs, []
    if len(pairs.tests) > 1:
        keys = [pairs.tests[code] if code >= 0 else None for code in pairs.test_code[rows]]
        part.append((Column("Test"), [Cell((key or "") if narrow else label_of_test(key)) for key in keys]))
    told = zip(pairs.p_value[rows], pairs.log10_p[rows], strict=True)
    part.append((Column("p", True), [Cell(format_p(float(p), float(log)), float(log)) for p, log in told]))
    if analysis.config.correction != "none":
        adjusted = [float(p) for p in pairs.p_adjusted[rows]]
        part.append((Column("Adjusted p", True), [Cell(format_p(p), p) for p in adjusted]))
    return part


def _effects(analysis: Analysis, rows: IntArray, narrow: bool) -> Part:
    effects = list(analysis.pairs.effects.items())[: 1 if narrow else None]
    return [
        (Column(EFFECTS[key].label, True), [_score(float(value)) for value in effect.value[rows]])
        for key, effect in effects
    ]


def _score(value: float) -> Cell:
    return Cell("" if math.isnan(value) else format_score(value), value)


def _interval(ends: FloatArray) -> Cell:
    low, high = float(ends[0]), float(ends[1])
    return Cell("" if math.isnan(low) else format_interval(low, high), low)


def _better(analysis: Analysis, rows: IntArray, narrow: bool) -> Part:
    return [(Column("Better"), [_better_cell(analysis, int(row), narrow) for row in rows])]


def _better_cell(analysis: Analysis, row: int, narrow: bool) -> Cell:
    """Name of the better system, or the sign of another verdict; empty without evidence."""
    pairs = analysis.pairs
    if pairs.significant[row] and not pairs.separated[row]:
        return Cell(SIGNS[CONTRADICTION])
    if pairs.verdict_code[row] == EQUIVALENT:
        return Cell(SIGNS[EQUIVALENT])
    better = int(pairs.better_code[row])
    if better == 0:
        return Cell("")
    if narrow:
        return Cell("a" if better > 0 else "b")
    return Cell(pairs.systems[pairs.left[row] if better > 0 else pairs.right[row]], name=True)
