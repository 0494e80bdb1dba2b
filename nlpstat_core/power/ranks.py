"""Power of Wilcoxon's signed-rank test for normal differences."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.significance.wilcoxon import MOST_EXACT

_NODES = 96


def wilcoxon_power(units: int, effect: float, alpha: float, alternative: Alternative = "two-sided") -> float:
    """Probability that Wilcoxon's signed-rank test rejects, for normal differences.

    Parameters
    ----------
    units : int
        Units, none of them tied.
    effect : float
        δ/σ: mean difference in standard deviations of the differences.
    alpha : float
        Level of this comparison.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float

    Notes
    -----
    W⁺ has mean n·p₁ + n(n − 1)/2·p₂ and Lehmann's variance
    n·p₁(1 − p₁) + n(n − 1)/2·(2(p₁ − p₂)² + 3p₂(1 − p₂)) + n(n − 1)(n − 2)(p₃ − p₂²),
    where p₁ = Φ(d), p₂ = Φ(√2·d), p₃ = E Φ(X + d)², X ~ N(d, 1). Its distribution on [0, n(n + 1)/2] is
    taken as the beta distribution with these moments, which goes to the normal for large n. The critical
    values are those of the test that is run: exact up to 50 units, normal above.

    References
    ----------
    Lehmann (1998), Nonparametrics: Statistical Methods Based on Ranks, section 4.2.
    """
    towards = -effect if alternative == "less" else effect
    two_sided = alternative == "two-sided"
    limit = _limit(units, alpha / 2 if two_sided else alpha)
    power = _reaches(units, towards, limit)
    if two_sided:
        power += _reaches(units, -towards, limit)
    return min(1.0, power)


def _limit(units: int, tail: float) -> float:
    """Where between two values of W⁺ the rejection begins; infinity where no value is extreme enough."""
    from scipy import special

    if units > MOST_EXACT:
        centre = units * (units + 1) / 4
        return float(centre - special.ndtri(tail) * np.sqrt(centre * (2 * units + 1) / 6))
    reached = np.flatnonzero(_null_tails(units) <= tail)
    return float(reached[0]) - 0.5 if reached.size else np.inf


def _reaches(units: int, effect: float, limit: float) -> float:
    """P(W⁺ > limit) by the beta distribution with the mean and variance of W⁺."""
    from scipy import special

    most = units * (units + 1) / 2
    if limit >= most:
        return 0.0
    mean, variance = _moments(units, effect)
    share, spread = mean / most, variance / most**2
    if spread <= 0 or share <= 0 or share >= 1:
        return float(mean > limit)
    size = max(share * (1 - share) / spread - 1, 1e-9)
    # At enormous effects the share of what is missing underflows: then W⁺ is at its end.
    tail = special.betaincc(max(size * share, 1e-300), max(size * (1 - share), 1e-300), limit / most)
    return float(tail)


def _moments(units: int, effect: float) -> tuple[float, float]:
    """Mean and variance of W⁺ for normal differences."""
    from scipy import special

    p1, p2 = float(special.ndtr(effect)), float(special.ndtr(np.sqrt(2) * effect))
    x, weight = _hermite()
    p3 = float(weight @ special.ndtr(x + 2 * effect) ** 2)
    n = float(units)
    mean = n * p1 + n * (n - 1) / 2 * p2
    variance = n * p1 * (1 - p1) + n * (n - 1) / 2 * (2 * (p1 - p2) ** 2 + 3 * p2 * (1 - p2))
    return mean, variance + n * (n - 1) * (n - 2) * max(p3 - p2**2, 0.0)


@lru_cache(maxsize=1)
def _hermite() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the standard normal."""
    x, weight = np.polynomial.hermite_e.hermegauss(_NODES)
    return x, weight / weight.sum()


@lru_cache(maxsize=64)
def _null_tails(units: int) -> FloatArray:
    """P(W⁺ ≥ w) under random signs, for w = 0 … n(n + 1)/2."""
    mass = np.ones(1)
    for rank in range(1, units + 1):
        grown = np.zeros(mass.size + rank)
        grown[: mass.size] += mass / 2
        grown[rank:] += mass / 2
        mass = grown
    tails: FloatArray = np.cumsum(mass[::-1])[::-1]
    return tails
