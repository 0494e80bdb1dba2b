"""Westfall and Young's step-down maxima: counts for every pair from one walk over the resamples."""

from copy import copy
from typing import Self

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

# Pairs whose maxima are followed together: so many, and more where that is a small share of all.
PAIRS_AT_ONCE, SHARE_AT_ONCE = 64, 256


class StepDown:
    """Counts how often the maximum over a pair and all less significant ones reaches the pair's statistic.

    observed (float array, shape (n_pairs,)): Statistics on one scale; large is extreme.
    tolerance (float array, shape (n_pairs,)): Distance at which a resampled statistic ties.
    included (bool array, shape (n_pairs,)): Pairs in the maximum; the others are never rejected (p = 1).
    order: Pairs in the maximum from the least to the most significant: the order in which `add` takes them.
    maxima (float array, shape (resamples,)): Running maxima over the pairs added so far.

    Source: Westfall and Young (1993), Resampling-Based Multiple Testing, algorithm 2.8.
    """

    def __init__(
        self, observed: FloatArray, tolerance: FloatArray, resamples: int, included: BoolArray
    ) -> None:
        members = np.flatnonzero(included)
        self.order: IntArray = members[np.argsort(observed[members], kind="stable")]
        self.maxima: FloatArray = np.full(resamples, -np.inf)
        self._least = (observed - tolerance)[self.order]
        self._counts: IntArray = np.zeros(self.order.shape[0], dtype=np.int64)
        self._n_pairs = observed.shape[0]

    def add(self, part: slice, which: slice, statistics: FloatArray) -> None:
        """Take the statistics of some pairs in some resamples.

        part: Positions in `order`; for every resample the parts must come in rising order, each once.
        which: Resamples.
        statistics (float array, shape (pairs in part, resamples in which)).
        """
        running, counts = self.maxima[which], np.empty(statistics.shape[0], dtype=np.int64)
        at_once = max(PAIRS_AT_ONCE, self.order.size // SHARE_AT_ONCE)
        for start in range(0, statistics.shape[0], at_once):
            some = slice(start, start + at_once)
            counts[some] = _reaching(running, statistics[some], self._least[part][some])
        self._counts[part.start : part.start + counts.size] += counts

    def of_some(self, resamples: int) -> Self:
        """The same pairs over other resamples, none of which has been added yet."""
        other = copy(self)
        other.maxima, other._counts = np.full(resamples, -np.inf), np.zeros_like(self._counts)
        return other

    def take(self, which: slice, other: Self) -> None:
        """Take what these pairs were over some of the resamples, of which nothing has been added here."""
        self.maxima[which] = other.maxima
        self._counts += other._counts

    def counts(self) -> IntArray:
        """Resamples at least as extreme, made monotone in the order of significance, shape (n_pairs,).

        Returns: For pairs outside the maximum the number of resamples.
        """
        counts: IntArray = np.full(self._n_pairs, self.maxima.shape[0], dtype=np.int64)
        counts[self.order[::-1]] = np.maximum.accumulate(self._counts[::-1])
        return counts


def _reaching(running: FloatArray, statistics: FloatArray, least: FloatArray) -> IntArray:
    """How many running maxima reach the least of each of some pairs; the maxima are those after them, then.

    Pairs next to each other are about as significant: nearly all maxima reach all of them already, or none
    with theirs; only those between are followed pair by pair.
    """
    after = np.maximum(running, statistics.max(axis=0))
    reach_all = running >= least.max()
    between = np.flatnonzero(~reach_all & (after >= least.min()))
    followed = np.column_stack([running[between], statistics[:, between].T])
    np.maximum.accumulate(followed, axis=1, out=followed)
    running[:] = after
    reaching: IntArray = np.count_nonzero(reach_all) + np.count_nonzero(followed[:, 1:] >= least, axis=0)
    return reaching
