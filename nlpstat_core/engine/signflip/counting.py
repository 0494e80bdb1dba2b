"""Counting subset sums of whole-number weights one weight after the other."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

MOST_WEIGHTS = 1000
# A sum in a list costs about as much as so many entries of a table.
ENTRIES_PER_SUM = 30
# Weights below it are added to a kept copy of the table: slice by slice would be too many slices.
SHORT_SLICE = 1024


def log_at_most_counted(weights: FloatArray, limits: IntArray) -> FloatArray:
    """log P(flipped sum ≤ limit) for several limits at once.

    weights (ndarray, shape (n_weights,)): Whole numbers above 0, at most 1000 of them (their subsets are
        counted in float64).
    limits (ndarray of int64, shape (n_limits,)): At most the sum of the weights.
    Returns ndarray, shape (n_limits,): Minus infinity where the limit is negative.

    The flipped sum is Σ b_i w_i with fair coins b_i. Of the largest weights few subsets stay within the
    limit, and are listed; those of the others are counted by their sums, in ascending order, so that the
    table grows only as far as the sum reached. All terms are positive and nothing is tilted: with 400,000
    entries the relative rounding error is some 1e-14. Cost O(n_weights · largest limit).
    """
    top = max(0, int(limits.max()))
    ordered = np.sort(weights)
    small, listed = _largest_listed(ordered[ordered <= top], top)
    within = np.cumsum(subsets_by_sum(small, top))
    rests = [limit - listed[listed <= limit] for limit in np.maximum(limits, 0).tolist()]
    subsets = np.array([within[rest.astype(np.int64)].sum() for rest in rests])
    # At most 1,000 weights: 2^(−n) does not underflow, and its logarithm would cost digits.
    return np.where(limits < 0, -np.inf, np.log(np.ldexp(subsets, -weights.size)))


def _largest_listed(weights: FloatArray, top: int) -> tuple[FloatArray, FloatArray]:
    """The weights left to a table, and the subset sums up to `top` of the others, ascending.

    weights: Ascending, at most `top` each.
    """
    reached = np.minimum(np.cumsum(weights), top)
    sums, left = np.zeros(1), weights.size
    while left:
        weight = weights[left - 1]
        within = sums[: np.searchsorted(sums, top - weight, side="right")]
        if ENTRIES_PER_SUM * (sums.size + within.size) > reached[left - 1]:
            break
        # Two sorted runs: the stable sort merges them in linear time.
        sums = np.sort(np.concatenate([sums, within + weight]), kind="stable")
        left -= 1
    return weights[:left], sums


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
        if weight < SHORT_SLICE:
            shifted = spare[: reached + 1 - weight]
            np.copyto(shifted, table[: reached + 1 - weight])
            table[weight : reached + 1] += shifted
            continue
        # From the top down slices as long as the weight don't overlap the ones they are made of.
        for end in range(reached + 1, weight, -weight):
            begin = max(weight, end - weight)
            table[begin:end] += table[begin - weight : end - weight]
    return table
