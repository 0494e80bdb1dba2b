"""Meet in the middle: all subset sums of each half of the weights, matched with those of the other."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.outcome import LOG_2
from nlpstat_core.stopping import stop_if_asked

MOST_WEIGHTS = 1000
# All lists together may be so many times as long as the longest.
MOST_MERGED = 4.0


def bits_to_try(counts: FloatArray) -> float:
    """Base-2 logarithm of the number of different subsets, equal weights being interchangeable.

    counts (ndarray, shape (n_values,)): How often each weight occurs.
    Returns: The number of weights when all differ; infinite above 1,000 weights, where subset counts
        overflow.
    """
    return float(np.sum(np.log2(counts + 1.0))) if float(counts.sum()) <= MOST_WEIGHTS else math.inf


class _Sums(NamedTuple):
    """Sorted subset sums, and the number of subsets behind each; None where that is one."""

    sums: FloatArray
    ways: FloatArray | None


def log_at_most_enumerated(values: FloatArray, counts: FloatArray, limit: float) -> float:
    """log P(flipped sum ≤ limit) by counting all subsets that stay within it.

    values, counts (ndarray, shape (n_values,)): Any distinct positive weights and how often each occurs; 44
        bits to try take about a quarter of a second.
    limit: A value no subset sum is near: the caller has moved it off by the tie tolerance.
    Returns: Minus infinity if no subset qualifies.

    A few distinct weights may occur often: m equal ones have m + 1 sums, with binomial numbers of subsets.
    The sums of one half meet those of the other in the order of their sizes, which tells how many stay within
    the limit. All terms are positive. Cost O(2^(bits/2)) time and memory.
    """
    listed = log_at_most_listed(values, counts, limit)
    assert listed is not None  # no list was too long
    return listed


def log_at_most_listed(
    values: FloatArray, counts: FloatArray, limit: float, most: float = math.inf
) -> float | None:
    """`log_at_most_enumerated`, unless a list of subsets of half of the weights grows too long.

    most: Longest list.
    Returns: None when a list would grow longer.

    Far out in the tail nearly all weights keep their sign, and only sums within the limit can be part of a
    subset that counts: of 170 weights with p = 1e-42 the lists hold some 10⁵ sums each.
    """
    if limit < 0.0:
        return -math.inf
    halves = []
    # Alternating between the halves in the order of multiplicity makes them about equally large.
    order = np.argsort(-counts, kind="stable")
    for half in (order[::2], order[1::2]):
        # The largest last makes two runs that hardly overlap, which merge fast; where few sums are within
        # the limit, the largest first, so that the lists grow long at the end only.
        half = half[np.argsort(values[half] if math.isinf(most) else -values[half])]
        listed = _sums_within(values[half], counts[half], limit, most)
        if listed is None:
            return None
        halves.append(listed)
    total = _matched(halves[0], halves[1], limit)
    return math.log(total) - float(counts.sum()) * LOG_2 if total > 0.0 else -math.inf


def _matched(small: _Sums, large: _Sums, limit: float) -> float:
    """How many pairs of a subset of each half stay within the limit."""
    stop_if_asked()
    room = limit - small.sums[::-1]
    # Two sorted runs: the stable sort merges them in linear time, a sum before the room it just fits into.
    order = np.argsort(np.concatenate([large.sums, room]), kind="stable")
    is_room = order >= large.sums.size
    if small.ways is None and large.ways is None:
        # A room at place i is the j-th one and has i − j sums before it.
        places = np.dot(is_room.astype(np.float64), np.arange(order.size, dtype=np.float64))
        return float(places) - room.size * (room.size - 1) / 2
    fitting = np.cumsum(~is_room)[is_room]
    within = fitting if large.ways is None else np.append(0.0, np.cumsum(large.ways))[fitting]
    return float(within.sum() if small.ways is None else np.dot(small.ways[::-1], within))


def _sums_within(values: FloatArray, counts: FloatArray, limit: float, most: float) -> _Sums | None:
    """Sorted subset sums up to the limit; None where they are many."""
    sums, ways, work = np.zeros(1), np.ones(1), 0
    once = bool(np.all(counts == 1.0))
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        shifts = value * np.arange(min(int(count), math.floor(limit / value)) + 1.0)
        sizes = np.searchsorted(sums, limit - shifts, side="right").tolist()
        work += sum(sizes)
        if sum(sizes) > most or work > MOST_MERGED * most:
            return None
        # Sorted runs one after the other, merged again.
        sums = np.concatenate([sums[:size] + shift for size, shift in zip(sizes, shifts, strict=True)])
        if once:
            sums.sort(kind="stable")
            continue
        order = np.argsort(sums, kind="stable")
        row = _binomial_row(int(count), shifts.size)
        ways = np.concatenate([ways[:size] * choices for size, choices in zip(sizes, row, strict=True)])
        sums, ways = sums[order], ways[order]
    return _Sums(sums, None if once else ways)


def _binomial_row(n: int, entries: int) -> FloatArray:
    """C(n, 0), C(n, 1) …, each correctly rounded (floating-point formulas lose three digits at n = 300).

    entries: So many of them: of more than 1,000 equal weights the middle ones overflow, and only those are
        asked for that few subsets within a limit have.
    """
    row = [1]
    for k in range(entries - 1):
        row.append(row[-1] * (n - k) // (k + 1))
    return np.array([float(ways) for ways in row])
