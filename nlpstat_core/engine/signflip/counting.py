"""Counting subset sums of whole-number weights one weight after the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

MOST_WEIGHTS = 1000
# Entries of a table, of which two are held: a gigabyte.
MOST_ENTRIES = 1 << 26
# The subsets of so many weights are whole numbers below 2^53: they have the same digits however counted.
DIGITS_ALIKE = 53
# From this weight on the table is added to in place, slice by slice; below, the slices would be too many.
LONG_SLICE = 8192
# Of a longer table no running sums are made.
LONG_TABLE = 1 << 14
# In additions to a table: what an entry costs besides, a look into it, and a sum once tables are made.
ADDITIONS_PER_ENTRY, ADDITIONS_PER_LOOK, ADDITIONS_PER_SUM = 6.0, 200.0, 20.0
# In steps (a tenth of a nanosecond): an addition, and a weight besides its additions.
STEPS_PER_ADDITION, STEPS_PER_WEIGHT = 1.7, 15_000.0
# Of more limits one table tells all; for fewer two halves may be counted, and multiplied for each.
FEW_LIMITS = 4
SUMS_AT_ONCE = 1 << 14


def log_at_most_counted(weights: FloatArray, limits: IntArray, *, one_table: bool = False) -> FloatArray:
    """log P(flipped sum ≤ limit) for several limits at once.

    weights (ndarray, shape (n_weights,)): Whole numbers above 0, at most 1000 of them (their subsets are
        counted in float64).
    limits (ndarray of int64, shape (n_limits,)): At most the sum of the weights.
    one_table: Whether one table has all subsets, so that no limit's last digit depends on the other limits;
        else the cheapest way for these limits is taken.
    Returns ndarray, shape (n_limits,): Minus infinity where the limit is negative.

    The flipped sum is Σ b_i w_i with fair coins b_i. All terms are positive, so the relative rounding error
    is at most n·1.1e-16 and nothing is tilted. Weights are taken in ascending order, so a table grows only as
    far as the sum reached. Cost O(`steps_of_counting`).
    """
    top = max(0, int(limits.max()))
    ordered = np.sort(weights)
    if one_table:
        subsets = np.cumsum(subsets_by_sum(ordered, top))[np.maximum(limits, 0)]
        return _log_shares(subsets, limits, weights.size)
    of_one, of_halves = _additions(ordered, top, limits.size)
    halved = limits.size <= FEW_LIMITS and of_halves < of_one
    subsets = (_by_halves if halved else _by_one_table)(ordered, np.maximum(limits, 0), top)
    return _log_shares(subsets, limits, weights.size)


def counting_steps(
    number: IntArray | int, limit: FloatArray | float, total: FloatArray | float
) -> FloatArray:
    """What a few limits of `log_at_most_counted` cost at most, by sizes; infinite where it can't."""
    by_halves = number * (total / 4.0) + ADDITIONS_PER_SUM * limit
    additions = np.minimum(number * limit, by_halves)
    steps = additions * STEPS_PER_ADDITION + number * STEPS_PER_WEIGHT
    return np.where(np.asarray(number) <= MOST_WEIGHTS, steps, np.inf)


def steps_of_counting(ordered: FloatArray, limit: float) -> float:
    """What a limit of `log_at_most_counted` and the one below it cost; infinite where it can't.

    ordered (ndarray, shape (n_weights,)): Ascending, at most 1000 of them.
    """
    if limit >= MOST_ENTRIES:
        return math.inf
    return min(_additions(ordered, limit, 2)) * STEPS_PER_ADDITION + ordered.size * STEPS_PER_WEIGHT


def _additions(ordered: FloatArray, top: float, limits: int) -> tuple[float, float]:
    """Of one table up to a sum, and of two halves, multiplied; tables grow as far as their weights reach."""
    reached = np.cumsum(ordered)
    # Looks double as long as they cost less than the table is long (see `_by_one_table`).
    doubled = max(0, math.ceil(math.log2(max(1.0, top / (2.0 * limits * ADDITIONS_PER_LOOK)))))
    of_one = float(np.minimum(reached[: max(0, ordered.size - doubled)], top).sum())
    of_halves = float(np.minimum(reached, min(2.0 * top, reached[-1] / 2.0)).sum()) / 2.0
    return of_one + ADDITIONS_PER_ENTRY * top, of_halves + ADDITIONS_PER_SUM * top


