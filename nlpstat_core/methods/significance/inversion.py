"""Intervals for a mean difference that invert a sign-flip test, and so agree with its p-value."""

import math

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.engine.samples.intervals import cut_shares
from nlpstat_core.engine.signflip.shifts import accepted_shifts
from nlpstat_core.scores.grid import MOST_DECIMALS

# Of a level: what rounding may do to it.
_SLACK = 1e-12


def inverted_interval(
    sums: FloatArray,
    sizes: FloatArray,
    batch: PairBatch,
    config: AnalysisConfig,
    p_value: FloatArray,
    direction: CodeArray,
) -> FloatArray:
    """All mean differences that the sign-flip test of blocks (of single units) does not reject.

    sums (float array, shape (n_pairs, n_blocks)): Of u − v over each block.
    p_value, direction (arrays, shape (n_pairs,)): Of the test at δ, which decides on which side of the ends δ
        lies.
    Returns float array, shape (n_pairs, 2): Infinite where there are too few blocks for the level, or at the
        open end of a one-sided alternative.

    See `shifts.accepted_shifts`.
    """
    decimals = batch.units.decimals
    ends = accepted_shifts(
        sums,
        sizes,
        two_sided_mass(config.level, config.alternative),
        decimals=decimals if decimals < MOST_DECIMALS else None,
    )
    ends = one_sided(ends[:, 0], ends[:, 1], config.alternative)
    return cut_shares(batch, agreeing(ends, p_value, direction, batch.delta, config))


def agreeing(
    interval: FloatArray, p_value: FloatArray, direction: CodeArray, delta: float, config: AnalysisConfig
) -> FloatArray:
    """Ends that rounding has put on the wrong side of δ moved to the side where the test's p-value puts them.

    p_value: Of the test of δ.
    direction (array, shape (n_pairs,)): +1 where the mean difference is above δ, −1 where it is below.
    """
    low, high = interval.T
    out = rejected(p_value, config)
    above = out & ((direction > 0) if config.alternative == "two-sided" else config.alternative == "greater")
    least = np.where(above, np.nextafter(delta, np.inf), -np.inf)
    most = np.where(out & ~above, np.nextafter(delta, -np.inf), np.inf)
    low = np.clip(np.where(out, low, np.minimum(low, delta)), least, most)
    high = np.clip(np.where(out, high, np.maximum(high, delta)), least, most)
    return np.stack([low, high], axis=-1)


def disagrees(interval: FloatArray, p_value: FloatArray, delta: float, config: AnalysisConfig) -> BoolArray:
    """Where an interval leaves δ out although the test does not reject it, or the reverse.

    Returns bool array, shape (n_pairs,); False where either is undefined.
    """
    outside = (interval[:, 0] > delta) | (interval[:, 1] < delta)
    known = ~np.isnan(p_value) & ~np.isnan(interval).any(axis=1)
    return np.asarray(known & (outside != rejected(p_value, config)))


def rejected(p_value: FloatArray, config: AnalysisConfig) -> BoolArray:
    """Where a test's p-value is at most one minus the confidence level. False where p is undefined."""
    return np.asarray(p_value <= (1 - config.level) * (1 + _SLACK))


def too_few_signs(n_signs: int, config: AnalysisConfig) -> bool:
    """Whether the smallest p-value of so many signs is above one minus the confidence level."""
    mass = two_sided_mass(config.level, config.alternative)
    return n_signs * math.log(2.0) < -math.log(mass) - 1e-9
