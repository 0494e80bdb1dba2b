"""What differs between two analyses."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nlpstat_core.arrays import BoolArray, IntArray
from nlpstat_core.formatting import count_of
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ChangesData:
    """What differs between two analyses; systems are matched by name."""

    before: AnalysisData
    after: AnalysisData
    systems: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    settings: Mapping[str, tuple[Any, Any]]
    same_scores: BoolArray
    rank_before: IntArray
    rank_after: IntArray
    flipped: IntArray
    n_compared: int

    def __repr__(self) -> str:
        return (
            f"<Changes: {len(self.systems):,} systems on both boards, {len(self.added):,} added, "
            f"{len(self.removed):,} removed; {len(self.flipped):,} of {count_of(self.n_compared, 'pair')} "
            f"flipped, {len(self.moved):,} ranks moved>"
        )

    @cached_property
    def moved(self) -> IntArray:
        """Positions of the systems whose rank changed, those that moved most first."""
        steps = np.abs(self.rank_after - self.rank_before)
        order = np.argsort(-steps, kind="stable")
        found: IntArray = order[steps[order] > 0]
        return found

    @property
    def same_units(self) -> bool:
        """Whether both boards have the same items."""
        return unit_names(self.before.scores) == unit_names(self.after.scores)

    @cached_property
    def same_pair(self) -> BoolArray:
        """Whether the scores of both systems of a flipped pair are the same, shape (n_flipped,)."""
        same: BoolArray = self.same_scores[self.flipped[:, 0]] & self.same_scores[self.flipped[:, 1]]
        return same

    @cached_property
    def flipped_rows(self) -> IntArray:
        """Rows of the flipped pairs among the pairs before and now, shape (n_flipped, 2)."""
        sides = [_rows(analysis, self.systems, self.flipped) for analysis in (self.before, self.after)]
        return np.stack(sides, axis=1)


def _rows(analysis: AnalysisData, systems: tuple[str, ...], flipped: IntArray) -> IntArray:
    """Rows of flipped pairs in an analysis's pairs, whichever of the two stands first there."""
    pairs, number = analysis.pairs, analysis.units.n_systems
    column = np.array([analysis.units.index(name) for name in systems], dtype=np.int64)

    def key(left: IntArray, right: IntArray) -> IntArray:
        found: IntArray = np.minimum(left, right).astype(np.int64) * number + np.maximum(left, right)
        return found

    known = key(pairs.left, pairs.right)
    order = np.argsort(known)
    wanted = key(column[flipped[:, 0]], column[flipped[:, 1]])
    rows: IntArray = order[np.searchsorted(known, wanted, sorter=order)]
    return rows


def unit_names(scores: ScoreMatrix) -> frozenset[str] | int:
    """The items' names; their number where they have none."""
    return scores.n_units if scores.units is None else frozenset(scores.units)
