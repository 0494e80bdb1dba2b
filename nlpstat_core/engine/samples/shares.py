"""Intervals of shares that never leave [0, 1]: Wilson's, for units, for blocks and for ratios of counts."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray


def wilson(
    share: FloatArray, units: FloatArray, quantile: float | FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Wilson's score interval for a share.

    share, units (float arrays, shape (k,)): Share and (effective) number of units it was counted over.
    quantile (float, or float array of shape (k,)): Quantile of the level: of the standard normal, or of
        Student's t.
    Returns float arrays, shape (k,).

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.
    """
    square = quantile**2
    centre = (share + square / (2 * units)) / (1 + square / units)
    margin = quantile / (1 + square / units) * np.sqrt(share * (1 - share) / units + square / (4 * units**2))
    return np.maximum(centre - margin, 0.0), np.minimum(centre + margin, 1.0)


def counted_share_interval(share: FloatArray, n_units: IntArray, level: float) -> FloatArray:
    """Wilson's interval of the share of independent units that score 1.

    share (float array, shape (k,)).
    n_units (int array, shape (k,)).
    Returns float array, shape (k, 2); NaN without units.

    >>> counted_share_interval(np.array([1.0]), np.array([30]), 0.95).round(4).tolist()
    [[0.8865, 1.0]]
    """
    from scipy import special

    units = np.where(n_units > 0, n_units, np.nan)
    return np.stack(wilson(share, units, float(special.ndtri((1 + level) / 2))), axis=-1)


def estimated_share_interval(
    share: FloatArray, errors: FloatArray, freedom: FloatArray, level: float
) -> FloatArray:
    """Wilson's interval of a share whose standard error is estimated: by blocks, or from counts.

    share (float array, shape (k,)): In [0, 1].
    errors (float array, shape (k,)): Standard errors, cluster-robust where units are in blocks.
    freedom (float array, shape (k,)): Degrees of freedom of the errors; NaN where undefined.
    Returns float array, shape (k, 2); NaN without degrees of freedom.

    Wilson's formula with n_e = share·(1 − share)/error² effective units and Student's t quantile. Where the
    error is 0 (0 or 1 everywhere) nothing says how alike the units of a block are, and n_e is one more than
    the degrees of freedom: every block of equal ones counts as one unit.

    Source: Dean and Pagano (2015), doi:10.1093/jssam/smv024.
    """
    from scipy import special

    known = freedom > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(errors > 0, share * (1 - share) / errors**2, freedom + 1)
    effective = np.where(effective > 0, effective, freedom + 1)
    degrees = np.where(known, freedom, 1.0)
    quantile: FloatArray = np.asarray(special.stdtrit(degrees, (1 + level) / 2), dtype=np.float64)
    inside = np.clip(share, 0.0, 1.0)
    low, high = wilson(inside, np.where(known, effective, np.nan), quantile)
    return np.stack([low, high], axis=-1)
