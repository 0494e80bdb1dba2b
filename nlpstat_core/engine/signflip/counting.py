"""Counting subset sums of whole-number weights one weight after the other."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

MOST_WEIGHTS = 1000
# From this weight on the table is added to in place, slice by slice; below, the slices would be too many.
LONG_SLICE = 4096


def log_at_most_counted(weights: FloatArray, limits: IntArray) -> FloatArray:
    """log P(flipped sum ≤ limit) for several limits at once.

    weights (ndarray, shape (n_weights,)): Whole numbers above 0, at most 1000 of them (their subsets are
        counted in float64).
    limits (ndarray of int64, shape (n_limits,)): At most the sum of the weights.
    Returns ndarray, shape (n_limits,): Minus infinity where the limit is negative.

    The flipped sum is Σ b_i w_i with fair coins b_i. All terms are positive, so the relative rounding error
    is at most n·1.1e-16 and nothing is tilted. Weights are taken in ascending order, so the table grows
    only as far as the sum reached. Cost O(n_weights · largest limit).
    """
    table = subsets_by_sum(weights, max(0, int(limits.max())))
    subsets = np.array([table[: limit + 1].sum() for limit in np.maximum(limits, 0).tolist()])
    # At most 1,000 weights: 2^(−n) does not underflow, and its logarithm would cost digits.
    return np.where(limits < 0, -np.inf, np.log(np.ldexp(subsets, -weights.size)))


def subsets_by_sum(weights: FloatArray, top: int) -> FloatArray:
    """How many subsets have which sum, from 0 to `top`.

    weights (ndarray, shape (n_weights,)): Whole numbers above 0, at most 1000 of them up to `top`.
    Returns ndarray, shape (top + 1,).
    """
    table = np.zeros(top + 1)
    table[0] = 1.0
    # A slice added to an overlapping one makes numpy allocate; a kept copy is twice as fast.
    spare = np.empty(top + 1)
    reached = 0
    for weight in np.sort(weights).astype(np.int64).tolist():
        if weight > top:
            break
        reached = min(reached + weight, top)
        if weight < LONG_SLICE:
            shifted = spare[: reached + 1 - weight]
            np.copyto(shifted, table[: reached + 1 - weight])
            table[weight : reached + 1] += shifted
            continue
        # From the top down, slices no longer than the weight don't overlap those that are added to them.
        for end in range(reached + 1, weight, -weight):
            begin = max(weight, end - weight)
            table[begin:end] += table[begin - weight : end - weight]
    return table
