"""In how many data sets one system beats another, with stated confidence."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from nlpstat_core.analysis.analyse import decided_pairs
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.several_boards.agreement import common_pairs, counted_from
from nlpstat_core.analysis.several_boards.partial_conjunction import (
    claimed,
    holm_by_statement,
    partial_conjunction,
)
from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.results.several_boards import Combination, Replicability
from nlpstat_core.scores.direction import advantage, agrees
from nlpstat_core.stopping import ShouldStop, stoppable

SIDES: tuple[Literal["greater"], Literal["less"]] = ("greater", "less")


def replicability(
    analyses: Mapping[str, Analysis],
    *,
    method: Combination = "bonferroni",
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Replicability:
    """Count, for both directions of every pair, the data sets in which one system beats the other.

    Null hypothesis, of "A beats B in at least u data sets": in fewer than u data sets is A better than B.

    method: "fisher" only where the data sets are independent of each other.

    p of "a is better" is the one-sided p in that direction, of the analysis' own test and a hypothesised
    difference of 0; pairs for which the analysis did not keep it are tested again. Where the test's statistic
    says that a system is better and the mean difference doesn't, its p counts as 1, as the pair counts as not
    separated on the board. "Together" divides alpha by the number of statements. The counts are no test of
    the pooled data: û of n says nothing on the size of a difference, and the data sets are a fixed list, not
    a sample.

    Source: Dror et al. (2017), doi:10.1162/tacl_a_00074; Benjamini and Heller (2008),
    doi:10.1111/j.1541-0420.2007.00984.x.
    """
    boards = tuple(analyses.values())
    pairs = common_pairs(boards)
    n_pairs = len(pairs)
    p_values = np.full((len(boards), 2 * n_pairs), np.nan)  # first a beats b, then b beats a
    done, total = 0, len(SIDES) * sum(len(analysis.pairs) for analysis in boards)
    for row, analysis in enumerate(boards):
        place, swapped = pairs.places[row], pairs.swapped[row]
        for side in SIDES:
            with stoppable(should_stop):
                one_sided = _one_sided(analysis, side, counted_from(progress, done, total))
            done += len(analysis.pairs)
            if progress is not None:
                progress(done, total)
            larger = 1.0 if side == "greater" else -1.0
            favours_a = advantage(larger, analysis.units.lower_is_better) > 0
            first = place + n_pairs * np.where(swapped, favours_a, not favours_a)
            p_values[row, first] = one_sided
    return _counted(tuple(analyses), pairs.systems, pairs.left, pairs.right, p_values, boards, method)


def _one_sided(analysis: Analysis, side: Literal["greater", "less"], progress: Progress | None) -> FloatArray:
    """One-sided p-values of one data set, shape (n_pairs,)."""
    pairs = analysis.pairs
    p_value, direction = np.full(len(pairs), np.nan), pairs.direction.copy()
    if pairs.one_sided is not None and analysis.config.delta == 0.0:
        p_value[:] = pairs.one_sided[:, SIDES.index(side)]
    left = np.flatnonzero(np.isnan(p_value))
    if left.size:
        config = replace(
            analysis.config,
            alternative=side,
            delta=0.0,
            correction="none",
            effects=(),
            intervals=(),
            equivalence_margin=None,
        )
        chosen = pairs.left[left], pairs.right[left]
        tested = decided_pairs(analysis.units, config, chosen=chosen, progress=progress)
        p_value[left], direction[left] = tested.p_value, tested.direction
    sign = 1 if side == "greater" else -1
    contradicts = (direction * sign > 0) & ~agrees(direction, pairs.difference)
    return np.where(contradicts & ~np.isnan(p_value), 1.0, p_value)


def _counted(
    datasets: tuple[str, ...],
    systems: tuple[str, ...],
    left: IntArray,
    right: IntArray,
    p_values: FloatArray,
    boards: tuple[Analysis, ...],
    method: Combination,
) -> Replicability:
    n_datasets = np.count_nonzero(~np.isnan(p_values), axis=0)
    kept = n_datasets > 0
    better, worse = np.concatenate([left, right])[kept], np.concatenate([right, left])[kept]
    p_values, n_datasets = p_values[:, kept], n_datasets[kept]
    alpha = boards[0].config.alpha
    together = alpha / max(better.shape[0], 1)
    combined = partial_conjunction(p_values, method)
    holm = holm_by_statement(p_values)
    return Replicability(
        datasets=datasets,
        systems=systems,
        method=method,
        alpha=alpha,
        better=better,
        worse=worse,
        p_values=p_values,
        n_datasets=n_datasets.astype(np.int64),
        p_at_least=combined,
        at_least=claimed(combined, alpha),
        at_least_together=claimed(combined, together),
        named=holm <= alpha,
        named_together=holm <= together,
    )
