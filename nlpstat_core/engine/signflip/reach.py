"""How far along the contour φ must be followed, and a stretch on which it is proved negligible."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.rows import counted
from nlpstat_core.engine.signflip.tilting import Tilted

REACH = 36.0
GAPS = 4.4 * np.pi
# The smallest weights, up to these shares of all, in the order in which their bounds are chained.
SHARES = (1.0, 0.985, 0.95, 0.9, 0.82, 0.7, 0.55, 0.4)
TINY = 1e-300
SAME_WEIGHT = 1e-9
MOST_EXTRA_NODES = 1024


def wanted_reach(weights: FloatArray, tilted: Tilted, spacing: FloatArray) -> FloatArray:
    """Y up to which φ is followed: 36/sd, and more where weights nearly form a lattice.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tilted: Tilts of the pairs.
    spacing (ndarray, shape (n_pairs,)): Distance of neighbouring nodes.
    Returns ndarray, shape (n_pairs,).

    Where fewer than half of the weights are distinct φ may come back at 2π over their common gap, so Y is
    at least 4.4π over the median gap between neighbouring distinct weights, as far as 1,024 nodes go; beyond
    them only the returns that `returns.likely_return` knows of are seen.
    """
    sd = np.sqrt(np.maximum(tilted.variance, TINY))
    reach = REACH / sd
    gaps = weights[:, 1:] - weights[:, :-1]
    apart = np.count_nonzero(gaps > SAME_WEIGHT * weights[:, -1:], axis=1)
    # The step from the absent weights to the first one above 0 is none between weights.
    apart -= (weights[:, 0] == 0.0) & (apart > 0)
    rows = np.flatnonzero((2 * (apart + 1) < counted(weights)) & (apart > 0))
    if rows.size:
        gaps, own = gaps[rows], weights[rows]
        fresh = (gaps > SAME_WEIGHT * own[:, -1:]) & (own[:, :-1] > 0.0)
        wanted = np.full(rows.size, MOST_EXTRA_NODES * spacing[rows])
        some = np.flatnonzero(fresh.any(axis=1))
        wanted[some] = np.minimum(GAPS / _median_gap(gaps[some], fresh[some]), wanted[some])
        reach[rows] = np.maximum(reach[rows], wanted)
    return reach


def _median_gap(gaps: FloatArray, fresh: BoolArray) -> FloatArray:
    """Median of the fresh gaps of each row, at least one a row."""
    count, rows = np.count_nonzero(fresh, axis=1), np.arange(gaps.shape[0])
    ordered = np.full((gaps.shape[0], count.max()), np.inf)
    ordered[np.arange(ordered.shape[1]) < count[:, None]] = gaps[fresh]
    ordered.sort(axis=1)
    return np.asarray((ordered[rows, (count - 1) // 2] + ordered[rows, count // 2]) / 2.0)


@dataclass(frozen=True)
class PartSums:
    """Power sums of all weights of each pair and of its smaller ones; shape (len(SHARES), n_pairs).

    second, fourth: Σ w² and Σ w⁴ over the smallest weights, so many of them as each share of the row's length
        says.
    """

    second: FloatArray
    fourth: FloatArray

    @classmethod
    def of(cls, weights: FloatArray) -> Self:
        """Power sums of weights of shape (n_pairs, n_weights), ascending in each row."""
        square = weights * weights
        ends = [math.ceil(share * weights.shape[1]) for share in SHARES[::-1]]
        parts = [square[:, begin:end] for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
        second = [part.sum(axis=1) for part in parts]
        fourth = [np.einsum("ij,ij->i", part, part) for part in parts]
        return cls(np.cumsum(second, axis=0)[::-1], np.cumsum(fourth, axis=0)[::-1])

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """The sums of several groups of pairs, one after the other; at least one group."""
        second, fourth = (part.second for part in parts), (part.fourth for part in parts)
        return cls(np.concatenate(list(second), axis=1), np.concatenate(list(fourth), axis=1))

    def of_rows(self, rows: NDArray[np.intp]) -> PartSums:
        """The sums of some pairs."""
        return PartSums(self.second[:, rows], self.fourth[:, rows])


def proven_stretch(sums: PartSums, tilted: Tilted, slack: float) -> tuple[FloatArray, FloatArray]:
    """Stretch of the contour on which |φ| is proved negligible.

    sums: Of the pairs' weights.
    tilted: Tilts of the pairs.
    slack: Minus log of what is negligible relative to the probability.
    Returns ndarray, shape (n_pairs,): Infinite and 0 where nothing is proved.

    |φ(y)|² = Π(1 − sech²(τw)·sin²(yw)), and sech²(x) ≥ 1 − x², sin²(x) ≥ x² − x⁴/3 for every x, so for any
    part of the weights with power sums p2 and p4, −log|φ|² ≥ y²(p2 − τ²p4) − y⁴p4/3: a parabola in y². All
    weights prove the beginning; smaller ones alone, whose parabola opens wider, carry on.
    """
    needed = 2.0 * (slack + tilted.loss)
    rise, bend = sums.second - tilted.tau**2 * sums.fourth, sums.fourth / 3.0
    inside = rise**2 - 4.0 * bend * needed
    good = (inside > 0.0) & (rise > 0.0)
    root = rise + np.sqrt(np.where(good, inside, 0.0))
    first = np.sqrt(2.0 * needed / np.where(good, root, 1.0))
    last = np.sqrt(np.where(good, root, 0.0) / (2.0 * np.where(bend > 0.0, bend, 1.0)))
    begin, end = np.full(needed.shape, np.inf), np.zeros(needed.shape)
    for proved, own_first, own_last in zip(good, first, last, strict=True):
        start = proved & np.isinf(begin)
        begin = np.where(start, own_first, begin)
        end = np.where(start | (proved & (own_first <= end)), np.maximum(end, own_last), end)
    return begin, end
