"""Whole-number weights: the tilted characteristic function on exactly the nodes that count."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.fft import next_fast_len, rfft

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.signflip.tilting import WeightCumulants, left_window, tilt, window

SLACK = 39.0
NEGLIGIBLE = -39.0
MOST_NODES = 1 << 22
# In steps of counting, a tenth of a nanosecond: a node's share of the Fourier transform, a factor of φ.
STEPS_PER_NODE = 200.0
STEPS_PER_FACTOR = 400.0
# Nodes at which φ is not negligible for a Gaussian sum.
NODES_KEPT = 24.0
FACTORS_AT_ONCE = 1 << 18
LARGEST_ERROR = 1e-9
# Nodes that a Gaussian sum needs per standard deviation: the window holds 2·sqrt(2·SLACK)/2 of them.
WINDOW_PER_SD = 4.4


def log_at_most_lattice(
    values: IntArray, counts: FloatArray, limit: int, most_steps: float
) -> tuple[float, float] | None:
    """log P(flipped sum ≤ limit) for whole-number weights, with its relative error.

    values (ndarray of int64, shape (n_values,)): Distinct weights above 0 with greatest common divisor 1.
    counts (ndarray, shape (n_values,)): How often each occurs.
    limit: From 0 to half the total.
    most_steps: Most steps of a tenth of a nanosecond (see `inversion_steps`).
    Returns (log_p, error) or None: None when too many nodes would have to be evaluated, or rounding would
        show.

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
    weights = values[None, :].astype(np.float64)
    spread = (weights * weights * counts).sum(axis=1)
    tilted = tilt(WeightCumulants(weights, counts), spread, t)
    # Nothing lies farther to the right than the largest sum.
    width = np.minimum(window(tilted, t, SLACK), np.maximum(2.0 * limit + 2.0, left_window(tilted, SLACK)))
    wanted = math.ceil(float(width[0]) / 2.0) + 1
    if wanted > MOST_NODES or wanted * STEPS_PER_NODE > most_steps:
        return None
    nodes = int(next_fast_len(wanted, real=True))
    tau = float(tilted.tau[0])
    slope = np.tanh(tau * values)
    weight = 1.0 / np.cosh(np.minimum(tau * values, 350.0)) ** 2
    bound = _log_bounds(values, counts, weight, nodes)
    keep = np.flatnonzero(bound > NEGLIGIBLE - float(tilted.loss[0]) + math.log(-math.expm1(-2.0 * tau)))
    if keep.size * values.size * STEPS_PER_FACTOR > most_steps:
        return None
    size, angle = _characteristic(values, counts, slope, weight, keep, nodes)
    angle -= np.pi / nodes * ((keep * int(t[0])) % (2 * nodes))
    y = np.pi / nodes * keep
    terms = np.exp(size) * np.exp(1j * angle) / (1.0 - math.exp(-2.0 * tau) * np.exp(-2j * y))
    twice = np.where((keep == 0) | (2 * keep == nodes), 1.0, 2.0)
    share = float(np.sum(twice * terms.real)) / nodes
    if share <= 0.0:
        return None
    peak = float(tilted.peak[0])
    log_p = peak + math.log(share)
    cancelled = float(np.sum(twice * np.abs(terms))) / nodes / share
    rounding = 1e-15 * (1.0 + abs(peak)) + 1e-16 * cancelled
    wrapped = math.exp(min(-2.0 * tau * nodes - log_p, 0.0))
    return (log_p, rounding + wrapped) if rounding + wrapped < LARGEST_ERROR else None


def inversion_steps(distinct: FloatArray | int, spread: FloatArray | float) -> FloatArray | float:
    """What inversion costs at least, in steps of a tenth of a nanosecond; infinite beyond the most nodes.

    distinct: Number of distinct weights above 0.
    spread: Sum of the squares of all weights.
    """
    nodes = WINDOW_PER_SD * np.sqrt(spread)
    steps = nodes * STEPS_PER_NODE + NODES_KEPT * STEPS_PER_FACTOR * distinct
    return np.where(nodes <= MOST_NODES, steps, np.inf)


def _log_bounds(values: IntArray, counts: FloatArray, weight: FloatArray, nodes: int) -> FloatArray:
    """Upper bounds of log|φ| at nodes 0 to nodes // 2, by the inequality of the means."""
    mass = counts * weight
    histogram = np.bincount(values % nodes, weights=mass, minlength=nodes)
    lost = (float(mass.sum()) - rfft(histogram).real) / (2.0 * float(counts.sum()))
    return 0.5 * float(counts.sum()) * np.log1p(-np.clip(lost, 0.0, 1.0 - 1e-16))


def _characteristic(
    values: IntArray,
    counts: FloatArray,
    slope: FloatArray,
    weight: FloatArray,
    keep: NDArray[np.intp],
    nodes: int,
) -> tuple[FloatArray, FloatArray]:
    """log|φ| and the angle of φ at the nodes kept, from angles reduced exactly in whole numbers."""
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
