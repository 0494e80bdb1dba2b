"""Counts per unit behind a score: correct of total, or true and false positives and negatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import ScoreError, unknown

CountKind = Literal["accuracy", "f1"]
# Above it not every whole number is a float of its own.
MOST_COUNTED = 2.0**53
MISS_WEIGHTS: dict[str, float] = {"accuracy": 1.0, "f1": 0.5}


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """Sufficient statistics of a score per unit and system: score = hits / (hits + κ·misses).

    kind: What the score is; κ is 1 for accuracy and ½ for F1.
    hits (float array, shape (n_units, n_systems)): Correct items, or true positives. Whole numbers, NaN where
        the system lacks the unit. Read-only.
    misses (float array, shape (n_units, n_systems)): Wrong items, or false positives plus false negatives;
        NaN in the same cells. Read-only.
    Raises ScoreError: An unknown kind, shapes that differ, counts that are negative, not whole, above 2⁵³ or
        missing alone.
    """

    kind: CountKind
    hits: FloatArray
    misses: FloatArray

    def __post_init__(self) -> None:
        if self.kind not in MISS_WEIGHTS:
            raise ScoreError(unknown("kind of counts", self.kind, get_args(CountKind)))
        for name in ("hits", "misses"):
            given = np.array(getattr(self, name), dtype=np.float64, order="C") + 0.0
            given.setflags(write=False)
            object.__setattr__(self, name, given)
        if self.hits.ndim != 2 or self.hits.shape != self.misses.shape:
            raise ScoreError(
                "Counts need two tables of items × systems of the same shape, "
                f"not {self.hits.shape} and {self.misses.shape}."
            )
        self._check_cells()

    def _check_cells(self) -> None:
        lone = np.isnan(self.hits) != np.isnan(self.misses)
        if lone.any():
            raise ScoreError(f"{first_place(lone)}: one count is missing; give all counts of a cell or none.")
        for table in (self.hits, self.misses):
            bad = ~np.isnan(table) & ((table < 0) | (table != np.round(table)) | (table > MOST_COUNTED))
            if bad.any():
                raise ScoreError(f"{first_place(bad)}: counts must be whole numbers from 0 to 2⁵³.")

    @property
    def miss_weight(self) -> float:
        """κ, the weight of a miss against a hit."""
        return MISS_WEIGHTS[self.kind]

    @property
    def weights(self) -> FloatArray:
        """hits + κ·misses, the denominator of the score, shape (n_units, n_systems)."""
        result: FloatArray = self.hits + self.miss_weight * self.misses
        return result

    @property
    def of_single_items(self) -> bool:
        """Whether every unit is one item, right or wrong: the counts are then plain 0/1 scores."""
        weights = self.weights
        return bool(np.all((weights == 1) | np.isnan(weights)))

    def unit_scores(self) -> FloatArray:
        """Every unit's own score, shape (n_units, n_systems); 0 where it has neither hits nor misses."""
        return ratio(self.hits, self.weights)

    def rows(self, chosen: IntArray) -> Counts:
        """The counts of some units, in the order given."""
        return Counts(kind=self.kind, hits=self.hits[chosen], misses=self.misses[chosen])

    def columns(self, chosen: Sequence[int]) -> Counts:
        """The counts of some systems, in the order given."""
        kept = list(chosen)
        return Counts(kind=self.kind, hits=self.hits[:, kept], misses=self.misses[:, kept])

    def joined(self, groups: Sequence[IntArray]) -> Counts:
        """The counts of groups of units, added up; missing where a unit of the group is."""
        order = np.concatenate(groups)
        starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
        hits, misses = (np.add.reduceat(table[order], starts, axis=0) for table in (self.hits, self.misses))
        return Counts(kind=self.kind, hits=hits, misses=misses)


def ratio(hits: FloatArray, weights: FloatArray) -> FloatArray:
    """hits / weights, 0 where both are 0, NaN where missing."""
    there = weights != 0  # true for NaN too, which passes through
    result: FloatArray = np.where(there, hits / np.where(there, weights, 1.0), 0.0)
    return result


def first_place(where: BoolArray) -> str:
    """Row and system of the first cell that holds, for messages."""
    row, column = np.argwhere(np.atleast_2d(where))[0]
    return f"Row {row + 1}, system {column + 1}"
