"""Complete scores: the units that a group of pairs shares."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.columns.blocks import Blocks, blocks_of
from nlpstat_core.engine.columns.contributions import Contributions, contributions
from nlpstat_core.engine.columns.own_scores import OwnScores
from nlpstat_core.engine.columns.runs import UnitRuns
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.scores.counts import Counts

# Products of two columns cost so much less than counting what two columns don't share.
_PRODUCTS_OF_A_PAIR = 16
# Cells counted at a time: they stay in the processor's cache.
_CELLS = 65_536


@dataclass(frozen=True, eq=False)
class UnitBlock:
    """Complete scores: the units that a group of pairs shares.

    values (float array, shape (n_units, n_systems)): No missing cell in the columns that the group's pairs
        use.
    decimals: Decimals the scores were written with; a `Grid` where they are fractions.
    binary (bool array, shape (n_systems,)): Columns that hold only 0 and 1.
    rows (int array, shape (n_units,), or None): Row of each unit in the score matrix; `pairing.chunks` gives
        the units in canonical order.
    block_ids (int array, shape (n_units,), or None): Number of the block (document) of each unit.
    counts: Counts that the scores are made of, shape (n_units, n_systems).
    all_scores: Every score of each system, shared or not, for tests of independent samples; None means
        `values`.
    by_pair: Every pair has two columns of its own, over its own units: pairs that share as many units as each
        other, but not the same ones, then go together. For procedures that look at a pair's differences or at
        its two columns only.
    runs: Single runs behind the values, where tests count them.
    measured: The measure that systems are compared by, where it is no mean; the values are then pseudo-values
        of these units.
    exchanged: The differences say what exchanging two outputs moves: another true difference then is other
        chances of their directions, never an amount added to all.
    """

    values: FloatArray
    decimals: int
    binary: BoolArray
    rows: IntArray | None = None
    block_ids: IntArray | None = None
    counts: Counts | None = None
    all_scores: OwnScores | None = None
    by_pair: bool = False
    runs: UnitRuns | None = None
    measured: MeasuredUnits | None = None
    exchanged: bool = False

    @property
    def of_all(self) -> bool:
        """Whether all pairs of the board share these units, with scores that are means."""
        plain = self.counts is None and self.measured is None
        return plain and self.all_scores is None and not self.by_pair

    @cached_property
    def own(self) -> OwnScores:
        """Every score of each system, shared or not."""
        return OwnScores(self.values, self.counts) if self.all_scores is None else self.all_scores

    @property
    def own_scores(self) -> FloatArray:
        """The same as one array; NaN where missing."""
        return self.own.values

    @property
    def n_units(self) -> int:
        """Number of shared units."""
        return int(self.values.shape[0])

    @cached_property
    def by_system(self) -> FloatArray:
        """The values with one row per system."""
        return np.ascontiguousarray(self.values.T)

    @cached_property
    def largest(self) -> float:
        """Largest size of a value."""
        return float(np.abs(self.values).max(initial=0.0))

    @cached_property
    def blocks(self) -> Blocks | None:
        """Which units form which block; None when no blocks are named."""
        return None if self.block_ids is None else blocks_of(self.block_ids)

    @cached_property
    def contributions(self) -> Contributions:
        """What each unit adds to each system's score; systems are rows."""
        return contributions(self.values, self.counts)

    @cached_property
    def block_parts(self) -> FloatArray:
        """What each block adds to each system's score, shape (n_systems, n_blocks)."""
        parts = self.contributions.parts
        return parts[:, :0] if self.blocks is None else self.blocks.sums(parts)

    @cached_property
    def scores(self) -> FloatArray:
        """Scores of the systems: means, micro-averaged scores of counts, or measures; shape (n_systems,)."""
        if self.measured is not None:
            return self.measured.by_unit[0]
        return column_means(self.values) if self.counts is None else self.contributions.score

    @cached_property
    def _right(self) -> NDArray[np.floating]:
        """The 0/1 columns as rows (others as 0): sums of so few ones are exact in single precision."""
        kind = np.float32 if self.n_units < 2**24 else np.float64
        found: NDArray[np.floating] = np.where(self.binary, self.values, 0.0).T.astype(kind, order="C")
        return found

    @cached_property
    def _right_answers(self) -> NDArray[np.floating]:
        found: NDArray[np.floating] = self._right.sum(axis=1)
        return found

    def right_alone(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
        """Units that only a gets right, and that only b does, of pairs of 0/1 columns.

        Returns int arrays, shape (n_pairs,).
        """
        first, row = np.unique(left, return_inverse=True)
        low, high = (int(right.min()), int(right.max()) + 1) if right.size else (0, 0)
        # Products of columns that are no pair are thrown away: too many cost more than looking at each pair.
        if self.by_pair or first.size * (high - low) > _PRODUCTS_OF_A_PAIR * left.size:
            return self._counted(left, right)
        both = (self._right[first] @ self._right[low:high].T)[row, right - low]
        alone = self._right_answers[left] - both, self._right_answers[right] - both
        return alone[0].astype(np.int64), alone[1].astype(np.int64)

    def _counted(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
        """The same pair by pair."""
        alone = np.zeros((2, left.size), dtype=np.int64)
        step = max(1, _CELLS // max(self.n_units, 1))
        for start in range(0, left.size, step):
            part = slice(start, start + step)
            u, v = self.by_system[left[part]], self.by_system[right[part]]
            alone[:, part] = np.count_nonzero(u > v, axis=1), np.count_nonzero(u < v, axis=1)
        return alone[0], alone[1]


def column_means(values: FloatArray) -> FloatArray:
    """Means down the columns; NaN without rows.

    values (float array, shape (n_units, k)).
    Returns float array, shape (k,).
    """
    if values.shape[0] == 0:
        return np.full(values.shape[1], np.nan)
    result: FloatArray = values.mean(axis=0)
    return result
