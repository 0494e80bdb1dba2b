"""Percentile bootstrap over units: which units each resample takes, and intervals from resampled values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.distributions import one_sided, two_sided_mass

# Resamples drawn by one generator. Fixed, so that no number depends on workers or memory.
CHUNK = 256
# Cells a statistic sees at a time: few enough for the processor's cache.
_CELLS = 65_536


def resample_counts(n_units: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """How often each unit is in each resample of n units, drawn with replacement.

    Parameters
    ----------
    n_units : int
        At least one.
    resamples, seed : int

    Yields
    ------
    float array, shape (up to 256, n_units)
        Whole numbers; each row adds up to n_units. They depend on (seed, number of units, position of the
        unit, number of the resample) only, never on the scores.
    """
    for chunk, start in enumerate(range(0, resamples, CHUNK)):
        generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, chunk])))
        drawn = generator.integers(0, n_units, size=(CHUNK, n_units))[: resamples - start]
        flat = drawn + n_units * np.arange(drawn.shape[0])[:, None]
        counts = np.bincount(flat.ravel(), minlength=drawn.size)
        yield counts.reshape(drawn.shape).astype(float)


def bootstrap_values(
    statistic: Callable[[FloatArray], FloatArray], n_units: int, config: AnalysisConfig
) -> FloatArray:
    """A statistic in every resample.

    Parameters
    ----------
    statistic : callable
        From counts of shape (k, n_units) to values of shape (k, …).
    n_units : int
    config : AnalysisConfig
        `resamples` and `seed`.

    Returns
    -------
    float array, shape (resamples, …)
    """
    rows = max(1, _CELLS // n_units)
    return np.concatenate(
        [
            statistic(counts[start : start + rows])
            for counts in resample_counts(n_units, config.resamples, config.seed)
            for start in range(0, counts.shape[0], rows)
        ]
    )


def percentile_interval(
    values: FloatArray, level: float, alternative: Alternative, lowest: float, highest: float
) -> FloatArray:
    """Percentile interval of every column of resampled values.

    Parameters
    ----------
    values : float array, shape (resamples, n_pairs)
        NaN where a resample leaves the statistic undefined.
    level : float
    alternative : {"two-sided", "greater", "less"}
    lowest, highest : float
        Bounds of the statistic, for the open end of a one-sided interval.

    Returns
    -------
    float array, shape (n_pairs, 2)
        NaN where more than one resample in a hundred is undefined; otherwise these are left out.

    Notes
    -----
    The ends are the order statistics (B + 1)·mass and (B + 1)·(1 − mass), interpolated.

    References
    ----------
    Efron (1979), doi:10.1214/aos/1176344552.
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
