"""Whole-number weights: the tilted characteristic function on exactly the nodes that count."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.fft import next_fast_len, rfft

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.signflip.tilting import Tilted, tilt, window

SLACK = 39.0
NEGLIGIBLE = -39.0
MOST_NODES = 1 << 22
MOST_FACTORS = 20_000_000
FACTORS_AT_ONCE = 1 << 18


def log_at_most_lattice(
    values: IntArray, counts: FloatArray, limit: int, most_products: float
) -> tuple[float, float] | None:
    """log P(flipped sum ≤ limit) for whole-number weights, with its relative error.

    Parameters
    ----------
    values : ndarray of int64, shape (n_values,)
        Distinct weights above 0 with greatest common divisor 1.
    counts : ndarray, shape (n_values,)
        How often each occurs.
    limit : int
        From 0 to half the total.
    most_products : float
        Largest number of distinct weights times nodes.

    Returns
    -------
    (log_p, error) or None
        None when too many nodes would have to be evaluated, or rounding would show.

    Notes
    -----
    With T = total − 2·(flipped sum) and t = total − 2·limit,
    P(T ≥ t) = (1/2πi)∫ exp(K(s) − st)·2/(1 − e^(−2s)) ds over one period |Im s| ≤ π/2 of s = τ + iy, by the
    trapezoidal rule with N nodes, which is exact but for wrapping (see `tilting.window`).

    Most of the N nodes are proved negligible without evaluating them: with c_i = sech²(τw_i), the geometric
    mean of the |φ| factors is at most their arithmetic mean, so
    |φ(y)|² ≤ (1 − (Σc_i − Σc_i cos 2yw_i)/2n)^n, and one real FFT of the weights' histogram, wrapped at N,
    gives that bound at all nodes. Cost O(N log N + n_values · remaining nodes).
    """
    total = float(np.dot(values, counts))
    t = np.array([total - 2.0 * limit])
    tilted = tilt(values[None, :].astype(float), counts, t)
    nodes = _node_count(tilted, t, limit)
    if nodes > MOST_NODES or values.size * float(nodes) > most_products:
        return None
    tau, shrink = float(tilted.tau[0]), tilted.shrink[0]
    weight = 4.0 * shrink / (1.0 + shrink) ** 2
    bound = _log_bounds(values, counts, weight, nodes)
    pole = -math.expm1(-2.0 * tau)
    spread = math.log1p(3.0 * tau * math.sqrt(float(tilted.variance[0])))
    keep = np.flatnonzero(bound > NEGLIGIBLE - spread + math.log(pole))
    if keep.size * values.size > MOST_FACTORS:
        return None
    size, angle = _characteristic(values, counts, tilted, keep, nodes)
    angle -= np.pi / nodes * ((keep * int(t[0])) % (2 * nodes))
    y = np.pi / nodes * keep
    terms = np.exp(size) * np.exp(1j * angle) / (1.0 - math.exp(-2.0 * tau) * np.exp(-2j * y))
    twice = np.where((keep == 0) | (2 * keep == nodes), 1.0, 2.0)
    share = float(np.sum(twice * terms.real)) / nodes
    if share <= 0.0:
        return None
    log_p = float(tilted.peak[0]) + math.log(share)
    rounding = 1e-16 * (
        10.0 + abs(float(tilted.peak[0])) + float(np.sum(twice * np.abs(terms))) / nodes / share
    )
    wrapped = math.exp(min(-2.0 * tau * nodes - log_p, 0.0))
    return (log_p, rounding + wrapped) if rounding + wrapped < 1e-11 else None


def _node_count(tilted: Tilted, t: FloatArray, limit: int) -> int:
    """Nodes on one period: the window in lattice steps, or the whole support on the right if that is less."""
    rough = float(tilted.rough_log_p[0])
    left = (SLACK - rough) / (2.0 * float(tilted.tau[0]))
    right = min(float(window(tilted, t, SLACK)[0]) / 2.0, limit + 1.0)
    wanted = math.ceil(max(left, right)) + 1
    return int(next_fast_len(wanted, real=True)) if wanted <= MOST_NODES else wanted


def _log_bounds(values: IntArray, counts: FloatArray, weight: FloatArray, nodes: int) -> FloatArray:
    """Upper bounds of log|φ| at nodes 0 to nodes // 2, by the inequality of the means."""
    mass = counts * weight
    histogram = np.bincount(values % nodes, weights=mass, minlength=nodes)
    lost = (float(mass.sum()) - rfft(histogram).real) / (2.0 * float(counts.sum()))
    return 0.5 * float(counts.sum()) * np.log1p(-np.clip(lost, 0.0, 1.0 - 1e-16))


def _characteristic(
    values: IntArray, counts: FloatArray, tilted: Tilted, keep: NDArray[np.intp], nodes: int
) -> tuple[FloatArray, FloatArray]:
    """log|φ| and the angle of φ at the nodes kept, from angles reduced exactly in whole numbers."""
    shrink = tilted.shrink[0]
    slope = (1.0 - shrink) / (1.0 + shrink)
    weight = 4.0 * shrink / (1.0 + shrink) ** 2
    size, angle = np.empty(keep.size), np.empty(keep.size)
    rows = max(1, FACTORS_AT_ONCE // values.size)
    for start in range(0, keep.size, rows):
        part = slice(start, start + rows)
        turn = np.pi / nodes * ((keep[part, None] * values) % (2 * nodes))
        sine = np.sin(turn)
        with np.errstate(divide="ignore"):
            size[part] = 0.5 * np.log1p(-np.minimum(weight * sine * sine, 1.0)) @ counts
        angle[part] = np.arctan2(slope * sine, np.cos(turn)) @ counts
    return size, angle
