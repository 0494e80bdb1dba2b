"""Signed ranks of bootstrap resamples of one pair, from how often each unit was drawn."""

import numpy as np

from nlpstat_core.arrays import FloatArray


class ResampledRanks:
    """Rank statistics of resamples of one pair's differences; sorted once, then only counted.

    z (float array, shape (n_units,)): Differences on the scores' grid.
    """

    def __init__(self, z: FloatArray) -> None:
        self.units = np.flatnonzero(z)
        self.units = self.units[np.argsort(np.abs(z[self.units]), kind="stable")]
        self.positive = (z[self.units] > 0).astype(float)
        opens = np.diff(np.abs(z[self.units]), prepend=-1.0) > 0
        self.starts = np.flatnonzero(opens)
        group = np.cumsum(opens) - 1
        self.first = self.starts[group]
        self.last = np.append(self.starts[1:], self.units.size)[group] - 1

    def _reached(self, counts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Draws of every unit, and how many were drawn up to the end of and before its tie group."""
        drawn = np.take(counts, self.units, axis=1)
        reached = np.cumsum(drawn, axis=1)
        before = reached - drawn
        if self.starts.size < self.units.size:
            reached, before = np.take(reached, self.last, axis=1), np.take(before, self.first, axis=1)
        return drawn, reached, before

    def _w_plus(self, drawn: FloatArray, reached: FloatArray, before: FloatArray) -> FloatArray:
        """Sum of the midranks of the positive differences of every resample."""
        result: FloatArray = np.einsum("ij,ij,j->i", reached + before + 1, drawn, self.positive) / 2
        return result

    def rank_biserial(self, counts: FloatArray) -> FloatArray:
        """(W⁺ − W⁻)/(W⁺ + W⁻) of every resample.

        counts (float array, shape (k, n_units)): How often each unit was drawn.
        Returns float array, shape (k,): NaN for a resample of ties only.
        """
        drawn, reached, before = self._reached(counts)
        w_plus, n = self._w_plus(drawn, reached, before), reached[:, -1]
        return np.where(n > 0, 4 * w_plus / np.maximum(n * (n + 1), 1) - 1, np.nan)
