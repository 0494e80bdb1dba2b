"""The true difference that a curve assumes: by which model, and how a pair's units are made to have it."""

from dataclasses import replace
from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.samples.walsh import walsh_order_statistics
from nlpstat_core.errors import AnalysisError
from nlpstat_core.formatting import format_score
from nlpstat_core.methods.effects import effect_of
from nlpstat_core.power.sampling import Sample, only_differences, shifted
from nlpstat_core.power.swap import chances, strength_for_mean
from nlpstat_core.quantities import MEDIAN, RANKS

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


def own_centre(batch: PairBatch, config: AnalysisConfig) -> float:
    """The quantity of the first pair that its test is about, θ̂.

    Returns: Metric points: the median of u − v for sign and median tests, the Hodges–Lehmann estimate for
        Wilcoxon's, else the difference of the scores.

    Source: Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172.
    """
    record = TESTS[config.test]
    if record.looks_at == "sizes":
        return float(batch.difference[0]) if record.design != "paired" else float(batch.mean[0])
    centre = effect_of(MEDIAN if record.looks_at == "signs" else RANKS)
    return float(centre.run(batch, config, False).value[0])


def sample_of(batch: PairBatch, config: AnalysisConfig) -> Sample:
    """The units of the first pair as they are."""
    units, a, b = batch.units, int(batch.left[0]), int(batch.right[0])
    both = units.values[:, [a, b]]
    binary = bool(units.binary[a] and units.binary[b])
    counts = None
    if units.counts is not None and TESTS[config.test].design != "paired":
        table = units.counts
        counts = replace(table, hits=table.hits[:, [a, b]], misses=table.misses[:, [a, b]])
    whole = binary or counts is not None
    return Sample(
        columns=both if whole else both[:, :1] - both[:, 1:],
        decimals=units.decimals,
        binary=binary and counts is None,
        delta=batch.delta,
        counts=counts,
        blocks=units.blocks,
    )


def with_difference(
    sample: Sample, batch: PairBatch, config: AnalysisConfig, target: float
) -> tuple[Sample, AssumedModel]:
    """The same units as if their true difference were the target.

    Returns model ({"swap", "shift", "shape"}): See `assumed_model`. "shape": moved as by "shift", which is
        not to be trusted.
    Raises AnalysisError: A difference that is not reachable on this scale.

    "swap": units keep the sizes of their differences and directions are drawn anew, with chances that give
    the difference as a mean (`swap`); documents and counts are swapped whole. "shift": z − θ̂ + δ; for tests
    of ranks and signs θ̂ is the centre of the units that are not tied, and ties stay ties.
    """
    z = pair_grid(batch)
    model = model_of(batch, config.test)
    if model == "swap":
        if sample.blocks is None and sample.counts is None:
            if TESTS[config.test].binary_only:
                return _table(sample, target), model
            return _directions(sample, z, target), model
        return _swapped(sample, batch, config, target), model
    moved = only_differences(sample)
    if TESTS[config.test].looks_at == "sizes":
        return shifted(moved, np.array([target - float(batch.mean[0])])), model
    untied = on_grid(moved.columns[:, 0], sample.decimals, sample.delta) != 0
    amount = target - sample.delta - untied_centre(z, config.test)
    return shifted(moved, np.where(untied, amount, 0.0)), model


def _directions(sample: Sample, z: FloatArray, target: float) -> Sample:
    """Every size of difference with either sign, and the chances of both."""
    strength = strength_for_mean(np.abs(z), target - sample.delta)
    size, times = np.unique(np.abs(z), return_counts=True)
    up, share = chances(size, strength), times / z.size
    return replace(
        only_differences(sample),
        columns=np.concatenate([size, -size])[:, None] + sample.delta,
        weights=np.concatenate([share * up, share * (1 - up)]),
    )


def _swapped(sample: Sample, batch: PairBatch, config: AnalysisConfig, target: float) -> Sample:
    """Chances of units of counts, or of documents, to be swapped."""
    own = things(batch, config)[0]
    if sample.blocks is not None and TESTS[config.test].design != "blocks":
        # A test of units on documents: they are drawn and swapped whole all the same.
        own = sample.blocks.sums(own[None, :])[0] * (sample.blocks.n_blocks / batch.n_units)
    up = chances(np.abs(own), strength_for_mean(np.abs(own), target - sample.delta))
    swap = np.where(own > 0, 1 - up, up)
    whole = sample.counts is not None or (sample.binary and not sample.delta)
    return replace(sample if whole else only_differences(sample), swap=swap)


def _table(sample: Sample, target: float) -> Sample:
    """The four cells of McNemar's table with probabilities that give the difference."""
    a, b = sample.columns.T
    cells = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    share = np.array([np.mean((a == x) & (b == y)) for x, y in cells])
    discordant = share[0] + share[1]
    if abs(target) > discordant:
        raise AnalysisError(
            f"With {format_score(100 * discordant)} % of the items discordant the difference can't be larger "
            f"than {format_score(discordant)}."
        )
    share[:2] = (discordant + target) / 2, (discordant - target) / 2
    return replace(sample, columns=cells, weights=share)
