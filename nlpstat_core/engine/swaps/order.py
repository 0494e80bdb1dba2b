"""Two systems that exchange scores within a board of several tracks, compared by their places among all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.swaps.pair import SwappedShifts

# What a place is worth: the systems it is ahead of, or a share of the first place alone.
Worth = Literal["ahead", "first"]
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class SwappedOrder(SwappedShifts):
    """Δ(s) = Σ w·(worth of a's place − worth of b's place) over tracks, all other systems staying.

    A number of the sums is a track, higher is better.

    others (float array, shape (n_tracks, n_systems − 2)): Sums of the other systems, each track sorted.
    weights (float array, shape (n_tracks,)).
    ties (float array, shape (n_tracks,)): Sums closer than this are equal.
    """

    others: FloatArray
    weights: FloatArray
    ties: FloatArray
    worth: Worth

    def at(self, shift: FloatArray) -> FloatArray:
        """Δ of shifts of the sums; see `SwappedShifts.at`."""
        by_track = [
            weight * self._gain(track, shift[track]) for track, weight in enumerate(self.weights.tolist())
        ]
        return np.asarray(sum(by_track[1:], start=by_track[0]))

    def _gain(self, track: int, shift: FloatArray) -> FloatArray:
        """What a's place is worth more than b's in one track."""
        tie, others = self.ties[track], self.others[track]
        a, b = self.middle[track] + shift, self.middle[track] - shift
        if self.worth == "ahead":
            lead = np.where(np.abs(a - b) <= tie, 0.0, np.sign(a - b))
            return _ahead_of(others, a, tie) - _ahead_of(others, b, tie) + lead
        best = np.maximum(np.maximum(a, b), others[-1] if others.size else -np.inf)
        first = [(own >= best - tie).astype(np.float64) for own in (a, b)]
        many = first[0] + first[1] + (others.size - np.searchsorted(others, best - tie, "left"))
        return np.asarray((first[0] - first[1]) / many)

    @property
    def pulls(self) -> FloatArray:
        """Steps have no slope, so that draws can't be aimed; see `SwappedShifts.pulls`."""
        return np.zeros(self.moved.size)


def _ahead_of(others: FloatArray, own: FloatArray, tie: float) -> FloatArray:
    """How many of the others lie below; equal ones are half."""
    below = np.searchsorted(others, own - tie, "left")
    return np.asarray((below + np.searchsorted(others, own + tie, "right")) / 2)


def swapped_order(
    tracks: Sequence[FloatArray],
    groups: Sequence[IntArray],
    weights: FloatArray,
    a: int,
    b: int,
    worth: Worth,
) -> SwappedOrder:
    """Two systems of a board of tracks.

    tracks (float arrays, shape (n_items, n_systems)): Scores, all there; higher is better.
    groups (int arrays, shape (n_items,)): Number of each item's sign, over all tracks.
    """
    n_groups = 1 + max(int(own.max(initial=-1)) for own in groups)
    half: FloatArray = np.stack(
        [
            np.bincount(own, weights=(values[:, a] - values[:, b]) / 2, minlength=n_groups)
            for values, own in zip(tracks, groups, strict=True)
        ]
    )
    sums = np.stack([values.sum(axis=0) for values in tracks])
    moved = np.flatnonzero((half != 0).any(axis=0))
    return SwappedOrder(
        middle=(sums[:, a] + sums[:, b]) / 2,
        moves=np.asarray(half[:, moved], dtype=np.float64),
        moved=moved,
        others=np.sort(np.delete(sums, [a, b], axis=1), axis=1),
        weights=weights,
        ties=tie_limits(tracks),
        worth=worth,
    )


def tie_limits(tracks: Sequence[FloatArray]) -> FloatArray:
    """Below which sums of a track differ by rounding only."""
    return np.array([_TIE * np.abs(values).sum(axis=0).max() for values in tracks])


def worth_of_places(sums: FloatArray, ties: FloatArray, worth: Worth) -> FloatArray:
    """What every system's place in every track is worth.

    sums (float array, shape (n_tracks, n_systems, B)): Higher is better.
    Returns: Of the same shape.
    """
    limit = ties[:, None, None]
    if worth == "first":
        first = sums >= sums.max(axis=1, keepdims=True) - limit
        return np.asarray(first / first.sum(axis=1, keepdims=True))
    order = np.argsort(sums, axis=1, kind="stable")
    ordered = np.take_along_axis(sums, order, axis=1)
    place = np.arange(sums.shape[1])[None, :, None]
    apart = np.diff(ordered, axis=1) > limit
    edge = np.ones_like(apart[:, :1])
    low = np.maximum.accumulate(np.where(np.concatenate([edge, apart], axis=1), place, 0), axis=1)
    last = np.where(np.concatenate([apart, edge], axis=1), place, sums.shape[1] - 1)
    high = np.flip(np.minimum.accumulate(np.flip(last, axis=1), axis=1), axis=1)
    found = np.empty(sums.shape)
    np.put_along_axis(found, order, (low + high) / 2, axis=1)
    return found
