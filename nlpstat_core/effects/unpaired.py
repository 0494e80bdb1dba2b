"""Effect sizes of two independent samples: d and g with the pooled spread, Cliff's delta."""

from __future__ import annotations

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.distributions.noncentral_t import noncentrality_at
from nlpstat_core.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.pairs.outcomes import EffectColumns


def cohen_d_pooled(
    u: FloatArray, v: FloatArray, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> EffectColumns:
    """Difference of means in pooled standard deviations.

    Parameters
    ----------
    u, v : float arrays, shapes (n_u,) and (n_v,)
        Scores of two independent samples, metric points, no NaN.
    level : float
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    EffectColumns
        One value with its noncentral t interval; NaN below three units in all, an empty side, or no spread.

    Notes
    -----
    d = (ū − v̄)/s_p; t = d/√(1/n_u + 1/n_v) is noncentral t on n_u + n_v − 2 degrees of freedom. Cost O(n).

    References
    ----------
    Cohen (1988); Steiger and Fouladi (1997).
    """
    root, freedom = _scale(u, v)
    if freedom < 1 or not math.isfinite(root):
        return _one(math.nan, math.nan, math.nan, alternative)
    pooled = math.sqrt((np.sum((u - u.mean()) ** 2) + np.sum((v - v.mean()) ** 2)) / freedom)
    if pooled == 0:
        return _one(math.nan, math.nan, math.nan, alternative)
    d = float(u.mean() - v.mean()) / pooled
    mass, size = two_sided_mass(level, alternative), np.array([abs(d) / root])
    near = float(noncentrality_at(size, freedom, 1 - mass)[0]) * root
    far = float(noncentrality_at(size, freedom, mass)[0]) * root
    low, high = (-far, -near) if d < 0 else (near, far)
    return _one(d, low, high, alternative)


def hedges_g_pooled(
    u: FloatArray, v: FloatArray, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> EffectColumns:
    """Cohen's d with the pooled spread, freed of its bias in small samples.

    Parameters
    ----------
    u, v : float arrays, shapes (n_u,) and (n_v,)
    level : float
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    EffectColumns
        J times d and its interval; undefined with fewer than four units in all.

    Notes
    -----
    J = Γ(m/2)/(√(m/2)·Γ((m − 1)/2)), m = n_u + n_v − 2. Cost O(n).

    References
    ----------
    Hedges (1981), doi:10.3102/10769986006002107.
    """
    d = cohen_d_pooled(u, v, level=level, alternative=alternative)
    freedom = u.size + v.size - 2
    if freedom < 2 or d.interval is None:
        return _one(math.nan, math.nan, math.nan, alternative)
    log_j = math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2) - 0.5 * math.log(freedom / 2)
    return EffectColumns(value=math.exp(log_j) * d.value, interval=math.exp(log_j) * d.interval)


def cliffs_delta(
    u: FloatArray, v: FloatArray, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> EffectColumns:
    """Share of pairs of units in which u is larger, minus the share in which v is.

    Parameters
    ----------
    u, v : float arrays, shapes (n_u,) and (n_v,)
    level : float
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    EffectColumns
        In [−1, 1]; the interval is undefined below two units on a side and where no two pairs disagree.

    Notes
    -----
    δ = 2U/(n_u·n_v) − 1. Variance: Cliff's unbiased estimate from the dominances of every unit, at least
    (1 − δ²)/(n_u·n_v − 1); the limits, asymmetric so as to stay in [−1, 1], are (δ − δ³ ± q·s·√((1 − δ²)² +
    q²s²))/(1 − δ² + q²s²). Cost O(n·log n).

    References
    ----------
    Cliff (1993), doi:10.1037/0033-2909.114.3.494; Feng and Cliff (2004), doi:10.22237/jmasm/1099267620.
    """
    from scipy import special

    if not u.size or not v.size:
        return _one(math.nan, math.nan, math.nan, alternative)
    of_u, of_v = _dominance(u, v), -_dominance(v, u)
    delta = float(of_u.mean())
    n_u, n_v = u.size, v.size
    if min(n_u, n_v) < 2 or abs(delta) == 1:
        return _one(delta, math.nan, math.nan, alternative)
    spread_u, spread_v = float(np.sum((of_u - delta) ** 2)), float(np.sum((of_v - delta) ** 2))
    squares = float(_squares(u, v)) - n_u * n_v * delta**2
    variance = (n_v**2 * spread_u + n_u**2 * spread_v - squares) / (n_u * n_v * (n_u - 1) * (n_v - 1))
    variance = max(variance, (1 - delta**2) / (n_u * n_v - 1))
    reach = float(special.ndtri(1 - two_sided_mass(level, alternative))) ** 2 * variance
    middle, below = delta - delta**3, 1 - delta**2 + reach
    margin = math.sqrt(reach * ((1 - delta**2) ** 2 + reach))
    return _one(delta, (middle - margin) / below, (middle + margin) / below, alternative, -1.0, 1.0)


def _dominance(own: FloatArray, others: FloatArray) -> FloatArray:
    """For every own score: share of the others below it minus share above it."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, own, side="left")
    above = others.size - np.searchsorted(ordered, own, side="right")
    result: FloatArray = (below - above) / others.size
    return result


def _squares(u: FloatArray, v: FloatArray) -> int:
    """Pairs of units that don't tie."""
    ordered = np.sort(v)
    ties = np.searchsorted(ordered, u, side="right") - np.searchsorted(ordered, u, side="left")
    return int(u.size * v.size - ties.sum())


def _scale(u: FloatArray, v: FloatArray) -> tuple[float, int]:
    """√(1/n_u + 1/n_v), infinite for an empty side, and the degrees of freedom."""
    if not u.size or not v.size:
        return math.inf, 0
    return math.sqrt(1 / u.size + 1 / v.size), u.size + v.size - 2


def _one(
    value: float,
    low: float,
    high: float,
    alternative: Alternative,
    lowest: float = -np.inf,
    highest: float = np.inf,
) -> EffectColumns:
    interval = one_sided(np.array([low]), np.array([high]), alternative, lowest, highest)
    return EffectColumns(value=np.array([value]), interval=interval)
