"""Bootstrap intervals of an estimate from its resampled values: percentile, basic, BCa."""

from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.engine.resampling.threads import in_order

IntervalMethod = Literal["percentile", "basic", "bca"]
# Resampled values ordered at a time (1 MB).
_CELLS = 131_072


def bootstrap_interval(
    resampled: FloatArray,
    estimate: FloatArray,
    level: float,
    alternative: Alternative = "two-sided",
    *,
    method: IntervalMethod = "percentile",
    acceleration: FloatArray | None = None,
) -> FloatArray:
    """Interval of each estimate from its resampled values.

    resampled (float array, shape (n, resamples)).
    estimate (float array, shape (n,)).
    alternative: One-sided alternatives give one-sided intervals.
    method: Quantiles of the resampled values; the same reflected at the estimate; quantiles corrected for
        bias and for a spread that changes with the value.
    acceleration (float array, shape (n,)): For BCa, from `mean_acceleration` or a jackknife.
    Returns float array, shape (n, 2).

    Quantiles interpolate linearly between order statistics, as scipy.stats.bootstrap does. BCa takes the
    quantiles at Φ(z₀ + (z₀ + z_q)/(1 − a(z₀ + z_q))), z₀ = Φ⁻¹(share of resampled values below the
    estimate, ties half); it is undefined (NaN) where all resampled values lie on one side.

    Source: Efron (1987), doi:10.2307/2289144; Davison and Hinkley (1997), chapter 5.
    """
    tail = two_sided_mass(level, alternative)
    n = estimate.shape[0]
    if method == "bca":
        if acceleration is None:
            raise ValueError("BCa intervals need `acceleration`.")
        lower, upper = (_bca_share(resampled, estimate, acceleration, q) for q in (tail, 1 - tail))
        places = None
    else:
        lower, upper = np.full(n, tail), np.full(n, 1 - tail)
        places = _places(np.array([tail, 1 - tail]), resampled.shape[1])
    low, high = _quantiles(resampled, lower, upper, places)
    if method == "basic":
        low, high = 2 * estimate - high, 2 * estimate - low
    return one_sided(low, high, alternative)


def mean_acceleration(deviations: FloatArray) -> FloatArray:
    """Acceleration of BCa for a mean: what the jackknife gives, in closed form.

    deviations (float array, shape (n_units, n)): z − z̄.
    Returns float array, shape (n,): Σd³/(6·(Σd²)^1.5); NaN for constant data.
    """
    squares = np.einsum("ij,ij->j", deviations, deviations)
    cubes = np.einsum("ij,ij,ij->j", deviations, deviations, deviations)
    with np.errstate(divide="ignore", invalid="ignore"):
        result: FloatArray = cubes / (6 * squares**1.5)
    return result


def _bca_share(resampled: FloatArray, estimate: FloatArray, a: FloatArray, share: float) -> FloatArray:
    """Corrected probability of a quantile, shape (n,); NaN where the bias correction is infinite."""
    from scipy import special

    below = (resampled < estimate[:, None]).mean(axis=1)
    up_to = (resampled <= estimate[:, None]).mean(axis=1)
    z0 = special.ndtri((below + up_to) / 2)
    z0 = np.where(np.isfinite(z0), z0, np.nan)
    moved = z0 + special.ndtri(share)
    corrected: FloatArray = special.ndtr(z0 + moved / (1 - a * moved))
    return corrected


def _quantiles(
    resampled: FloatArray, lower: FloatArray, upper: FloatArray, places: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """Quantiles of each row at its two probabilities; only these places are ordered, or all."""
    n, resamples = resampled.shape
    step = max(1, _CELLS // resamples)

    def some(start: int) -> tuple[FloatArray, FloatArray]:
        rows = slice(start, start + step)
        ordered = np.sort(resampled[rows]) if places is None else np.partition(resampled[rows], places)
        return _interpolated(ordered, lower[rows]), _interpolated(ordered, upper[rows])

    low, high = zip(*in_order(some, range(0, max(1, n), step)), strict=True)
    return np.concatenate(low), np.concatenate(high)


def _places(shares: FloatArray, resamples: int) -> IntArray:
    """Places of the order statistics that quantiles at these probabilities need."""
    below = np.floor(shares * (resamples - 1)).astype(np.int64)
    return np.unique(np.append(below, np.minimum(below + 1, resamples - 1)))


def _interpolated(ordered: FloatArray, shares: FloatArray) -> FloatArray:
    """Quantile of each ordered row at its own probability, linear between order statistics."""
    last = ordered.shape[1] - 1
    place = np.where(np.isnan(shares), 0.0, shares) * last
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, last)
    rows = np.arange(ordered.shape[0])
    part = place - below
    values = ordered[rows, below] * (1 - part) + ordered[rows, above] * part
    result: FloatArray = np.where(np.isnan(shares), np.nan, values)
    return result
