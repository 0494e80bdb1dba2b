"""Every score of each system, whether other systems have the unit or not: independent samples."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import ROUNDING, FloatArray, IntArray
from nlpstat_core.engine.columns.contributions import Contributions, contributions
from nlpstat_core.scores.counts import Counts

# Below this share of the largest score (or of what was added up) a deviation is rounding.
_DUST, _LINEAR_DUST = 1e-14, 1e-13


@dataclass(frozen=True, eq=False)
class Sides:
    """What a test of independent samples needs of every system; arrays have shape (n_systems,).

    n: Units.
    score: Mean, or micro-averaged score of counts; NaN without units.
    variance: Of the units (ddof 1): variance/n is the squared standard error of the score. NaN below two
        units.
    largest: Largest size of a number that the score is the mean of.
    squares, cubes: Sums of squares and cubes of what each unit adds to the score's deviation.
    """

    n: FloatArray
    score: FloatArray
    variance: FloatArray
    largest: FloatArray
    squares: FloatArray
    cubes: FloatArray

    def gap(self, left: IntArray, right: IntArray) -> FloatArray:
        """Differences of scores; exactly 0 where they are no more than the rounding of the scores."""
        gap: FloatArray = self.score[left] - self.score[right]
        rounding = ROUNDING * np.maximum(self.largest[left], self.largest[right])
        return np.where(np.abs(gap) <= rounding, 0.0, gap)


@dataclass(frozen=True, eq=False)
class OwnScores:
    """The scores of one board as independent samples, shared by all its batches.

    values (float array, shape (n_units, n_systems)): NaN where missing.
    counts: Counts that the scores are made of.
    resampled: Resampled statistics of single systems that several batches need; lives as long as the
        analysis.
    """

    values: FloatArray
    counts: Counts | None = None
    resampled: dict[tuple[int, int, int, str], tuple[FloatArray, FloatArray]] = field(default_factory=dict)

    @cached_property
    def contributions(self) -> Contributions:
        """What each unit a system has adds to its score; systems are rows."""
        return contributions(self.values, self.counts)

    @cached_property
    def of_units(self) -> Sides:
        """Means of the units' own scores."""
        there = ~np.isnan(self.values)
        known = np.where(there, self.values, 0.0)
        n = there.sum(axis=0).astype(float)
        mean = known.sum(axis=0) / np.where(n > 0, n, np.nan)
        centred = np.where(there, known - mean, 0.0)
        largest = np.max(np.abs(known), axis=0, initial=0.0)
        centred[np.abs(centred) <= _DUST * largest] = 0.0
        squares = np.sum(centred**2, axis=0)
        variance = squares / np.where(n > 1, n - 1, np.nan)
        whole = np.where(n > 0, n, np.nan)
        return Sides(n, mean, variance, largest, squares / whole**2, np.sum(centred**3, axis=0) / whole**3)

    @cached_property
    def of_board(self) -> Sides:
        """Scores as the board shows them: of counts the micro-averaged ones, with linearised variances."""
        if self.counts is None:
            return self.of_units
        own = self.contributions
        n = own.n_units.astype(float)
        squares = np.sum(own.parts**2, axis=1)
        variance = squares * n**2 / np.where(n > 1, n - 1, np.nan)
        constant = variance <= (_LINEAR_DUST * own.magnitude) ** 2
        variance[constant], squares[constant] = 0.0, 0.0
        return Sides(n, own.score, variance, np.abs(own.score), squares, np.sum(own.parts**3, axis=1))

    def sample(self, system: int) -> FloatArray:
        """The scores that one system has.

        system: Its column.
        Returns float array, shape (n_units of the system,).
        """
        column = self.values[:, system]
        return column[~np.isnan(column)]
