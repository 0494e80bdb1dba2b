"""p of every pair of a board of several tracks by its places: the same signs for all pairs."""

import math
from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK, signs_of_chunk
from nlpstat_core.engine.swaps.counted import MOST_COUNTED, TIE, counted_tail
from nlpstat_core.engine.swaps.order import Gain, Worth, gain, swapped_order, tie_limits
from nlpstat_core.stopping import stop_if_asked

STREAM = "rank-tracks-swaps"
# Sums of all systems under draws that are looked at together (80 MB): where a pair's leads are looked up on
# a grid, it is made anew for each part of the draws.
_MOST_SUMS = 10_485_760


def swapped_tails(
    tracks: Sequence[FloatArray],
    groups: Sequence[IntArray],
    weights: FloatArray,
    worth: Worth,
    left: IntArray,
    right: IntArray,
    *,
    draws: int,
    seed: int,
) -> tuple[FloatArray, FloatArray]:
    """p of every pair, and its relative standard error: all swaps counted where few items differ, else drawn.

    tracks (float arrays, shape (n_items, n_systems)): Scores, all there; higher is better.
    groups (int arrays, shape (n_items,)): Number of each item's sign, over all tracks.

    A pair's lead under a swap is Σ s·u − Σ s·v, so that one product of signs and scores a track serves all
    pairs. Tilted draws are no help: places are steps, and draws aimed at a large shift miss most swaps that
    count. Cost O(B·(n·S + T·S²·log S)).
    """
    p, error = np.ones(left.size), np.zeros(left.size)
    owns, sums = zip(*map(_group_sums, tracks, groups), strict=True)
    ties = tie_limits(tracks)
    drawn = np.ones(left.size, dtype=bool)
    for row, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        if _few_differ(owns, sums, a, b, ties):
            pair = swapped_order(tracks, groups, weights, a, b, worth)
            if pair.moved.size <= MOST_COUNTED:
                p[row], drawn[row] = math.exp(counted_tail(pair, pair.observed, "two-sided").log_p), False
    rows = np.flatnonzero(drawn)
    if rows.size:
        totals = [values.sum(axis=0) for values in tracks]
        gains = [_gains(totals, weights, ties, worth, int(left[row]), int(right[row])) for row in rows]
        hits = _hits(owns, sums, gains, left[rows], right[rows], draws, seed)
        p[rows] = (1 + hits) / (1 + draws)
        error[rows] = np.sqrt((1 - p[rows]) / p[rows] / draws)
    return p, error


def _group_sums(values: FloatArray, groups: IntArray) -> tuple[IntArray, FloatArray]:
    """The groups of a track, and every system's sum in each; what an item adds to all changes no lead."""
    own, place = np.unique(groups, return_inverse=True)
    rests = values - values.mean(axis=1, keepdims=True)
    if own.size == groups.size:
        return own, np.asarray(rests[np.argsort(place)])
    sums = np.zeros((own.size, values.shape[1]))
    np.add.at(sums, place, rests)
    return own, sums


def _few_differ(
    owns: Sequence[IntArray], sums: Sequence[FloatArray], a: int, b: int, ties: FloatArray
) -> bool:
    """Whether two systems differ in so few groups that every swap can be counted."""
    differ: set[int] = set()
    for own, values, tie in zip(owns, sums, ties, strict=True):
        found = np.flatnonzero(np.abs(values[:, a] - values[:, b]) > tie)
        if found.size > MOST_COUNTED:
            return False
        differ.update(own[found].tolist())
    return len(differ) <= MOST_COUNTED


def _gains(
    totals: Sequence[FloatArray], weights: FloatArray, ties: FloatArray, worth: Worth, a: int, b: int
) -> list[Gain]:
    """What a pair's leads are worth, by track, from the sums of all systems in each."""
    others = np.ones(totals[0].size, dtype=bool)
    others[[a, b]] = False
    return [
        gain((sums[a] + sums[b]) / 2, sums[others], weight, tie, worth)
        for sums, weight, tie in zip(totals, weights.tolist(), ties.tolist(), strict=True)
    ]


def _hits(
    owns: Sequence[IntArray],
    sums: Sequence[FloatArray],
    gains: Sequence[Sequence[Gain]],
    left: IntArray,
    right: IntArray,
    draws: int,
    seed: int,
) -> IntArray:
    """In how many draws each pair's difference is as large as observed."""
    n_groups = 1 + max(int(own.max()) for own in owns)
    seen = np.stack([values.sum(axis=0) for values in sums])
    leads = (seen[:, left] - seen[:, right]).T
    least = [
        abs(sum(float(one.at(lead)) for one, lead in zip(of_pair, own, strict=True))) - TIE
        for of_pair, own in zip(gains, leads, strict=True)
    ]
    hits = np.zeros(left.size, dtype=np.int64)
    at_once = CHUNK * max(8, _MOST_SUMS // (seen.size * CHUNK))
    for start in range(0, draws, at_once):
        end = min(start + at_once, draws)
        swapped = np.empty((len(sums), sums[0].shape[1], end - start))
        for first in range(start, end, CHUNK):
            which = slice(first, min(first + CHUNK, end))
            signs = np.concatenate([piece for _, piece in signs_of_chunk(which, n_groups, seed, STREAM)])
            for track, (own, values) in enumerate(zip(owns, sums, strict=True)):
                swapped[track, :, which.start - start : which.stop - start] = values.T @ signs[own]
        for row, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            stop_if_asked()
            difference = np.zeros(end - start)
            for track, one in enumerate(gains[row]):
                difference += one.at(swapped[track, a] - swapped[track, b])
            hits[row] += np.count_nonzero(np.abs(difference) >= least[row])
    return hits
