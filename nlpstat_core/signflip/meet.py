"""Meet in the middle: every signed sum of each half, sorted and counted against the other half."""

from __future__ import annotations

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.signflip.outcome import LOG_2

BLOCK = 1 << 18


def log_at_most_enumerated(weights: FloatArray, limit: float) -> float:
    """log P(flipped sum ≤ limit) by counting all subsets.

    Parameters
    ----------
    weights : ndarray, shape (n_weights,)
        Any positive weights; 44 of them take about a second and 150 MB.
    limit : float
        A value no subset sum is near: the caller has moved it off by the tie tolerance.

    Returns
    -------
    float
        Exact up to one rounding; minus infinity if no subset qualifies.

    Notes
    -----
    Cost O(2^(n/2)) time and memory: the sums of each half are built by merging, then each sum of one half
    finds by bisection how many of the other stay within the limit.
    """
    ordered = np.sort(weights)
    small, large = _subset_sums(ordered[::2]), _subset_sums(ordered[1::2])
    count = 0
    for start in range(0, small.size, BLOCK):
        count += int(np.searchsorted(large, limit - small[start : start + BLOCK], side="right").sum())
    return math.log(count) - weights.size * LOG_2 if count else -math.inf


def _subset_sums(weights: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for weight in weights.tolist():
        # Two sorted runs: the stable sort merges them in linear time.
        sums = np.sort(np.concatenate([sums, sums + weight]), kind="stable")
    return sums
