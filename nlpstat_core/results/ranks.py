"""Ranks over resamples or posterior draws."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class RankDistribution:
    """Ranks of all systems over bootstrap resamples.

    systems: Names, in column order.
    shares (float array, shape (n_systems, n_systems)): Entry (i, r): share of the resamples in which system i
        has rank r + 1; rows sum to 1, and so do columns unless systems fall into groups that no unit
        connects.
    resampled ({"units", "blocks"}): What was drawn with replacement.
    runs: Whether the runs of every system were drawn too.
    """

    systems: tuple[str, ...]
    shares: FloatArray
    resamples: int
    resampled: str
    runs: bool = False

    @property
    def best(self) -> FloatArray:
        """Share of the resamples in which each system is the best one; not a p-value, shape (n_systems,)."""
        return self.shares[:, 0]

    @property
    def mean_rank(self) -> FloatArray:
        """Mean rank over the resamples, 1 for the best, shape (n_systems,)."""
        result: FloatArray = self.shares @ np.arange(1.0, self.shares.shape[0] + 1)
        return result

    def middle(self, share: float) -> IntArray:
        """Ranks between which each system lies in the middle part of the resamples.

        share: Of the resamples, in (0, 1): equal parts of the others may lie above and below.
        Returns int array, shape (n_systems, 2): Lowest and highest rank; a percentile interval of the rank,
            not corrected for many systems.
        """
        below = np.cumsum(self.shares, axis=1)
        tail = (1 - share) / 2
        ends = [(below < limit - ROUNDING).sum(axis=1) + 1 for limit in (tail, 1 - tail)]
        result: IntArray = np.minimum(np.stack(ends, axis=-1), self.shares.shape[0]).astype(np.int64)
        return result
