"""Meet in the middle: all subset sums of each half of the weights, matched with those of the other."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.outcome import LOG_2
from nlpstat_core.stopping import stop_if_asked

BLOCK = 1 << 18
MOST_WEIGHTS = 1000


def bits_to_try(counts: FloatArray) -> float:
    """Base-2 logarithm of the number of different subsets, equal weights being interchangeable.

    counts (ndarray, shape (n_values,)): How often each weight occurs.
    Returns: The number of weights when all differ; infinite above 1,000 weights, where subset counts
        overflow.
    """
    return float(np.sum(np.log2(counts + 1.0))) if float(counts.sum()) <= MOST_WEIGHTS else math.inf


def log_at_most_enumerated(values: FloatArray, counts: FloatArray, limit: float) -> float:
    """log P(flipped sum ≤ limit) by counting all subsets.

    values, counts (ndarray, shape (n_values,)): Any distinct positive weights and how often each occurs; 44
        bits to try take about half a second.
    limit: A value no subset sum is near: the caller has moved it off by the tie tolerance.
    Returns: Minus infinity if no subset qualifies.

    A few distinct weights may occur often: m equal ones have m + 1 sums, with binomial numbers of subsets.
    Each sum of one half finds by bisection how many subsets of the other stay within the limit. All terms
    are positive. Cost O(2^(bits/2)) time and memory.
    """
    order = np.argsort(-counts, kind="stable")
    # Alternating between the halves in the order of multiplicity makes them about equally large.
    small = _subset_sums(values[order[::2]], counts[order[::2]])
    large = _subset_sums(values[order[1::2]], counts[order[1::2]])
    total = _matched(small, large, limit)
    return math.log(math.ldexp(total, -int(counts.sum()))) if total > 0.0 else -math.inf


def log_at_most_listed(values: FloatArray, counts: FloatArray, limit: float, most: int) -> float | None:
    """log P(flipped sum ≤ limit) by counting the subsets within the limit, where they are few.

    values, counts (ndarray, shape (n_values,)): Distinct positive weights, ascending, and how often each
        occurs.
    limit: A value no subset sum is near.
    most: Longest list kept of the subsets of one half of the weights.
    Returns: None when a list would grow longer.

    Far out in the tail nearly all weights keep their sign, and only sums within the limit can be part of a
    subset that counts: of 170 weights with p = 1e-42 the lists hold some 10⁵ sums each. Weights are taken
    from the largest down, so that the lists grow long at the end only. All terms are positive.
    """
    halves = []
    for first in (0, 1):
        listed = _sums_within(values[first::2][::-1], counts[first::2][::-1], limit, most)
        if listed is None:
            return None
        halves.append(listed)
    total = _matched(halves[0], halves[1], limit)
    return math.log(total) - float(counts.sum()) * LOG_2 if total > 0.0 else -math.inf


def _matched(
    small: tuple[FloatArray, FloatArray], large: tuple[FloatArray, FloatArray], limit: float
) -> float:
    """How many pairs of a subset of each half stay within the limit."""
    within = np.concatenate([[0.0], np.cumsum(large[1])])
    total = 0.0
    for start in range(0, small[0].size, BLOCK):
        stop_if_asked()
        part = slice(start, start + BLOCK)
        found = np.searchsorted(large[0], limit - small[0][part], side="right")
        total += float(np.sum(small[1][part] * within[found]))
    return total


def _sums_within(
    values: FloatArray, counts: FloatArray, limit: float, most: int
) -> tuple[FloatArray, FloatArray] | None:
    """Sorted subset sums up to the limit and the number of subsets behind each; None where they are many."""
    sums, ways = np.zeros(1), np.ones(1)
    once = bool(np.all(counts == 1.0))
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        times = range(min(int(count), math.floor(limit / value)) + 1)
        copies = [sums[: np.searchsorted(sums, limit - value * k, side="right")] + value * k for k in times]
        if sum(copy.size for copy in copies) > most:
            return None
        # Sorted runs one after the other: the stable sort merges them in linear time.
        sums = np.concatenate(copies)
        if once:
            sums.sort(kind="stable")
            continue
        row = _binomial_row(int(count))
        order = np.argsort(sums, kind="stable")
        ways = np.concatenate([ways[: copy.size] * row[k] for k, copy in zip(times, copies, strict=True)])
        sums, ways = sums[order], ways[order]
    return sums, np.ones(sums.size) if once else ways


def _subset_sums(values: FloatArray, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sorted subset sums and the number of subsets behind each."""
    sums, ways = np.zeros(1), np.ones(1)
    if np.all(counts == 1.0):
        for value in values.tolist():
            sums = np.concatenate([sums, sums + value])
        return np.sort(sums), np.ones(sums.size)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        sums = (sums[:, None] + value * np.arange(count + 1.0)).ravel()
        ways = (ways[:, None] * _binomial_row(int(count))).ravel()
    order = np.argsort(sums)
    return sums[order], ways[order]


def _binomial_row(n: int) -> FloatArray:
    """C(n, 0) to C(n, n), each correctly rounded (floating-point formulas lose three digits at n = 300)."""
    row = [1]
    for k in range(n):
        row.append(row[-1] * (n - k) // (k + 1))
    return np.array([float(ways) for ways in row])