def _log_shares(subsets: FloatArray, limits: IntArray, number: int) -> FloatArray:
    """Logarithm of so many of all subsets of a number of weights; no subset is below a negative limit."""
    shares = np.full(limits.shape, -np.inf)
    # At most 1,000 weights: 2^(−n) does not underflow, and its logarithm would cost digits.
    shares[limits >= 0] = np.log(np.ldexp(subsets[limits >= 0], -number))
    return shares


def _by_one_table(ordered: FloatArray, limits: IntArray, top: int) -> FloatArray:
    """Subsets up to each limit; every subset of the largest weights looks up what it leaves to the others."""
    largest = np.zeros(1, dtype=np.int64)
    rest = ordered.size
    # One more of the largest weights doubles the looks, and leaves one less to be added to the table.
    while rest > 0 and 2 * largest.size * limits.size * ADDITIONS_PER_LOOK < top:
        rest -= 1
        more = largest + int(ordered[rest])
        largest = np.concatenate([largest, more[more <= top]])
    table = subsets_by_sum(ordered[:rest], top)
    left = limits[:, None] - largest
    subsets: FloatArray = np.where(left >= 0, _up_to(table, np.maximum(left, 0)), 0.0).sum(axis=1)
    return subsets


def _up_to(table: FloatArray, sums: IntArray) -> FloatArray:
    """Subsets up to each of some sums, from a table by sum that may be overwritten."""
    if table.size < LONG_TABLE:
        return np.cumsum(table, out=table)[sums]
    # Running sums take fifteen times as long as sums between those that are asked for.
    asked, places = np.unique(sums, return_inverse=True)
    begins = np.concatenate([[0], asked[:-1] + 1])
    between = np.add.reduceat(table[: asked[-1] + 1], begins)
    return np.cumsum(between)[places].reshape(sums.shape)


def _by_halves(ordered: FloatArray, limits: IntArray, top: int) -> FloatArray:
    """Subsets up to each limit: what one half of the weights reaches leaves so much to the other.

    There are as many subsets of a sum as of what they leave, so half of each half's sums are counted.
    """
    first, second = _by_any_sum(ordered[::2], top), _up_to_any_sum(ordered[1::2], top)
    all_second = 2.0 ** (ordered.size // 2)
    return np.array([_in_both(limit, first, second, all_second) for limit in limits.tolist()])


def _by_any_sum(weights: FloatArray, top: int) -> FloatArray:
    """How many subsets have which sum, from 0 to `top` or that of all; ascending whole numbers above 0."""
    total = int(weights.sum())
    middle, last = min(top, total // 2), min(top, total)
    table = subsets_by_sum(weights, middle)
    return np.concatenate([table, table[total - last : total - middle][::-1]])


def _up_to_any_sum(weights: FloatArray, top: int) -> FloatArray:
    """How many subsets have at most which sum, from 0 to `top` or to one below that of all."""
    total = int(weights.sum())
    middle, last = min(top, total // 2), min(top, total - 1)
    up = subsets_by_sum(weights, middle)
    np.cumsum(up, out=up)
    return np.concatenate([up, 2.0**weights.size - up[total - last - 1 : total - middle - 1][::-1]])


def _in_both(limit: int, first: FloatArray, second: FloatArray, all_second: float) -> float:
    """Subsets of two halves up to a sum: by the sum of the first, and up to a sum of the second."""
    begin, end = max(limit - second.size + 1, 0), min(limit + 1, first.size)
    # Those of the first below `begin` leave enough for all of the second.
    both = float(first[:begin].sum()) * all_second
    for start in range(begin, end, SUMS_AT_ONCE):
        stop = min(start + SUMS_AT_ONCE, end)
        both += float((first[start:stop] * second[limit - stop + 1 : limit - start + 1][::-1]).sum())
    return both


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
