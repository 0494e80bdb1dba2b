"""The pairs as a table of text, in the order of the leaderboard, and the effect sizes of one."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.formatting import common_decimals, format_interval, interval_decimals
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.report.exports.tables.board import score_decimals
from nlpstat_core.report.exports.tables.square import CONTRADICTION, EQUIVALENT, SIGNS
from nlpstat_core.report.exports.tables.table import (
    Cell,
    Column,
    Table,
    counts,
    fixed,
    intervals,
    names,
    p_values,
    words,
)
from nlpstat_core.report.wording.few_units import MARK
from nlpstat_core.report.wording.magnitudes import effect_text
from nlpstat_core.report.wording.sentences import mixture
from nlpstat_core.report.wording.titles import pairs_remark, pairs_title
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import VERDICTS
from nlpstat_core.results.pair import PairData

EQUIVALENT_VERDICT = VERDICTS.index("equivalent")


def order_of_pairs(analysis: AnalysisData, most: int) -> IntArray:
    """Rows of the pair table, pairs of high ranks first. `most`: pairs at most."""
    board, pairs = analysis.leaderboard, analysis.pairs
    place = np.empty(len(board), dtype=np.int64)
    place[board.column] = np.arange(len(board))
    i, j = place[pairs.left], place[pairs.right]
    return np.lexsort((np.maximum(i, j), np.minimum(i, j)))[:most].astype(np.int64)


def pairs_table(analysis: AnalysisData, most: int, *, narrow: bool = False) -> Table:
    """The pairs as text; a − b keeps the file's order. `narrow`: one effect size, no estimates."""
    rows = order_of_pairs(analysis, most)
    columns = [*_names(analysis, rows, narrow), *_numbers(analysis, rows)]
    columns += [] if narrow else _estimates(analysis, rows)
    columns += [*_tests(analysis, rows), *_effects(analysis, rows, narrow), *_better(analysis, rows, narrow)]
    return Table(pairs_title(analysis), tuple(columns), pairs_remark(analysis, len(rows)))


def _names(analysis: AnalysisData, rows: IntArray, narrow: bool) -> list[Column]:
    pairs = analysis.pairs
    columns = [
        names("System A", (pairs.systems[column] for column in pairs.left[rows])),
        names("System B", (pairs.systems[column] for column in pairs.right[rows])),
    ]
    if narrow and len(set(pairs.n_units.tolist())) == 1:
        return columns
    return [*columns, counts("Items", pairs.n_units[rows])]


def _numbers(analysis: AnalysisData, rows: IntArray) -> list[Column]:
    pairs, level = analysis.pairs, f"{100 * analysis.config.level:g} %"
    decimals = difference_decimals(analysis, pairs.interval)
    columns = [
        fixed("A − B", pairs.difference[rows], decimals, undefined=""),
        intervals(f"{level} interval", pairs.interval[rows], decimals, undefined=""),
    ]
    if pairs.interval_simultaneous is None:
        return columns
    return [
        *columns,
        intervals(f"{level} simultaneous", pairs.interval_simultaneous[rows], decimals, undefined=""),
    ]


def difference_decimals(analysis: AnalysisData, ends: FloatArray) -> int:
    """Decimals of differences: those of the scores, and two digits of a typical half interval."""
    return max(score_decimals(analysis), interval_decimals(ends[:10_000]))


def _estimates(analysis: AnalysisData, rows: IntArray) -> list[Column]:
    """What tests that are not about the mean are about, where the configuration names it."""
    columns = []
    for of, estimate in analysis.pairs.estimates.items():
        ends = estimate.interval
        decimals = difference_decimals(analysis, analysis.pairs.interval if ends is None else ends)
        columns.append(fixed(of.capitalize(), estimate.value[rows], decimals, undefined=""))
        if ends is not None:
            columns.append(intervals("its interval", ends[rows], decimals, undefined=""))
    return columns


def _tests(analysis: AnalysisData, rows: IntArray) -> list[Column]:
    pairs, alpha, columns = analysis.pairs, analysis.config.alpha, []
    if len(mixture(pairs)) > 1:
        columns.append(words("Test", (pairs.tests[i] if i >= 0 else "" for i in pairs.test_code[rows])))
    columns.append(p_values("p", pairs.p_value[rows], alpha, pairs.log10_p[rows]))
    if analysis.config.correction != "none":
        columns.append(p_values("Adjusted p", pairs.p_adjusted[rows], alpha))
    if pairs.p_equivalence_adjusted is not None:
        columns.append(p_values("p of equivalence", pairs.p_equivalence_adjusted[rows], alpha))
    return columns


def _effects(analysis: AnalysisData, rows: IntArray, narrow: bool) -> list[Column]:
    found = list(analysis.pairs.effects.items())[: 1 if narrow else None]
    columns = []
    for key, effect in found:
        decimals = min(4, common_decimals(effect.value[:10_000].tolist(), 3))
        columns.append(fixed(EFFECTS[key].label, effect.value[rows], decimals, undefined=""))
    return columns


def _better(analysis: AnalysisData, rows: IntArray, narrow: bool) -> list[Column]:
    """Name of the better system, or the sign of another verdict; empty without evidence."""
    pairs = analysis.pairs
    contradicting, verdicts, better = pairs.contradicting, pairs.verdict_code, pairs.better_code
    cells = []
    for row in rows:
        if contradicting[row]:
            cells.append(Cell(SIGNS[CONTRADICTION]))
        elif verdicts[row] == EQUIVALENT_VERDICT:
            cells.append(Cell(SIGNS[EQUIVALENT]))
        elif better[row] == 0:
            cells.append(Cell(""))
        elif narrow:
            cells.append(Cell("A" if better[row] > 0 else "B"))
        else:
            ahead = pairs.left[row] if better[row] > 0 else pairs.right[row]
            cells.append(Cell(pairs.systems[ahead], name=True))
    few = pairs.rests_on_few
    marks = [words(MARK, (MARK if few[row] else "" for row in rows))] if few.any() else []
    return [Column("Better", tuple(cells)), *marks]


def effects_table(pair: PairData) -> Table:
    """Every effect size of a pair with its interval; each has digits of its own, their units differ."""
    unpaired = pair.diagnosis.variances is not None
    methods = [effect_for(key, unpaired=unpaired) or EFFECTS[key] for key in pair.effects]
    return Table(
        "",
        (
            words("Effect size", (method.label for method in methods)),
            words("Value", (effect_text(key, effect) for key, effect in pair.effects.items())),
            words("Interval", (format_interval(*effect.interval) for effect in pair.effects.values())),
            words("What it says", (method.summary for method in methods)),
        ),
    )
