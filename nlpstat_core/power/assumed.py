"""Which model makes another true difference of a pair: its directions drawn anew, or all of it moved."""

from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.samples.walsh import walsh_order_statistics

AssumedModel = Literal["swap", "shift", "shape"]

# A larger share of equal scores can't be moved without making winners of them all.
MOST_TIED = 0.05
# Fewer different sizes of the differences, each met twice on average, are steps of a scale.
FEWEST_STEPS = 30
# Differences this close to 0, in standard deviations, are nearly ties; normal ones are in 4 % of the units.
_NEAR, _MOST_NEAR = 0.05, 0.15


def assumed_model(z: FloatArray, test: str) -> AssumedModel:
    """How another true difference is made of a pair's differences.

    z (float array, shape (n,)): u − v − δ on the scores' grid.
    Returns {"swap", "shift", "shape"}: "swap": the logistic swap (`swap`), where more than 5 % of the units
        are tied, or fewer than 30 different sizes occur, each of them twice on average. "shift": all
        differences moved alike, elsewhere, and for tests of ranks and signs where hardly any size occurs
        twice. "shape": such scores pile up at 0 without being tied, and what a test of ranks or signs finds
        depends on how a true difference would look, which neither model knows.

    >>> assumed_model(np.repeat([0.0, 1.0, -1.0], [110, 50, 40]), "wilcoxon")
    'swap'
    """
    record = TESTS[test]
    if record.binary_only or record.design == "counts":
        return "swap"
    decided = np.abs(z[z != 0])
    different, tied = np.unique(decided).size, float(np.mean(z == 0)) if z.size else 0.0
    of_ranks = record.looks_at != "sizes"
    coarse = different < FEWEST_STEPS and 2 * different <= decided.size
    if coarse or (tied > MOST_TIED and not (of_ranks and 2 * different > decided.size)):
        return "swap"
    near = np.count_nonzero(decided <= _NEAR * float(z.std())) if z.size else 0
    return "shape" if of_ranks and near > _MOST_NEAR * decided.size else "shift"


def model_of(batch: PairBatch, test: str, pair: int = 0) -> AssumedModel:
    """How another true difference is made of one pair's; always by swaps where outputs are exchanged."""
    return "swap" if batch.units.exchanged else assumed_model(pair_grid(batch, pair), test)


def pair_grid(batch: PairBatch, pair: int = 0) -> FloatArray:
    """z = u − v − δ of one pair on the scores' grid, sorted."""
    differences = batch.rows_of(slice(pair, pair + 1))[0]
    return np.sort(on_grid(differences, batch.units.decimals, batch.delta))


def untied_centre(z: FloatArray, test: str) -> float:
    """The centre of the units that are not tied, about which a test of ranks or signs moves them.

    z (float array, shape (n,)): Rising.
    Returns: Their pseudo-median for a test of ranks, else their median; 0 where all are tied.
    """
    decided = z[z != 0]
    n = decided.size
    if n == 0:
        return 0.0
    if TESTS[test].looks_at != "ranks":
        return float(np.median(decided))
    total = n * (n + 1) // 2
    middle = walsh_order_statistics(decided, [(total + 1) // 2, total // 2 + 1])
    return float(middle.mean())


def things(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """What is swapped as a whole: units, documents, or what units do to a score of counts.

    Returns float array, shape (n_pairs, n_things): Scaled so that a row's mean is the difference less δ; for
        ratios of counts to third order.
    """
    blocks, counts = batch.units.blocks, batch.units.counts
    if counts is not None and TESTS[config.test].design != "paired":
        rows = _of_counts(batch)
    else:
        rows = on_grid(batch.rows_of(slice(0, batch.n_pairs)), batch.units.decimals, batch.delta)
    if blocks is None or TESTS[config.test].design != "blocks":
        return rows
    return blocks.sums(rows) * (blocks.n_blocks / max(batch.n_units, 1))


def _of_counts(batch: PairBatch) -> FloatArray:
    """n times what swapping a unit takes from the difference of two ratios, about their common sums."""
    counts = batch.units.counts
    if counts is None:
        raise ValueError("The items have no counts.")
    hits, lower = counts.hits.T, counts.weights.T
    upper_sum, lower_sum = hits.sum(axis=1), lower.sum(axis=1)
    a, b = batch.left, batch.right
    common_upper, common_lower = (upper_sum[a] + upper_sum[b]) / 2, (lower_sum[a] + lower_sum[b]) / 2
    divisor = np.where(common_lower > 0, common_lower, 1.0)[:, None]
    score = common_upper[:, None] / divisor
    moved: FloatArray = ((hits[a] - hits[b]) - score * (lower[a] - lower[b])) / divisor
    return moved * batch.n_units
