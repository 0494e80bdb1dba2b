"""Small planes: all swaps counted, unit by unit or one by one, in positive arithmetic."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.count_statistics.swaps import Swaps, sheared
from nlpstat_core.stopping import stop_if_asked

SWAPS_AT_ONCE = 1 << 18


def counting_cost(swaps: Swaps) -> float:
    """Additions that `log_tail_counted` would take."""
    steps, _ = sheared(swaps.steps, swaps.counts)
    extent = 1.0 + np.abs(steps).T.astype(float) @ swaps.counts
    return swaps.units * float(np.prod(extent)) / 3.0


def log_tail_counted(swaps: Swaps, strict: bool) -> float:
    """log P(difference ≥ observed) by counting how many swaps lead to each point of the plane.

    swaps: The walk; at most 1,000 units.
    strict: Whether ties with the observed difference are left out.
    Returns: Minus infinity if no swap qualifies.

    A unit whose step goes backwards along the first axis counts as swapped at the outset and swapped back
    with probability ½, so the table only grows. All terms are positive: the relative rounding error is at
    most n·1.1e-16. Cost O(units · points of the plane).
    """
    steps, multiple = sheared(swaps.steps, swaps.counts)
    backwards = (steps[:, 0] < 0) | ((steps[:, 0] == 0) & (steps[:, 1] < 0))
    origin = (steps * swaps.counts[:, None].astype(np.int64))[backwards].sum(axis=0)
    forward = np.where(backwards[:, None], -steps, steps)
    order = np.argsort(np.abs(forward).sum(axis=1), kind="stable")
    each = np.repeat(forward[order], swaps.counts[order].astype(np.int64), axis=0)
    below = int(np.minimum(each[:, 1], 0).sum())
    table = np.zeros((int(each[:, 0].sum()) + 1, int(np.maximum(each[:, 1], 0).sum()) - below + 1))
    table[0, -below] = 1.0
    first, low, high = 1, -below, -below + 1
    for across, along in each.tolist():
        stop_if_asked()
        after_low, after_high = low + min(along, 0), high + max(along, 0)
        table[across : first + across, low + along : high + along] += table[:first, low:high].copy()
        first, low, high = first + across, after_low, after_high
    hits = np.arange(table.shape[0])[:, None] + origin[0]
    misses = np.arange(table.shape[1])[None, :] + below + origin[1] - multiple * hits
    occupied = table > 0.0
    inside = occupied & swaps.reached(hits.astype(float), misses.astype(float), strict)
    count = float(table[inside].sum())
    return math.log(math.ldexp(count, -swaps.units)) if count > 0.0 else -math.inf


def log_tail_enumerated(swaps: Swaps, strict: bool) -> float:
    """log P(difference ≥ observed) by trying every swap of few units.

    swaps: The walk; up to 24 units take about a second.
    strict: Whether ties with the observed difference are left out.
    Returns: Minus infinity if no swap qualifies.
    """
    each = np.repeat(swaps.steps, swaps.counts.astype(np.int64), axis=0)
    half = each.shape[0] // 2
    small, large = _all_sums(each[:half]), _all_sums(each[half:])
    rows = max(1, SWAPS_AT_ONCE // small.shape[0])
    count = 0
    for start in range(0, large.shape[0], rows):
        stop_if_asked()
        part = large[start : start + rows, None, :] + small
        count += int(np.count_nonzero(swaps.reached(part[..., 0], part[..., 1], strict)))
    return math.log(math.ldexp(count, -swaps.units)) if count else -math.inf


def _all_sums(steps: IntArray) -> FloatArray:
    sums = np.zeros((1, 2))
    for step in steps:
        sums = np.concatenate([sums, sums + step])
    return sums
