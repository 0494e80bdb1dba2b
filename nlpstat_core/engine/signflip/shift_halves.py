"""Order statistics of the ratios of all subsets of blocks, by meeting in the middle near a guess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.stopping import stop_if_asked

# Ratios listed at a time; how many times as many as are wanted.
MOST_LISTED, AMPLE = 1 << 20, 4
# Of the range that is searched: where it is a point.
POINT, MOST_TURNS = 1e-14, 200


@dataclass(frozen=True)
class Halves:
    """Sums over all subsets of either half of the blocks, the empty one first.

    sums: Of S.
    sizes: Of L.
    """

    sums: tuple[FloatArray, FloatArray]
    sizes: tuple[FloatArray, FloatArray]

    @classmethod
    def of(cls, sums: FloatArray, sizes: FloatArray) -> Halves:
        """Of one pair's sums and sizes, each of shape (n_blocks,)."""
        first, second = slice(0, None, 2), slice(1, None, 2)
        return cls(
            (subset_sums(sums[None, first])[0], subset_sums(sums[None, second])[0]),
            (subset_sums(sizes[None, first])[0], subset_sums(sizes[None, second])[0]),
        )


def subset_sums(values: FloatArray) -> FloatArray:
    """Sums of all subsets of each row, the empty one first."""
    found = np.zeros((values.shape[0], 1))
    for column in values.T:
        found = np.concatenate([found, found + column[:, None]], axis=1)
    return found


def ratio_of_order(halves: Halves, order: int, low: float, high: float, guess: float, sd: float) -> float:
    """The ratio Σ_A S/Σ_A L of that order, the smallest being 1, over all subsets A but the empty one.

    halves: Of the blocks.
    order: From 1 to the number of subsets.
    low, high: The smallest and the largest ratio of a block.
    guess: Where it is about.
    sd: Standard deviation of Σ_A (S − guess·L).

    Sorted by S − θL, each subset of one half finds how many of the other half stay below 0 together with it.
    When few ratios lie between θ and the one that is wanted, all of them are listed: exact, ties included. An
    evaluation costs two sorts and three searches of 2^(n_blocks/2) numbers; from a good guess two are needed.
    """
    from scipy import special

    n_subsets = float(halves.sums[0].size) * halves.sums[1].size
    target, whole = special.ndtri(order / n_subsets), sum(own.max() for own in halves.sizes)
    theta, slope, finest = guess, whole / 2.0 / sd, POINT * (high - low)
    before = None
    for turn in range(MOST_TURNS):
        stop_if_asked()
        if not low < theta < high or turn % 4 == 3:
            theta = (low + high) / 2.0
        side = _Sorted.of(halves, theta)
        found = int(side.at_most(0.0).sum()) - 1  # the empty subset stands at 0 and is no ratio
        low, high = (low, theta) if found >= order else (theta, high)
        if high - low <= finest:
            break
        missing = abs(order - found)
        if AMPLE * missing <= max(256, 2 * halves.sums[0].size):
            listed = side.listed(halves, order, AMPLE * (missing + 4) * sd / order)
            if listed is not None:
                return listed
        value = special.ndtri((found + 0.5) / n_subsets)
        if before is not None and value != before[1]:
            slope = (value - before[1]) / (theta - before[0])
        before = theta, value
        theta += (target - value) / slope
    return high


@dataclass(frozen=True)
class _Sorted:
    """S − θL of the subsets of either half, ascending, and where each stands among them."""

    theta: float
    values: list[FloatArray]
    places: list[NDArray[np.intp]]

    @classmethod
    def of(cls, halves: Halves, theta: float) -> _Sorted:
        values = [sums - theta * sizes for sums, sizes in zip(halves.sums, halves.sizes, strict=True)]
        places = [np.argsort(own) for own in values]
        return cls(theta, [own[order] for own, order in zip(values, places, strict=True)], places)

    def at_most(self, limit: float) -> NDArray[np.intp]:
        """For each subset of the first half how many of the second stay within the limit with it."""
        return np.searchsorted(self.values[1], limit - self.values[0], side="right")

    def listed(self, halves: Halves, order: int, reach: float) -> float | None:
        """The ratio of that order, if it is among those with |S − θL| up to `reach`."""
        begin, end = self.at_most(-reach), self.at_most(reach)
        many = end - begin
        if not order + 1 <= end.sum() or begin.sum() >= order or many.sum() > MOST_LISTED:
            return None
        first = np.repeat(np.arange(many.size), many)
        second = np.arange(first.size) - np.repeat(np.cumsum(many) - many - begin, many)
        one, other = self.places[0][first], self.places[1][second]
        sizes = halves.sizes[0][one] + halves.sizes[1][other]
        sums = (halves.sums[0][one] + halves.sums[1][other])[sizes > 0.0]
        ratios = sums / sizes[sizes > 0.0]
        ratio = float(np.partition(ratios, order - int(begin.sum()) - 1)[order - int(begin.sum()) - 1])
        # What is not listed is farther away than this.
        whole = float(halves.sizes[0].max() + halves.sizes[1].max())
        return ratio if abs(ratio - self.theta) * whole < 0.99 * reach else None
