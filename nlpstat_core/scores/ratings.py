"""Several people's ratings behind the scores: who gave which system what on which item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratings:
    """One entry a rating; the score of an item is the mean of its ratings.

    items, systems, raters (int arrays, shape (n_ratings,)): Row, column and rater of each.
    scores (float array, shape (n_ratings,)): Finite.
    column: What told the raters apart.
    shape: Items and systems of the matrix.
    """

    items: IntArray
    systems: IntArray
    raters: IntArray
    scores: FloatArray
    names: tuple[str, ...]
    column: str
    shape: tuple[int, int]

    def rows(self, chosen: IntArray) -> Ratings | None:
        """Of some of the items, in their order; None where an item comes twice."""
        place = _places(chosen, self.shape[0])
        if np.unique(chosen).size != chosen.size:
            return None
        return self._kept(place[self.items], self.systems, (chosen.size, self.shape[1]))

    def columns(self, chosen: Sequence[int]) -> Ratings:
        """Of some of the systems, in their order."""
        place = _places(np.array(chosen, dtype=np.int64), self.shape[1])
        return self._kept(self.items, place[self.systems], (self.shape[0], len(chosen)))

    def times(self, factor: FloatArray) -> Ratings:
        """Every system's ratings multiplied by its factor, shape (n_systems,)."""
        return replace(self, scores=self.scores * factor[self.systems])

    def _kept(self, items: IntArray, systems: IntArray, shape: tuple[int, int]) -> Ratings:
        kept = (items >= 0) & (systems >= 0)
        return replace(
            self,
            items=items[kept],
            systems=systems[kept],
            raters=self.raters[kept],
            scores=self.scores[kept],
            shape=shape,
        )

    def table(self) -> tuple[FloatArray, tuple[str, ...]]:
        """Ratings by item, system and rater, NaN where there is none, of the raters who gave some."""
        kinds, of = np.unique(self.raters, return_inverse=True)
        values = np.full((*self.shape, kinds.size), np.nan)
        values[self.items, self.systems, of] = self.scores
        return values, tuple(self.names[i] for i in kinds)


def _places(chosen: IntArray, n: int) -> IntArray:
    place = np.full(n, -1, dtype=np.int64)
    place[chosen] = np.arange(chosen.size)
    return place
