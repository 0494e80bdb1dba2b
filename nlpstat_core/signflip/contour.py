"""Real-valued weights: the tail by one contour integral along the saddlepoint, all pairs together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.signflip.tilting import Tilted, tilt, window

SLACK = 34.0
REACH = 36.0
GAPS = 4.4 * np.pi
SMALL_SAMPLE = 100
SMALL_SAMPLE_ERROR = 1e-6
ROUNDING_ERROR = 1e-12
MOST_NODES = 4096
ELEMENTS_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class _Plan:
    """Nodes of φ for each pair: k·spacing up to `reach`; those beyond `proven` vanish."""

    spacing: FloatArray
    reach: FloatArray
    proven: FloatArray


def log_tails_by_contour(
    weights: FloatArray, t: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """log P(T ≥ t) of many pairs by the contour integral, with honest error estimates.

    Parameters
    ----------
    weights : ndarray, shape (n_pairs, n_weights)
        0 or more, sorted ascending in each row (zeros stand for absent weights).
    t : ndarray, shape (n_pairs,)
        Observed sums, 0 or more and below the sum of the weights.
    step : ndarray, shape (n_pairs,)
        Distance of neighbouring values of T where they form a lattice, else 0.

    Returns
    -------
    log_tail, error : ndarray, shape (n_pairs,)
        The error is relative, and infinite where the contour can't serve.

    Notes
    -----
    P(T ≥ t) = (1/2πi)∫ exp(K(s) − st)·kernel(s) ds along s = τ + iy with kernel step/(1 − e^(−step·s)),
    in the limit 1/s without a lattice (there it is the mid-p of an atom at t). The trapezoidal rule runs to
    Y = 36/sd of the tilted sum, and where fewer than half of the weights differ to at least 4.4π over the
    median gap between neighbouring weights, because φ comes back where weights nearly form a lattice.

    The error is the largest of 10·|I(Y) − I(Y/2)|/I, max|φ| over [Y/2, Y]/(πI), and 1e-6 below 100 weights.
    Nodes at which φ is proved negligible are not evaluated: |sin x| ≥ 2x/π up to π/2 gives
    |φ(y)| ≤ exp(−(2/π²)·y²·V) with V the tilted variance of the weights up to π/2y.

    Cost O(n_pairs · n_weights · nodes), about 30 to 120 nodes.
    """
    log_tail, error = np.full(t.shape, -np.inf), np.full(t.shape, np.inf)
    rows = max(1, ELEMENTS_AT_ONCE // max(weights.shape[1], 1))
    tilted = tilt(weights, np.ones(weights.shape[1]), t)
    plan = _plan(weights, t, tilted)
    nodes = np.floor(np.minimum(plan.proven, plan.reach) / plan.spacing) + 1
    order = np.argsort(nodes, kind="stable")
    order = order[nodes[order] <= MOST_NODES]
    for start in range(0, order.size, rows):
        part = order[start : start + rows]
        most = int(nodes[part].max())
        phi = _characteristic(weights[part], t[part], tilted.shrink[part], plan.spacing[part], most)
        log_tail[part], error[part] = _integral(phi, tilted, plan, step, part)
    few = np.sum(weights > 0.0, axis=1) < SMALL_SAMPLE
    return log_tail, np.where(few, np.maximum(error, SMALL_SAMPLE_ERROR), error)


def _plan(weights: FloatArray, t: FloatArray, tilted: Tilted) -> _Plan:
    sd = np.sqrt(tilted.variance)
    reach = np.maximum(REACH / sd, GAPS / _median_gap(weights))
    spacing = 2.0 * np.pi / window(tilted, t, SLACK)
    sech2 = 4.0 * tilted.shrink / (1.0 + tilted.shrink) ** 2
    cumulated = np.cumsum(weights * weights * sech2, axis=1)
    proven = np.full(t.shape, np.inf)
    upper = reach
    # Each stage proves the stretch [lower, upper] with the weights up to π/2·upper, then goes on below it.
    for _ in range(6):
        inside = np.sum(weights <= (np.pi / 2.0 / upper)[:, None], axis=1)
        variance = np.where(inside > 0, cumulated[np.arange(t.size), np.maximum(inside - 1, 0)], 0.0)
        with np.errstate(divide="ignore"):
            lower = np.sqrt((SLACK + tilted.peak - tilted.rough_log_p) * np.pi**2 / 2.0 / variance)
        better = lower < upper
        proven = np.where(better, lower, proven)
        upper = np.where(better, np.maximum(lower, upper * 0.6), upper)
        if not np.any(better):
            break
    return _Plan(spacing, reach, proven)


def _median_gap(weights: FloatArray) -> FloatArray:
    """Median gap between distinct weights where fewer than half of them are distinct, else infinite."""
    gaps = np.diff(weights, axis=1)
    present = weights > 0.0
    fresh = (gaps > 0.0) & present[:, :-1]
    distinct = fresh.sum(axis=1) + 1
    median = np.full(weights.shape[0], np.inf)
    for row in np.flatnonzero((2 * distinct < present.sum(axis=1)) & (distinct > 1)):
        median[row] = np.median(gaps[row][fresh[row]])
    return median


def _characteristic(
    weights: FloatArray, t: FloatArray, shrink: FloatArray, spacing: FloatArray, nodes: int
) -> NDArray[np.complex128]:
    """φ(kh)·exp(−ikht) at nodes k = 0, 1, …, shape (nodes, n_pairs).

    A factor is e^(iyw)·(stay + leave·e^(−2iyw)) with tilted probabilities stay and leave of each sign: the
    first parts multiply to one angle per pair, and from node to node leave·e^(−2iyw) only turns.
    """
    stay = 1.0 / (1.0 + shrink)
    turning = (shrink * stay).astype(np.complex128)
    turn = np.exp(-2j * spacing[:, None] * weights)
    phi = np.empty((nodes, t.size), dtype=np.complex128)
    phi[0] = 1.0
    factor = np.empty_like(turning)
    for k in range(1, nodes):
        turning *= turn
        np.add(turning, stay, out=factor)
        phi[k] = _product(factor)
    phase = np.outer(np.arange(nodes), spacing * (weights.sum(axis=1) - t))
    return phi * np.exp(1j * phase)


def _product(factor: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Product along rows by halving, which multiplies whole arrays; overwrites its argument."""
    size = factor.shape[1]
    while size > 1:
        half = size // 2
        factor[:, :half] *= factor[:, size - half : size]
        size -= half
    return factor[:, 0].copy()


