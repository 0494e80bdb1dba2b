"""The pairs as a table of text, in the order of the leaderboard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.formatting import common_decimals, format_fixed, format_fixed_interval, format_p
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.report.exports.tables.board import score_decimals
from nlpstat_core.report.exports.tables.square import CONTRADICTION, EQUIVALENT, SIGNS
from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording.few_units import MARK
from nlpstat_core.report.wording.sentences import mixture
from nlpstat_core.report.wording.titles import pairs_remark, pairs_title
from nlpstat_core.results.columns import VERDICTS

if TYPE_CHECKING:
    from nlpstat_core.results.analysis import AnalysisData

EQUIVALENT_VERDICT = VERDICTS.index("equivalent")


def order_of_pairs(analysis: AnalysisData, most: int) -> IntArray:
    """Rows of the pair table, pairs of high ranks first.

    most: Pairs at most.
    """
    board, pairs = analysis.leaderboard, analysis.pairs
    place = np.empty(len(board), dtype=np.int64)
    place[board.column] = np.arange(len(board))
    i, j = place[pairs.left], place[pairs.right]
    return np.lexsort((np.maximum(i, j), np.minimum(i, j)))[:most].astype(np.int64)


def pairs_table(analysis: AnalysisData, most: int, *, narrow: bool = False) -> Table:
    """The pairs as text; a − b keeps the file's order.

    most: Pairs at most; the remark says what is left out.
    narrow: For paper: one effect size, no estimates, "a" or "b" for the better system.
    """
    rows = order_of_pairs(analysis, most)
    parts = (_names, _numbers, _estimates, _tests, _effects, _better)
    made = [make(analysis, rows, narrow) for make in parts]
    columns = [column for part in made for column in part]
    return Table(
        title=pairs_title(analysis),
        columns=tuple(column for column, _ in columns),
        rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
        remark=pairs_remark(analysis, len(rows)),
    )


Part = list[tuple[Column, list[Cell]]]


def _names(analysis: AnalysisData, rows: IntArray, narrow: bool) -> Part:
    pairs = analysis.pairs
    part: Part = [
        (Column("System a"), [Cell(pairs.systems[column], name=True) for column in pairs.left[rows]]),
        (Column("System b"), [Cell(pairs.systems[column], name=True) for column in pairs.right[rows]]),
    ]
    if not narrow or len(set(pairs.n_units.tolist())) > 1:
        cells = [Cell(f"{count:,}", float(count)) for count in pairs.n_units[rows]]
        part.append((Column("Units", True), cells))
    return part


def _numbers(analysis: AnalysisData, rows: IntArray, narrow: bool) -> Part:
    pairs, level = analysis.pairs, analysis.config.level
    decimals = _decimals(analysis, pairs.interval)
    together: Part = []
    if pairs.interval_simultaneous is not None:
        cells = [_interval(ends, decimals) for ends in pairs.interval_simultaneous[rows]]
        together = [(Column(f"{100 * level:g} % simultaneous", True), cells)]
    return [
        (Column("a − b", True), [_value(float(value), decimals) for value in pairs.difference[rows]]),
        (
            Column(f"{100 * level:g} % interval", True),
            [_interval(ends, decimals) for ends in pairs.interval[rows]],
        ),
        *together,
    ]


def _decimals(analysis: AnalysisData, intervals: FloatArray) -> int:
    """Decimals of differences: those of the scores, and two digits of a typical half interval."""
    with np.errstate(invalid="ignore"):
        halves = (intervals[:, 1] - intervals[:, 0]) / 2
    return max(score_decimals(analysis), common_decimals(halves[:10_000].tolist(), 2))


def _estimates(analysis: AnalysisData, rows: IntArray, narrow: bool) -> Part:
    """What tests that are not about the mean are about, where the configuration names it."""
    part: Part = []
    for of, estimate in () if narrow else analysis.pairs.estimates.items():
        ends = estimate.interval
        decimals = _decimals(analysis, analysis.pairs.interval if ends is None else ends)
        part.append(
            (Column(of.capitalize(), True), [_value(float(v), decimals) for v in estimate.value[rows]])
        )
        if ends is not None:
            part.append((Column("its interval", True), [_interval(two, decimals) for two in ends[rows]]))
    return part


def _tests(analysis: AnalysisData, rows: IntArray, narrow: bool) -> Part:
    pairs, alpha, part = analysis.pairs, analysis.config.alpha, []
    if len(mixture(pairs)) > 1:
        keys = [pairs.tests[code] if code >= 0 else "" for code in pairs.test_code[rows]]
        part.append((Column("Test"), [Cell(key) for key in keys]))
    values = zip(pairs.p_value[rows], pairs.log10_p[rows], strict=True)
    single = [Cell(format_p(float(p), float(log), alpha=alpha), float(log)) for p, log in values]
    part.append((Column("p", True), single))
    if analysis.config.correction != "none":
        adjusted = [float(p) for p in pairs.p_adjusted[rows]]
        part.append((Column("Adjusted p", True), [Cell(format_p(p, alpha=alpha), p) for p in adjusted]))
    if pairs.p_equivalence_adjusted is not None:
        alike = [float(p) for p in pairs.p_equivalence_adjusted[rows]]
        part.append((Column("p of equivalence", True), [Cell(format_p(p, alpha=alpha), p) for p in alike]))
    return part


def _effects(analysis: AnalysisData, rows: IntArray, narrow: bool) -> Part:
    part: Part = []
    for key, effect in list(analysis.pairs.effects.items())[: 1 if narrow else None]:
        decimals = min(4, common_decimals(effect.value[:10_000].tolist(), 3))
        part.append(
            (Column(EFFECTS[key].label, True), [_value(float(v), decimals) for v in effect.value[rows]])
        )
    return part


def _value(value: float, decimals: int) -> Cell:
    return Cell("" if math.isnan(value) else format_fixed(value, decimals), value)


def _interval(ends: FloatArray, decimals: int) -> Cell:
    low, high = float(ends[0]), float(ends[1])
    return Cell("" if math.isnan(low) else format_fixed_interval(low, high, decimals), low)


def _better(analysis: AnalysisData, rows: IntArray, narrow: bool) -> Part:
    """Name of the better system, or the sign of another verdict; empty without evidence."""
    pairs = analysis.pairs
    contradicting = pairs.contradicting
    verdicts, better = pairs.verdict_code, pairs.better_code
    cells = []
    for row in rows:
        if contradicting[row]:
            cells.append(Cell(SIGNS[CONTRADICTION]))
        elif verdicts[row] == EQUIVALENT_VERDICT:
            cells.append(Cell(SIGNS[EQUIVALENT]))
        elif better[row] == 0:
            cells.append(Cell(""))
        elif narrow:
            cells.append(Cell("a" if better[row] > 0 else "b"))
        else:
            ahead = pairs.left[row] if better[row] > 0 else pairs.right[row]
            cells.append(Cell(pairs.systems[ahead], name=True))
    part: Part = [(Column("Better"), cells)]
    few = pairs.rests_on_few
    if few.any():
        part.append((Column(MARK), [Cell(MARK if few[row] else "") for row in rows]))
    return part
