"""Which of two is larger, for all pairs of systems: what the statistics of order are made of."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray


def pairs_of(n: int) -> tuple[IntArray, IntArray]:
    """Positions of both sides of every pair of n systems, in the order of itertools.combinations."""
    left, right = np.triu_indices(n, 1)
    return left.astype(np.int64), right.astype(np.int64)


def order_of(scores: FloatArray) -> FloatArray:
    """Sign of every pair's difference.

    scores (float array, shape (..., n_systems)): NaN where missing.
    Returns float array, shape (..., n_pairs): −1, 0 or +1; NaN where one of the two is missing. Differences
        within 1e-12 of the larger score are ties: they are the rounding of sums.
    """
    left, right = pairs_of(scores.shape[-1])
    a, b = scores[..., left], scores[..., right]
    difference = a - b
    dust = np.abs(difference) <= 1e-12 * np.maximum(np.abs(a), np.abs(b))
    found: FloatArray = np.where(dust, 0.0, np.sign(difference))
    return found


def kendall_of_orders(x: FloatArray, y: FloatArray) -> FloatArray:
    """τ-b along the last axis from the signs of pairs.

    x, y (float arrays, broadcastable, shape (..., n_pairs)): NaN where a pair is missing on that side.
    Returns float array, shape (...): NaN where every pair ties on one side.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    a, b = np.where(known, x, 0.0), np.where(known, y, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.sum(a * b, axis=-1) / np.sqrt(np.sum(a * a, axis=-1) * np.sum(b * b, axis=-1))
    return found


def rank_sums(order: FloatArray, n: int) -> FloatArray:
    """Twice the centred average ranks of systems, from the signs of their pairs.

    order (float array, shape (..., n_pairs)): From `order_of`; NaN counts as no pair.
    n: Systems.
    Returns float array, shape (..., n).
    """
    left, right = pairs_of(n)
    design = np.zeros((left.size, n))
    design[np.arange(left.size), left] = 1.0
    design[np.arange(left.size), right] = -1.0
    found: FloatArray = np.nan_to_num(order) @ design
    return found
