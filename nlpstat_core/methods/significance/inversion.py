"""The interval for a mean that inverts the sign-flip permutation test, one pair at a time."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.tails import two_sided_mass
from nlpstat_core.engine.signflip import sign_flip_columns
from nlpstat_core.scores.matrix import MOST_DECIMALS

# Up to so many units the means of all subsets are formed.
MOST_SUBSETS = 20
# Up to so many the engine enumerates for any θ.
MOST_ENUMERATED = 36
_SLACK = 1 + 1e-9


def permutation_interval(
    z: FloatArray, decimals: int, level: float, alternative: Alternative
) -> tuple[float, float]:
    """All means that the permutation test does not reject, as an interval.

    Parameters
    ----------
    z : float array, shape (n,)
        Differences, metric points, at least one.
    decimals : int
        Decimals the differences were written with.
    level : float
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    low, high : float
        Infinite where n is too small for the level or the alternative is one-sided.

    Notes
    -----
    With θ as hypothesised mean, p is the share of the 2ⁿ subsets of units (the empty one included) whose mean
    is at most θ. Up to 20 units the ends are order statistics of the subset means; beyond, p is followed
    along θ until its normal quantile, almost a straight line, meets that of the level; above
    36 units with many ties by a saddlepoint approximation.

    References
    ----------
    Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    """
    mass = two_sided_mass(level, alternative)
    limit = _subset_limit if z.size <= MOST_SUBSETS else _followed_limit
    low = -math.inf if alternative == "less" else limit(z, decimals, mass)
    high = math.inf if alternative == "greater" else -limit(-z, decimals, mass)
    return low, high


def _subset_limit(z: FloatArray, decimals: int, mass: float) -> float:
    """Lower limit from the means of all subsets of units but the empty one."""
    order = math.floor(mass * 2.0**z.size * _SLACK)
    if order == 0:
        return -math.inf
    order = min(order, 2**z.size - 1)
    sums, sizes = np.zeros(1), np.zeros(1)
    for value in z:
        sums = np.concatenate([sums, sums + value])
        sizes = np.concatenate([sizes, sizes + 1])
    return float(np.partition(sums[1:] / sizes[1:], order - 1)[order - 1])


def _followed_limit(z: FloatArray, decimals: int, mass: float) -> float:
    """Lower limit where the test's p crosses the mass, found on normal quantiles of p."""
    from scipy import optimize, special

    if mass > 0.5:  # beyond the mean: the other tail
        return min(-_followed_limit(-z, decimals, 1 - mass), float(z.max()))
    low, high = float(z.min()), float(z.mean())
    if math.log(mass) < -z.size * math.log(2.0) or high <= low:
        return -math.inf if high > low else low
    values, counts = np.unique(z, return_counts=True)
    tied = z.size > MOST_ENUMERATED and decimals < MOST_DECIMALS and values.size < z.size / 2
    curve = _Saddlepoint(values, counts.astype(float)) if tied else _by_engine(z)
    target = float(special.ndtri(mass))
    if curve(low) >= target:
        return low
    # The mean itself has p of at least ½, so the crossing lies between.
    if curve(high) <= target:
        return high
    tolerance = 1e-8 * float(z.std())
    return float(optimize.brentq(lambda x: curve(x) - target, low, high, xtol=tolerance, rtol=1e-14))


def _by_engine(z: FloatArray) -> Callable[[float], float]:
    """Normal quantile of p(θ) from the sign-flip engine."""
    from scipy import special

    def curve(theta: float) -> float:
        log_p = sign_flip_columns((z - theta)[:, None], "greater").log10_p[0] * math.log(10.0)
        return float(special.ndtri_exp(log_p))

    return curve


class _Saddlepoint:
    """Normal quantile of p(θ) for differences with many ties, by Barndorff-Nielsen's r*.

    Between the points of a lattice p(θ) moves in steps too small to see, and following them exactly would
    take a fine lattice for every θ. The approximation is off by less than the steps.
    """

    def __init__(self, values: FloatArray, counts: FloatArray) -> None:
        self.values = values
        self.counts = counts

    def __call__(self, theta: float) -> float:
        from scipy import optimize, special

        shifted = self.values - theta
        weights = np.abs(shifted)
        t, total = float(shifted @ self.counts), float(weights @ self.counts)
        if t <= 1e-12 * total:
            return 0.0
        if t >= total * (1 - 1e-12):
            return float(special.ndtri_exp(-self.counts.sum() * math.log(2.0)))

        def slope(s: float) -> float:
            return float((weights * np.tanh(s * weights)) @ self.counts) - t

        most = 1.0 / float(weights.max())
        while slope(most) < 0:
            most *= 2
        s = float(optimize.brentq(slope, 0.0, most, xtol=1e-14 * most))
        curvature = float((weights**2 * (1 - np.tanh(s * weights) ** 2)) @ self.counts)
        log_cosh = s * weights + np.log1p(np.exp(-2 * s * weights)) - math.log(2.0)
        w = math.sqrt(2 * max(s * t - float(log_cosh @ self.counts), 0.0))
        return -(w + math.log(s * math.sqrt(curvature) / w) / w) if w > 1e-3 else -w
