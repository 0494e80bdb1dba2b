"""Counting subset sums of whole-number weights one weight after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

MOST_WEIGHTS = 1000
# From this weight on the table is added to in place, slice by slice; below, the slices would be too many.
LONG_SLICE = 8192
# What a look into the table costs, in steps of counting.
STEPS_PER_LOOK = 60.0


def log_at_most_counted(weights: FloatArray, limits: IntArray) -> FloatArray:
    """log P(flipped sum ≤ limit) for several limits at once.

    weights (ndarray, shape (n_weights,)): Whole numbers above 0, at most 1000 of them (their subsets are
        counted in float64).
    limits (ndarray of int64, shape (n_limits,)): At most the sum of the weights.
    Returns ndarray, shape (n_limits,): Minus infinity where the limit is negative.

    The flipped sum is Σ b_i w_i with fair coins b_i. All terms are positive, so the relative rounding error
    is at most n·1.1e-16 and nothing is tilted. Weights are taken in ascending order, so the table grows
    only as far as the sum reached, and each subset of the largest ones looks up what it leaves to the
    others. Cost O(n_weights · largest limit).
    """
    top = max(0, int(limits.max()))
    ordered = np.sort(weights)
    largest = np.zeros(1, dtype=np.int64)
    rest = ordered.size
    # One more of the largest weights doubles the looks, and leaves one less to be added to the table.
    while rest > 0 and 2 * largest.size * limits.size * STEPS_PER_LOOK < top:
        rest -= 1
        more = largest + int(ordered[rest])
        largest = np.concatenate([largest, more[more <= top]])
    table = subsets_by_sum(ordered[:rest], top)
    np.cumsum(table, out=table)
    left = limits[:, None] - largest
    subsets = np.where(left >= 0, table[np.maximum(left, 0)], 0.0).sum(axis=1)
    log_shares = np.full(limits.shape, -np.inf)
    # At most 1,000 weights: 2^(−n) does not underflow, and its logarithm would cost digits.
    log_shares[limits >= 0] = np.log(np.ldexp(subsets[limits >= 0], -weights.size))
    return log_shares


def subsets_by_sum(weights: FloatArray, top: int) -> FloatArray:
    """How many subsets have which sum, from 0 to `top`.

    weights (ndarray, shape (n_weights,)): Whole numbers above 0, at most 1000 of them up to `top`.
    Returns ndarray, shape (top + 1,).
    """
    return Subsets.none(top).with_more(np.sort(weights)).table


@dataclass(frozen=True)
class Subsets:
    """How many subsets of the weights so far have which sum.

    table (ndarray, shape (top + 1,)): By sum.
    reached: Above this sum there is none.
    """

    table: FloatArray
    reached: int

    @classmethod
    def none(cls, top: int) -> Subsets:
        """The one subset of no weights."""
        table = np.zeros(top + 1)
        table[0] = 1.0
        return cls(table, 0)

    def with_more(self, weights: FloatArray) -> Subsets:
        """Those of more weights, ascending whole numbers above 0; overwrites the table."""
        table, reached, top = self.table, self.reached, self.table.size - 1
        other = np.zeros(top + 1)
        for weight in weights.astype(np.int64).tolist():
            if weight > top:
                break
            reached = min(reached + weight, top)
            if weight < LONG_SLICE:
                grown = slice(weight, reached + 1)
                np.add(table[grown], table[: reached + 1 - weight], out=other[grown])
                other[:weight] = table[:weight]
                table, other = other, table
                continue
            # From the top down, slices no longer than the weight don't overlap those that are added to them.
            for end in range(reached + 1, weight, -weight):
                begin = max(weight, end - weight)
                table[begin:end] += table[begin - weight : end - weight]
        return Subsets(table, reached)
