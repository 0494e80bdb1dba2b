"""Power where systems have training runs: more items shrink one part of the error only."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.samples.crossed import crossed_errors, crossed_interval
from nlpstat_core.power.levels import one_direction
from nlpstat_core.power.student import detectable_noncentrality


def _shifts(freedom: FloatArray, power: float, level: float, config: AnalysisConfig) -> FloatArray:
    """Noncentrality that is detected, by degrees of freedom (three digits of them); NaN below one."""
    side = one_direction(config.alternative)
    shifts = np.full(freedom.shape, np.nan)
    known = np.isfinite(freedom) & (freedom >= 1)
    rounded = np.array([float(f"{df:.3g}") for df in freedom[known]])
    distinct, place = np.unique(rounded, return_inverse=True)
    found = np.array([detectable_noncentrality(power, df, level, side) for df in distinct.tolist()])
    shifts[known] = found[place.ravel()] if distinct.size else np.nan
    return shifts


def detectable_over_runs(batch: PairBatch, config: AnalysisConfig, power: float, level: float) -> FloatArray:
    """Smallest difference that the test over items and runs detects with as many items and runs.

    batch: With `units.runs`.
    Returns: Metric points; NaN where the error is unknown or 0.
    """
    found = crossed_errors(batch)
    size = _shifts(found.freedom, power, level, config) * found.error
    return np.where(found.error > 0, size, np.nan)


def needed_over_runs(
    batch: PairBatch, config: AnalysisConfig, power: float, level: float
) -> tuple[FloatArray, FloatArray]:
    """Size of the effect with its near and far end, and the items each needs with as many runs as now.

    batch: With `units.runs`.
    Returns sizes (float array, shape (3, n_pairs)): Differences in standard deviations of a single item's
        difference, error·√n, without sign.
    Returns needed (float array, shape (3, n_pairs)): Infinite where no number of items is enough, because the
        runs alone vary too much.

    The error's square is items/n′ + runs, of which more items shrink the first part; degrees of freedom are
    taken as they are.
    """
    found, n = crossed_errors(batch), max(batch.n_units, 1)
    spreads = found.spreads
    sides = (batch.left, batch.right)
    runs = sum(spreads.component[side] / np.maximum(spreads.n_runs[side], 1) for side in sides)
    items = np.maximum(found.error**2 - runs, 0.0) * n
    low, high = crossed_interval(batch, AnalysisConfig(confidence_level=config.level)).T
    up = batch.difference >= 0
    near, far = np.where(up, low, -high), np.where(up, high, -low)
    ends = np.stack([np.abs(batch.difference), near, far])
    shift = _shifts(found.freedom, power, level, config)
    wrong = np.sign(batch.difference) == {"two-sided": 2, "greater": -1, "less": 1}[config.alternative]
    with np.errstate(divide="ignore", invalid="ignore"):
        room = (ends / shift) ** 2 - runs
        needed = np.where((room > 0) & (ends > 0) & ~wrong, np.maximum(2, np.ceil(items / room)), np.inf)
        sizes = ends / (found.error * np.sqrt(n))
    unknown = ~(found.error > 0)
    return np.where(unknown, np.nan, sizes), np.where(unknown, np.nan, needed)
