"""The noncentral t distribution for many values at once, without the gaps of the usual series."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.stopping import stop_if_asked

_NODES = 80
# Of Gauss's rule for the density itself, and up to how many spreads of it Φ(t·s − δ) may reach: the error
# falls as (steepness²/2)^nodes.
_GAUSS_NODES = 16
_FLAT = 0.3
_OUTSIDE = 1e-18
_FAR = 9.0
# Values solved together: their nodes stay in the processor's cache.
_AT_ONCE = 512
# From this many spreads of √(χ²/df) on, Φ(t·s − δ) is too steep for the nodes in s.
_STEEP = 2.0
_STEPS = 200
_Nodes = Callable[[float], tuple[FloatArray, FloatArray]]
_Integral = Callable[[FloatArray, float, FloatArray], tuple[FloatArray, FloatArray]]


def noncentral_t_cdf(t: FloatArray, df: float, noncentrality: FloatArray) -> FloatArray:
    """P(T ≤ t) for T = (Z + δ)/√(χ²/df).

    t (float array, shape (k,)): At least 0; P(T ≤ −t; δ) is 1 − P(T ≤ t; −δ).
    df: Degrees of freedom, above 0.
    noncentrality (float array, shape (k,)): δ, any size.
    Returns float array, shape (k,): About twelve digits absolute.

    Moderate t: ∫ Φ(t·s − δ) f(s) ds over the density f of s = √(χ²/df). Large t, where that integrand is a
    step: ∫ φ(z)·P(s ≥ (z + δ)/t) dz. Gauss–Legendre with 80 nodes; all values share df and so the nodes.
    Small t, where Φ(t·s − δ) hardly bends within the density: 16 nodes of Gauss's rule for f itself.
    """
    result = np.empty(t.shape)
    for chosen, integral in _by_steepness(t, df):
        result[chosen] = integral(t[chosen], df, noncentrality[chosen])[0]
    return result


def noncentrality_at(t: FloatArray, df: float, probability: float) -> FloatArray:
    """The noncentrality δ for which P(T ≤ t) is the given probability.

    t (float array, shape (k,)): At least 0.
    probability: In (0, 1).
    Returns float array, shape (k,).

    Newton's method on the normal quantile of P(T ≤ t), which is almost linear in δ, kept inside a bracket
    that the definition gives: about four steps.
    """
    result = np.empty(t.shape)
    for chosen, integral in _by_steepness(t, df):
        positions = np.flatnonzero(chosen)
        for start in range(0, positions.size, _AT_ONCE):
            stop_if_asked()
            part = positions[start : start + _AT_ONCE]
            result[part] = _solve(t[part], df, probability, integral)
    return result


def _solve(t: FloatArray, df: float, probability: float, integral: _Integral) -> FloatArray:
    from scipy import special

    target = special.ndtri(probability)
    spread = np.sqrt(1 + t**2 / (2 * df))
    low, high = np.full(t.shape, -target - 1e-9), t * _scale_range(df)[1] + _FAR
    delta, found = np.clip(t - target * spread, low, high), np.zeros(t.shape, dtype=bool)
    for _ in range(_STEPS):
        cdf, slope = integral(t, df, delta)
        low, high = np.where(cdf >= probability, delta, low), np.where(cdf < probability, delta, high)
        at = special.ndtri(np.clip(cdf, 1e-300, 1 - 1e-16))
        step = (at - target) * np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi) / np.maximum(slope, 1e-300)
        newton = delta + step
        inside = (newton >= low) & (newton <= high)
        moved = np.where(inside, newton, (low + high) / 2) - delta
        delta = np.where(found, delta, delta + moved)  # no step more because of the others
        found |= np.abs(moved) <= 1e-12 * spread
        if found.all():
            break
    return delta


def _by_steepness(t: FloatArray, df: float) -> list[tuple[BoolArray, _Integral]]:
    """The integral that serves each value, by how much Φ(t·s − δ) bends within the density of s."""
    steepness = t / np.sqrt(2 * df)
    flat, steep = steepness <= _FLAT, steepness > _STEEP
    return [(flat, _over_few_scales), (~flat & ~steep, _over_scale), (steep, _over_normal)]


def _over_few_scales(t: FloatArray, df: float, delta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`_over_scale` with the few nodes that small t need."""
    return _over_scale(t, df, delta, _gauss_nodes)


