"""Percentile bootstrap over units: a statistic in every resample, and intervals from its values."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.engine.resampling.streams import count_chunks

STREAM = "effects"

# Cells a statistic sees at a time: few enough for the processor's cache.
_CELLS = 65_536


def bootstrap_values(
    statistic: Callable[[FloatArray], FloatArray], n_units: int, config: AnalysisConfig
) -> FloatArray:
    """A statistic in every resample.

    statistic: From counts of shape (k, n_units) to values of shape (k, …).
    """
    rows = max(1, _CELLS // n_units)
    return np.concatenate(
        [
            statistic(counts[start : start + rows])
            for _, counts in count_chunks(n_units, config.resamples, config.seed, STREAM)
            for start in range(0, counts.shape[0], rows)
        ]
    )


def percentile_interval(
    values: FloatArray, level: float, alternative: Alternative, lowest: float, highest: float
) -> FloatArray:
    """Percentile interval of every column of resampled values.

    values (float array, shape (resamples, n_pairs)): NaN where a resample leaves the statistic undefined.
    lowest, highest: Bounds of the statistic, for the open end of a one-sided interval.
    Returns float array, shape (n_pairs, 2): NaN where more than one resample in a hundred is undefined;
        otherwise these are left out.

    The ends are the order statistics (B + 1)·mass and (B + 1)·(1 − mass), interpolated.

    Source: Efron (1979), doi:10.1214/aos/1176344552.
    """
    mass = two_sided_mass(level, alternative)
    share = np.isnan(values).mean(axis=0)
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    whole = share == 0
    low[whole], high[whole] = np.quantile(values[:, whole], [mass, 1 - mass], axis=0, method="weibull")
    for pair in np.flatnonzero((share > 0) & (share <= 0.01)):
        there = values[~np.isnan(values[:, pair]), pair]
        low[pair], high[pair] = np.quantile(there, [mass, 1 - mass], method="weibull")
    return one_sided(low, high, alternative, lowest, highest)
