"""Two systems that exchange scores within a board of several tracks, compared by their places among all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.swaps.pair import SwappedShifts

# What a place is worth: the systems it is ahead of, or a share of the first place alone.
Worth = Literal["ahead", "first"]
# Of the sum of all scores of a system.
_TIE = 1e-12
# Cells of the grid on which steps are looked up, on either side of 0; so many leads at least are worth one.
_CELLS = 2_048


@dataclass(frozen=True, eq=False)
class SwappedOrder(SwappedShifts):
    """Δ(s) = Σ w·(worth of a's place − worth of b's place) over tracks, all other systems staying.

    A number of the sums is a track, higher is better.

    gains (tracks in order): What a's place is worth more than b's, weighted, by the shift.
    """

    gains: tuple["Gain", ...]

    def at(self, shift: FloatArray) -> FloatArray:
        """Δ of shifts of the sums; see `SwappedShifts.at`."""
        by_track = [gain.at(2 * moved) for gain, moved in zip(self.gains, shift, strict=True)]
        return np.asarray(sum(by_track[1:], start=by_track[0]))

    @property
    def pulls(self) -> FloatArray:
        """Steps have no slope, so that draws can't be aimed; see `SwappedShifts.pulls`."""
        return np.zeros(self.moved.size)


@dataclass(frozen=True, eq=False)
class Gain:
    """What a's place in one track is worth more than b's: an odd step function of a's sum less b's.

    Their mean M stays when they are swapped, so that the sums are M ± lead/2, and another system lies between
    them where its sum is less than half the lead from M.

    edges (float array, shape (n,)): Leads at which it steps, ascending.
    levels (float array, shape (n + 1,)): From 0 on.
    """

    edges: FloatArray
    levels: FloatArray

    def at(self, lead: FloatArray) -> FloatArray:
        """The gain of every lead.

        lead (float array): a's sum less b's.
        Returns: Of the same shape.
        """
        if lead.size < _CELLS:
            return self._stepped(lead)
        per_unit, table = self._grid()
        cells = lead * per_unit
        cells += _CELLS
        np.clip(cells, 0, table.size - 1, out=cells)
        found = table.take(cells.astype(np.int64), mode="clip")
        unsure = np.flatnonzero(np.isnan(found))
        found[unsure] = self._stepped(lead[unsure])
        return found

    def _stepped(self, lead: FloatArray) -> FloatArray:
        return np.copysign(self.levels[np.searchsorted(self.edges, np.abs(lead))], lead)

    def _grid(self) -> tuple[float, FloatArray]:
        """Cells per unit of lead, and the gain in each from the least lead on; NaN where it may step."""
        top = 1.01 * float(self.edges[-1])
        per_unit = _CELLS / top
        # What multiplying and adding may round, before cells are told apart.
        near = self.edges[:, None] + top * np.array([-_TIE, _TIE])
        inside = np.clip(near * per_unit, 0, _CELLS - 1).astype(np.int64)
        until = np.concatenate([[0], inside[:, 1] + 1, [_CELLS]])
        right = np.repeat(self.levels, np.diff(until))
        right[inside] = np.nan
        return per_unit, np.concatenate([-right[::-1], right])


def gain(middle: float, others: FloatArray, weight: float, tie: float, worth: Worth) -> Gain:
    """The gain of one pair in one track.

    middle: Mean of both sums.
    others (float array, shape (n_systems − 2,)): Sums of the other systems.
    tie: Sums closer than this are equal.

    Of systems ahead of, a gains one by its own lead, one more for every system between the two and a half for
    one that either of them ties with. Of first places it gains one where it passes the best of the others,
    and its share where it ties with these.
    """
    away = np.abs(others - middle)
    if worth == "ahead":
        passed = np.sort(np.maximum(2 * np.concatenate([away - tie, away + tie]), tie))
        return Gain(np.append(tie, passed), weight * np.append(0.0, 1 + np.arange(passed.size + 1) / 2))
    best = float(others.max(initial=-np.inf))
    first = int(np.count_nonzero(others >= best - tie))
    edges = np.maximum(2 * np.array([best - middle - tie, best - middle + tie]), tie)
    return Gain(edges, weight * np.array([0.0, 1 / (1 + first), 1.0]))


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
    middle = (sums[:, a] + sums[:, b]) / 2
    return SwappedOrder(
        middle=middle,
        moves=np.asarray(half[:, moved], dtype=np.float64),
        moved=moved,
        gains=tuple(
            gain(at, others, weight, tie, worth)
            for at, others, weight, tie in zip(
                middle.tolist(),
                np.delete(sums, [a, b], axis=1),
                weights.tolist(),
                tie_limits(tracks).tolist(),
                strict=True,
            )
        ),
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