def _integral(
    phi: NDArray[np.complex128], tilted: Tilted, plan: _Plan, step: FloatArray, part: NDArray[np.intp]
) -> tuple[FloatArray, FloatArray]:
    """Sum the trapezoidal rule to Y and to Y/2, and estimate what was left out."""
    tau, spacing, reach = tilted.tau[part], plan.spacing[part], plan.reach[part]
    y = np.outer(np.arange(phi.shape[0]), spacing)
    s = tau + 1j * y
    lattice = step[part] > 0.0
    width = np.where(lattice, step[part], 1.0)
    kernel = np.where(lattice, width / -np.expm1(-width * s), 1.0 / s)
    inside = y <= np.minimum(reach, np.where(lattice, np.pi / width, np.inf))
    terms = np.where(inside, (phi * kernel).real, 0.0) * (spacing / np.pi)
    terms[0] *= 0.5
    whole = terms.sum(axis=0)
    half = np.where(y <= reach / 2.0, terms, 0.0).sum(axis=0)
    outer = np.where((y >= reach / 2.0) & (y <= reach), np.abs(phi), 0.0).max(axis=0)
    good = whole > 0.0
    value = np.where(good, whole, 1.0)
    error = np.maximum(10.0 * np.abs(whole - half) / value, outer / (np.pi * value)) + ROUNDING_ERROR
    return np.where(good, tilted.peak[part] + np.log(value), -np.inf), np.where(good, error, np.inf)
