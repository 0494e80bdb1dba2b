"""Power of Wilcoxon's signed-rank test for normal differences."""

from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.methods.significance.wilcoxon import MOST_EXACT
from nlpstat_core.power.solving import bisected
from nlpstat_core.power.swap import chances, mean_under

_NODES = 96
_HALVINGS = 24
# Strengths of a swap that are looked at: λ times the root mean square of the sizes, as a logarithm.
_STRENGTHS = 12.0


def wilcoxon_power(units: int, effect: float, alpha: float, alternative: Alternative = "two-sided") -> float:
    """Probability that Wilcoxon's signed-rank test rejects, for normal differences.

    units: Units, none of them tied.
    effect: δ/σ: mean difference in standard deviations of the differences.

    W⁺ has mean n·p₁ + n(n − 1)/2·p₂ and Lehmann's variance
    n·p₁(1 − p₁) + n(n − 1)/2·(2(p₁ − p₂)² + 3p₂(1 − p₂)) + n(n − 1)(n − 2)(p₃ − p₂²),
    where p₁ = Φ(d), p₂ = Φ(√2·d), p₃ = E Φ(X + d)², X ~ N(d, 1). Its distribution on [0, n(n + 1)/2] is
    taken as the beta distribution with these moments, which goes to the normal for large n. The critical
    values are those of the test that is run: exact up to 50 units, normal above.

    Source: Lehmann (1998), Nonparametrics: Statistical Methods Based on Ranks, section 4.2.
    """
    towards = -effect if alternative == "less" else effect
    two_sided = alternative == "two-sided"
    limit = _limit(units, alpha / 2 if two_sided else alpha)
    power = _reaches(units, _normal_chances(towards), limit)
    if two_sided:
        power += _reaches(units, _normal_chances(-towards), limit)
    return min(1.0, power)


def wilcoxon_detectable(z: FloatArray, power: float, alpha: float, two_sided: bool) -> float:
    """The shift of differences of this very shape that Wilcoxon's signed-rank test finds.

    z (float array, shape (n,)): Differences centred at their pseudo-median, rising, none of them tied with
        it.
    power: In (alpha, 1).
    Returns: In the unit of z; infinity where no shift is found.

    As `wilcoxon_power` with p₁, p₂ and p₃ counted in the data: the shares of z_i + δ > 0, of z_i + z_j + 2δ >
    0, and of pairs j, k that both do so with the same i. Differences with heavy tails need a much smaller
    shift than normal ones of the same standard deviation. Cost O(n log n) per step of the bisection.

    Source: Lehmann (1998), Nonparametrics: Statistical Methods Based on Ranks, section 4.2.
    """
    n = z.shape[0]
    limit = _limit(n, alpha / 2 if two_sided else alpha)
    if n < 2 or not np.isfinite(limit):
        return np.inf

    def enough(shift: float) -> bool:
        found = _reaches(n, _chances(z, shift), limit)
        if two_sided:
            found += _reaches(n, _chances(-z[::-1], -shift), limit)
        return found >= power

    low, high = 0.0, float(max(abs(z[0]), abs(z[-1]))) * (1 + 1e-9) + 1e-300
    if not enough(high):
        return np.inf
    return bisected(enough, low, high, steps=_HALVINGS)


def wilcoxon_detectable_swap(sizes: FloatArray, power: float, alpha: float, two_sided: bool) -> float:
    """The mean difference that Wilcoxon's signed-rank test finds when directions are drawn anew.

    sizes (float array, shape (n,)): |z| of all units, ties among them.
    power: In (alpha, 1).
    Returns: Metric points; infinity where not reachable on this scale.

    The logistic swap (`swap`). W⁺ with midranks is a sum over units and pairs of units, whose mean and
    variance follow from the sizes and their chances; it is taken as normal, with the critical value of the
    normal approximation corrected for ties.

    Source: Lehmann (1998), Nonparametrics: Statistical Methods Based on Ranks, section 4.2.
    """
    from scipy import special

    size, times = np.unique(sizes[sizes > 0], return_counts=True)
    n = int(times.sum())
    if n < 2:
        return np.inf
    rank_squares = n * (n + 1) * (2 * n + 1) / 24 - float(np.sum(times.astype(float) ** 3 - times)) / 48
    limit = n * (n + 1) / 4 - normal_quantile(alpha / 2 if two_sided else alpha) * np.sqrt(rank_squares)
    if limit >= n * (n + 1) / 2:
        return np.inf
    scale = 1 / float(np.sqrt(np.mean(size**2)))

    def enough(log_strength: float) -> bool:
        up = chances(size, np.exp(log_strength) * scale)
        mean, variance = _swap_moments(times / n, up, n)
        if variance <= 1e-12 * n**3:
            return bool(float(mean > limit) >= power)
        return bool(special.ndtr((mean - limit) / np.sqrt(variance)) >= power)

    if not enough(_STRENGTHS):
        return np.inf
    strength = bisected(enough, -_STRENGTHS, _STRENGTHS, steps=_HALVINGS)
    return mean_under(sizes, float(np.exp(strength)) * scale)