def _over_scale(
    t: FloatArray, df: float, delta: FloatArray, nodes: _Nodes | None = None
) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and −dP/dδ as integrals over s = √(χ²/df)."""
    from scipy import special

    s, weight = (nodes or _scale_nodes)(df)
    argument = t[:, None] * s - delta[:, None]
    density = _summed(np.exp(-(argument**2) / 2), weight) / np.sqrt(2 * np.pi)
    return _summed(special.ndtr(argument), weight), density


def _over_normal(t: FloatArray, df: float, delta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and −dP/dδ as integrals over the normal numerator."""
    from scipy import special

    low = np.maximum(-delta, -_FAR)
    x, weight = _legendre()
    half = np.maximum(_FAR - low, 0.0) / 2
    z = low[:, None] + half[:, None] * (x + 1)
    y = np.maximum((z + delta[:, None]) / t[:, None], 0.0)
    tail = special.gammaincc(df / 2, df * y**2 / 2)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    cdf = special.ndtr(low) + half * _summed(tail * density, weight)
    slope = half * _summed(np.exp(_log_scale_density(y, df)) * density, weight) / t
    return cdf, slope


def _summed(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Weighted sums of rows, each with the same digits whatever rows stand beside it, as `@` has them not."""
    found: FloatArray = np.einsum("ij,j->i", values, weight)
    return found


def _log_scale_density(s: FloatArray, df: float) -> FloatArray:
    """Logarithm of the density of √(χ²/df)."""
    from scipy import special

    with np.errstate(divide="ignore"):
        log_s = np.log(s) if df != 1 else np.zeros(s.shape)
    constant = np.log(2) + df / 2 * np.log(df / 2) - special.gammaln(df / 2)
    result: FloatArray = constant + (df - 1) * log_s - df * s**2 / 2
    return result


@lru_cache(maxsize=8)
def _scale_range(df: float) -> tuple[float, float]:
    """Between which values √(χ²/df) practically lies."""
    from scipy import special

    low = np.sqrt(2 * special.gammaincinv(df / 2, _OUTSIDE) / df)
    high = np.sqrt(2 * special.gammainccinv(df / 2, _OUTSIDE) / df)
    return float(low), float(high)


@lru_cache(maxsize=8)
def _scale_nodes(df: float) -> tuple[FloatArray, FloatArray]:
    """Nodes in s and their weights times the density, scaled to total 1."""
    low, high = _scale_range(df)
    x, weight = _legendre()
    s = low + (high - low) / 2 * (x + 1)
    mass = weight * (high - low) / 2 * np.exp(_log_scale_density(s, df))
    return s, mass / mass.sum()


@lru_cache(maxsize=8)
def _gauss_nodes(df: float) -> tuple[FloatArray, FloatArray]:
    """Gauss's nodes and weights for the density of √(χ²/df), by Stieltjes' recurrence on the finer nodes."""
    s, mass = _scale_nodes(df)
    middle = float(s @ mass)
    x = s - middle
    diagonal, beside = np.empty(_GAUSS_NODES), np.empty(_GAUSS_NODES)
    before, now = np.zeros(x.shape), np.ones(x.shape)
    for k in range(_GAUSS_NODES):
        diagonal[k] = float((x * now * now) @ mass)
        after = (x - diagonal[k]) * now - (beside[k - 1] * before if k else 0.0)
        beside[k] = np.sqrt(float((after * after) @ mass))
        before, now = now, after / beside[k]
    matrix = np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1)
    place, vectors = np.linalg.eigh(matrix)
    return place + middle, vectors[0] ** 2


@lru_cache(maxsize=1)
def _legendre() -> tuple[FloatArray, FloatArray]:
    x, weight = np.polynomial.legendre.leggauss(_NODES)
    return x, weight
