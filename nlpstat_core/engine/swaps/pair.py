"""Two systems that exchange their outputs: what Δ is when items, or documents, are swapped."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.swaps.values import Items, Sums, each_alone, group_sums
from nlpstat_core.scores.measured import Value

Kept = NDArray[np.float32]
# Whole numbers up to here are exact in single precision.
_EXACT = 2.0**24
# Share of an item's move along which a slope is measured.
_SLOPE = 1 / 16


@dataclass(frozen=True, eq=False)
class SwappedShifts(ABC):
    """Two systems whose Δ only sees their sums, S ± Σ s·D/2, S the mean of both systems' sums.

    middle (float array, shape (k,)): S.
    moves (float array, shape (k, n_moved)): D/2 of the items (documents) that change anything.
    moved (int array, shape (n_moved,)): Their numbers.
    """

    middle: FloatArray
    moves: FloatArray
    moved: IntArray

    @abstractmethod
    def at(self, shift: FloatArray) -> FloatArray:
        """Δ of shifts of the sums.

        shift (float array, shape (k, B)): Σ s·D/2.
        Returns float array, shape (B,).
        """

    def differences(self, signs: FloatArray) -> FloatArray:
        """Δ of every column of signs.

        signs (float array, shape (n_moved, B)): +1 as observed, −1 swapped.
        Returns float array, shape (B,).
        """
        return self.at(self.moves @ signs)

    def of_kept(self, kept: Kept) -> FloatArray:
        """The same of outputs that stay or are swapped.

        kept (float32 array, shape (n_moved, B)): 1 as observed, 0 swapped.
        """
        return self.at(self._steps @ kept - self.moves.sum(axis=1, keepdims=True))

    @cached_property
    def observed(self) -> float:
        """Δ of the outputs as they are."""
        return float(self.at(self.moves.sum(axis=1, keepdims=True))[0])

    @cached_property
    def _steps(self) -> NDArray[Any]:
        """D in single precision where every sum of it is exact there: counts are."""
        steps = 2 * self.moves
        whole = np.array_equal(steps, np.rint(steps)) and np.abs(steps).sum(axis=1).max(initial=0.0) < _EXACT
        return steps.astype(np.float32) if whole else steps

    def slopes(self, shift: FloatArray) -> FloatArray:
        """L of every item where the sums are shifted by so much, shape (n_moved,).

        shift (float array, shape (k,)).
        """
        step = _SLOPE * self.moves
        rise = self.at(shift[:, None] + step) - self.at(shift[:, None] - step)
        return _defined(rise / (2 * _SLOPE))

    @cached_property
    @abstractmethod
    def pulls(self) -> FloatArray:
        """L of every item, about what swapping it alone takes from Δ, shape (n_moved,)."""


@dataclass(frozen=True, eq=False)
class SwappedSums(SwappedShifts):
    """Δ(s) = g(S + Σ s·D/2) − g(S − Σ s·D/2).

    gold (float array, shape (g,)): Gold's sums, which stay.
    """

    gold: FloatArray
    value: Value

    def at(self, shift: FloatArray) -> FloatArray:
        """Δ of shifts of the sums; see `SwappedShifts.at`."""
        both = np.empty((shift.shape[0], 2, shift.shape[1]))
        np.add(self.middle[:, None], shift, out=both[:, 0])
        np.subtract(self.middle[:, None], shift, out=both[:, 1])
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = self.value(self.gold[:, None, None], both)
        difference: FloatArray = a - b
        return difference

    @cached_property
    def pulls(self) -> FloatArray:
        """L of every item, ∇g(S)·D by the central difference along D itself, shape (n_moved,)."""
        return _defined(self.at(self.moves))


@dataclass(frozen=True, eq=False)
class SwappedItems:
    """The same for measures that see order: each item stands there with both outputs, one of weight 0.

    gold (float array, shape (n_items,)).
    a, b (float arrays, shape (n_items,)): Outputs.
    groups (int array, shape (n_items,)): Number of each item's sign: its own, or its document's.
    moved (int array, shape (n_moved,)): Numbers of the signs that change anything.
    """

    gold: FloatArray
    a: FloatArray
    b: FloatArray
    groups: IntArray
    moved: IntArray
    value: Value

    def differences(self, signs: FloatArray) -> FloatArray:
        """Δ of every column of signs; see `SwappedSums.differences`."""
        return self.of_kept((signs + 1) / 2)

    @cached_property
    def observed(self) -> float:
        """Δ of the outputs as they are."""
        return float(self.differences(np.ones((self.moved.size, 1)))[0])

    def of_kept(self, kept: Kept | FloatArray) -> FloatArray:
        """Δ of outputs that stay (1) or are swapped (0), shape (n_moved, B)."""
        every = np.ones((int(self.groups.max()) + 1, kept.shape[1]))
        every[self.moved] = kept
        stays = every[self.groups]
        gold, both = np.tile(self.gold, 2), np.concatenate([self.a, self.b])
        upper = self.value(gold, both, np.concatenate([stays, 1 - stays]))
        return upper - self.value(gold, both, np.concatenate([1 - stays, stays]))

    @cached_property
    def pulls(self) -> FloatArray:
        """L of every item: half of what swapping it alone takes from Δ, all others as observed."""
        alone = 1 - 2 * np.eye(self.moved.size)
        step = max(1, 2**21 // max(1, 2 * self.gold.size))
        parts = [
            self.differences(alone[:, first : first + step]) for first in range(0, self.moved.size, step)
        ]
        return _defined((self.observed - np.concatenate(parts)) / 2)


Swapped = SwappedShifts | SwappedItems


def swapped_pair(measure: Sums | Items, a: int, b: int, groups: IntArray) -> Swapped:
    """Two systems that exchange the outputs of items, or of whole documents.

    groups (int array, shape (n_items,)): Number of each item's sign.
    """
    if isinstance(measure, Items):
        u, v = measure.outputs[a], measure.outputs[b]
        return SwappedItems(measure.gold, u, v, groups, np.unique(groups[u != v]), measure.value)
    own, other = measure.of_system(a), measure.of_system(b)
    unlike = np.flatnonzero((own != other).any(axis=0))
    moves = (own[:, unlike] - other[:, unlike]) / 2
    changed = groups[unlike]
    if not each_alone(groups):
        changed, place = np.unique(changed, return_inverse=True)
        moves = group_sums(moves, place)
    middle = (measure.totals[a] + measure.totals[b]) / 2
    return SwappedSums(middle, moves, changed, measure.gold_total, measure.value)


def _defined(pulls: FloatArray) -> FloatArray:
    """Pulls with 0 for undefined ones: any pulls give the same p, good ones sooner."""
    return np.where(np.isfinite(pulls), pulls, 0.0)
