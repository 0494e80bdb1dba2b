"""The true difference that a power curve assumes, and how a pair's units are made to have it."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.errors import AnalysisError
from nlpstat_core.formatting import format_score
from nlpstat_core.methods.effects import effect_of
from nlpstat_core.power.assumed import AssumedModel, model_of, pair_grid, things, untied_centre
from nlpstat_core.power.sampling import Sample, only_differences, shifted
from nlpstat_core.power.swap import chances, strength_for_mean
from nlpstat_core.quantities import MEDIAN, RANKS


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

    target: The difference to assume, metric points.
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