def _swap_moments(share: FloatArray, up: FloatArray, n: int) -> tuple[float, float]:
    """Mean and variance of W⁺ for sizes with these shares, rising, and chances to be positive."""
    plus, minus = share * up, share * (1 - up)
    below, losing = np.cumsum(plus) - plus, np.cumsum(minus) - minus
    # P(z + z' > 0) + ½P(z + z' = 0) for a positive z of each size, and for a negative one.
    with_plus = plus.sum() + losing + minus / 2
    with_minus = plus.sum() - below - plus + plus / 2
    p1, p2 = float(plus.sum()), float(plus @ with_plus + minus @ with_minus)
    level = float(2 * np.sum(plus * minus))  # pairs that cancel count a half
    single = float(plus @ with_plus**2 + minus @ with_minus**2) - p2**2
    double = p2 - level / 4 - p2**2
    both = float(plus @ with_plus) - p1 * p2
    mean = n * p1 + n * (n - 1) / 2 * p2
    variance = n * p1 * (1 - p1) + n * (n - 1) / 2 * double
    return mean, variance + n * (n - 1) * (n - 2) * max(single, 0.0) + 2 * n * (n - 1) * both


def _chances(z: FloatArray, shift: float) -> tuple[float, float, float]:
    """p₁, p₂ and p₃ of sorted differences moved by a shift."""
    n = z.shape[0]
    above = n - np.searchsorted(z, -z - 2 * shift, side="right")
    own = z + shift > 0  # z_i + z_i is no pair
    others = (above - own) / (n - 1)
    both = float(np.mean(others * (above - own - 1) / max(n - 2, 1)))
    return float(np.mean(own)), float(np.mean(others)), both


def _normal_chances(effect: float) -> tuple[float, float, float]:
    """p₁, p₂ and p₃ of normal differences."""
    from scipy import special

    x, weight = _hermite()
    third = float(weight @ special.ndtr(x + 2 * effect) ** 2)
    return float(special.ndtr(effect)), float(special.ndtr(np.sqrt(2) * effect)), third


def _limit(units: int, tail: float) -> float:
    """Where between two values of W⁺ the rejection begins; infinity where no value is extreme enough."""
    from scipy import special

    if units > MOST_EXACT:
        centre = units * (units + 1) / 4
        return float(centre - special.ndtri(tail) * np.sqrt(centre * (2 * units + 1) / 6))
    reached = np.flatnonzero(_null_tails(units) <= tail)
    return float(reached[0]) - 0.5 if reached.size else np.inf


def _reaches(units: int, chances: tuple[float, float, float], limit: float) -> float:
    """P(W⁺ > limit) by the beta distribution with the mean and variance of W⁺."""
    from scipy import special

    most = units * (units + 1) / 2
    if limit >= most:
        return 0.0
    mean, variance = _moments(units, *chances)
    share, spread = mean / most, variance / most**2
    if spread <= 0 or share <= 0 or share >= 1:
        return float(mean > limit)
    size = max(share * (1 - share) / spread - 1, 1e-9)
    # At enormous effects the share of what is missing underflows: then W⁺ is at its end.
    tail = special.betaincc(max(size * share, 1e-300), max(size * (1 - share), 1e-300), limit / most)
    return float(tail)


def _moments(units: int, p1: float, p2: float, p3: float) -> tuple[float, float]:
    """Mean and variance of W⁺."""
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
