"""How many boards decide a pair in which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.analysis.robustness import decisions
from nlpstat_core.analysis.several_boards.names import CommonPairs, common_pairs
from nlpstat_core.arrays import BoolArray, IntArray, ObjectArray, names_of

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement:
    """Decisions of several boards, pair by pair; all arrays have shape (n_pairs,).

    Attributes
    ----------
    pairs : CommonPairs
    boards : int array
        Boards that compared the pair.
    for_a, for_b, neither : int arrays
        Boards that separate the pair in favour of a, of b, or not at all.
    """

    pairs: CommonPairs
    boards: IntArray
    for_a: IntArray
    for_b: IntArray
    neither: IntArray

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def system_a(self) -> ObjectArray:
        """Names of a."""
        return names_of(self.pairs.left, self.pairs.systems)

    @property
    def system_b(self) -> ObjectArray:
        """Names of b."""
        return names_of(self.pairs.right, self.pairs.systems)

    @property
    def alike(self) -> IntArray:
        """The largest number of boards that decide the pair in one way."""
        most: IntArray = np.max([self.for_a, self.for_b, self.neither], axis=0)
        return most

    @property
    def contradicting(self) -> BoolArray:
        """Whether one board separates the pair in favour of a and another in favour of b."""
        return np.asarray((self.for_a > 0) & (self.for_b > 0))


def agreement(analyses: Sequence[Analysis]) -> Agreement:
    """Count the decisions of several boards on every pair.

    Returns: A board that has no p-value for a pair is not counted for it. Cost O(boards × pairs).
    """
    pairs = common_pairs(analyses)
    counted = np.zeros((3, len(pairs)), dtype=np.int64)
    for analysis, place, swapped in zip(analyses, pairs.places, pairs.swapped, strict=True):
        decided = decisions(analysis.pairs).astype(np.int64) * np.where(swapped, -1, 1)
        known = ~np.isnan(analysis.pairs.p_value)
        for row, side in enumerate((1, -1, 0)):
            counted[row, place] += known & (decided == side)
    return Agreement(
        pairs=pairs,
        boards=counted.sum(axis=0),
        for_a=counted[0],
        for_b=counted[1],
        neither=counted[2],
    )
