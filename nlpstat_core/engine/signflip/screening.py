"""Which nodes of the contour count: φ is proved negligible at the others."""

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.signflip.moduli import squared_moduli, squared_sech
from nlpstat_core.engine.signflip.rows import counted
from nlpstat_core.engine.signflip.tilting import Tilted
from nlpstat_core.stopping import stop_if_asked

# Fewer nodes than these are evaluated as they are.
FEWEST_NODES = 40
# The inequality of the means proves nothing for fewer weights; of those, factors themselves are multiplied.
MANY_WEIGHTS = 128
BINS_PER_NODE = 16
BINS_AT_ONCE = 1 << 18
WEIGHTS_AT_ONCE = 1 << 11


def nodes_that_count(
    weights: FloatArray, tilted: Tilted, spacing: FloatArray, nodes: FloatArray, slack: float
) -> FloatArray:
    """How many of the first nodes have to be evaluated, for all later ones are proved negligible.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tilted: Tilts of the pairs.
    spacing, nodes (ndarray, shape (n_pairs,)): Distance of neighbouring nodes, and how many there are.
    slack: Minus log of what is negligible relative to the probability.
    Returns ndarray, shape (n_pairs,): At most `nodes`.
    """
    last = nodes.copy()
    if weights.shape[1] == 0:
        return last
    wanted = (nodes > FEWEST_NODES) & np.isfinite(nodes)
    many = counted(weights) >= MANY_WEIGHTS
    allowed = -2.0 * (slack + tilted.loss)
    last[wanted & many] = _by_the_means(weights, tilted.tau, spacing, nodes, allowed, wanted & many)
    last[wanted & ~many] = _by_factors(weights, tilted.tau, spacing, nodes, allowed, wanted & ~many)
    return last


def _by_the_means(
    weights: FloatArray,
    tau: FloatArray,
    spacing: FloatArray,
    nodes: FloatArray,
    allowed: FloatArray,
    wanted: BoolArray,
) -> IntArray:
    """One more than the last node at which the mean of the factors lets |φ|² be above e^allowed.

    By the inequality of the means |φ(y)|² = Π(1 − c_i(1 − cos 2yw_i)/2) ≤ (1 − (A − G(y))/2n)^n with
    c_i = sech²(τw_i), G(y) = Σ c_i cos 2yw_i and A = Σ c_i. One real FFT gives G at all nodes: at the k-th a
    cosine has turned k·place/bins times, so weights go to the two bins beside their place, in proportion,
    which moves it by (2πk/bins)²/8 at most. How many bins depends on a pair's own nodes.
    """
    pairs = np.flatnonzero(wanted)
    last = np.zeros(wanted.shape, dtype=np.intp)
    bins_of = BINS_PER_NODE << np.ceil(np.log2(nodes[pairs])).astype(np.int64)
    for bins in np.unique(bins_of).tolist():
        same, size = pairs[bins_of == bins], max(1, BINS_AT_ONCE // bins)
        k = np.arange(bins // BINS_PER_NODE)
        moved = (2.0 * np.pi * k / bins) ** 2 / 8.0
        for start in range(0, same.size, size):
            stop_if_asked()
            part = same[start : start + size]
            own = weights[part]
            share = squared_sech(tau[part], own)
            share[own == 0.0] = 0.0
            turn = own * (spacing[part, None] * (bins / np.pi))
            place = np.floor(turn)
            beyond = (turn - place) * share
            share -= beyond
            row, place = bins * np.arange(part.size)[:, None], place.astype(np.int64)
            table = np.bincount((row + (place & (bins - 1))).ravel(), share.ravel(), bins * part.size)
            table += np.bincount((row + (place + 1 & (bins - 1))).ravel(), beyond.ravel(), bins * part.size)
            share += beyond
            wave = rfft(table.reshape(part.size, bins), axis=1).real[:, : k.size]
            total, n = share.sum(axis=1)[:, None], np.count_nonzero(own, axis=1)[:, None]
            largest = total * (1.0 - moved) + 2.0 * n * np.expm1(allowed[part, None] / n)
            above = (wave > largest) & (k < nodes[part, None])
            last[part] = np.where(above, k + 1, 0).max(axis=1)
    return last[wanted]


def _by_factors(
    weights: FloatArray,
    tau: FloatArray,
    spacing: FloatArray,
    nodes: FloatArray,
    allowed: FloatArray,
    wanted: BoolArray,
) -> IntArray:
    """One more than the last node at which |φ|² = Π(1 − sech²(τw)·sin²(yw)) is not below e^allowed."""
    rows = np.flatnonzero(wanted)
    rows = rows[np.argsort(nodes[rows], kind="stable")]
    last: NDArray[np.intp] = np.zeros(wanted.shape, dtype=np.intp)
    weights = weights[:, -MANY_WEIGHTS:]  # none of these pairs has more above 0
    size = max(1, WEIGHTS_AT_ONCE // weights.shape[1])
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        origin, below = np.zeros(part.size), np.exp(allowed[part])
        for first, square in squared_moduli(
            weights[part], tau[part], origin, spacing[part], int(nodes[part].max())
        ):
            k = first + np.arange(square.shape[0])[:, None]
            above = (square >= below) & (k < nodes[part])
            last[part] = np.maximum(last[part], np.where(above, k + 1, 0).max(axis=0))
    return last[wanted]
