"""The Monte Carlo rule in one place: what counts as extreme, and the p-value of a count."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

TIE_TOLERANCE = 1e-12


def tie_tolerance(absolute_sum: FloatArray) -> FloatArray:
    """How far below the observed sum a resampled sum still ties with it.

    absolute_sum: Σ|w_i| of the numbers that are summed.
    Returns float array of the same shape: 1e-12·Σ|w_i|. A tolerance relative to the observed sum would vanish
        when that nearly cancels.
    """
    return TIE_TOLERANCE * absolute_sum


def reached(resampled: FloatArray, observed: FloatArray, tolerance: FloatArray) -> BoolArray:
    """Whether resampled statistics are at least as extreme as observed; ties count.

    resampled (float array, shape (n, resamples)): Large is extreme.
    observed, tolerance (float arrays, shape (n,)).
    Returns bool array, shape (n, resamples).
    """
    result: BoolArray = resampled >= (observed - tolerance)[:, np.newaxis]
    return result


def monte_carlo_p(extreme: IntArray, resamples: int) -> FloatArray:
    """P-values from counts of extreme resamples.

    extreme: C, resamples at least as extreme as observed.
    Returns: (C + 1)/(B + 1): the observed sample is one of the B + 1 equally likely under the null
        hypothesis, so p is valid and never 0.

    Source: Davison and Hinkley (1997), section 4.2; Phipson and Smyth (2010), doi:10.2202/1544-6115.1585.
    """
    p_values: FloatArray = (extreme.astype(np.float64) + 1.0) / (resamples + 1.0)
    return p_values


def standard_error(p_value: FloatArray, resamples: int) -> FloatArray:
    """Relative Monte Carlo standard error of p-values.

    Returns: √((1 − p)/(p·(B + 1))), the scale that contour integrals state their error on too.
    """
    result: FloatArray = np.sqrt((1.0 - p_value) / p_value / (resamples + 1.0))
    return result


def rank_of_quantile(mass: float, resamples: int) -> int:
    """Which of B resampled statistics, in rising order, is the critical value that agrees with p.

    mass: Probability below the critical value.
    Returns: ⌈mass·(B + 1)⌉, from 1 on; above B no resample is extreme enough and the critical value is
        infinite.

    p = (C + 1)/(B + 1) ≤ 1 − mass holds exactly when the observed value is above this order statistic.
    """
    exact = mass * (resamples + 1)
    return max(1, int(np.ceil(exact - 1e-9 * max(1.0, exact))))


def critical_values(statistics: FloatArray, mass: float) -> FloatArray:
    """Critical values of resampled statistics, row by row.

    statistics (float array, shape (n, resamples)): Large is extreme; may hold infinities, no NaN.
    mass: Probability below the critical value.
    Returns float array, shape (n,): The order statistic `rank_of_quantile`; infinite where there are too few
        resamples for it.
    """
    resamples = statistics.shape[1]
    rank = rank_of_quantile(mass, resamples)
    if rank > resamples:
        return np.full(statistics.shape[0], np.inf)
    values: FloatArray = np.partition(statistics, rank - 1, axis=1)[:, rank - 1]
    return values
