"""Many resamples of one pair as the columns of a batch: what a test is given in place of many pairs.

A test of the catalogue can't tell such a batch from another. What it asks for most, moments and rank sums, is
computed from how often each unit was drawn; the resampled scores themselves only when a test reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.batch import PairBatch, UnitBlock, on_grid

if TYPE_CHECKING:
    from nlpstat_core.moments import Moments
    from nlpstat_core.signed_ranks import SignedRanks

# Of the sum of squares about the centre of the data; a resample with less about its own mean is looked at.
_NO_SPREAD = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class Source:
    """Units of one pair to draw from, sorted by |z| on the scores' grid.

    Attributes
    ----------
    columns : float array, shape (n, 1) or (n, 2)
        The differences, or the 0/1 scores of a and b.
    grid : float array, shape (n,)
        z = a − b − δ on the scores' grid.
    delta : float
    decimals : int
    weights : float array, shape (n,), or None
        Probabilities of the units; None means equal ones.
    """

    columns: FloatArray
    grid: FloatArray
    delta: float
    decimals: int
    weights: FloatArray | None = None

    @cached_property
    def differences(self) -> FloatArray:
        """a − b, shape (n,)."""
        differs: FloatArray = self.columns[:, 0] - (self.columns[:, 1] if self.columns.shape[1] == 2 else 0.0)
        return differs

    @cached_property
    def centre(self) -> float:
        """Mean of the differences; squares are taken about it."""
        return float(self.differences.mean())

    @cached_property
    def powers(self) -> FloatArray:
        """What the moments of a resample are sums of, shape (n, 5)."""
        d, g = self.differences - self.centre, self.grid
        return np.stack([d, d**2, d**3, (g > 0).astype(float), (g < 0).astype(float)], axis=1)

    @cached_property
    def groups(self) -> tuple[int, IntArray, BoolArray]:
        """Number of zeros, where each group of equal non-zero |z| begins behind them, and who is positive."""
        size = np.abs(self.grid)
        zeros = int(np.count_nonzero(size == 0))
        opens = np.flatnonzero(np.diff(size[zeros:], prepend=-1.0))
        return zeros, opens, self.grid[zeros:] > 0


def source_of(columns: FloatArray, decimals: int, delta: float, weights: FloatArray | None = None) -> Source:
    """Units to draw from, in the order in which they are ranked.

    Parameters
    ----------
    columns : float array, shape (n, 1) or (n, 2)
        The differences a − b, or the 0/1 scores of a and b.
    decimals : int
        Decimals of the scores.
    delta : float
        Hypothesised difference.
    weights : float array, shape (n,), or None

    Returns
    -------
    Source
    """
    differences = columns[:, 0] - (columns[:, 1] if columns.shape[1] == 2 else 0.0)
    grid = on_grid(differences, decimals, delta)
    order = np.lexsort((differences, grid, np.abs(grid)))
    return Source(
        columns=columns[order],
        grid=grid[order],
        delta=delta,
        decimals=decimals,
        weights=None if weights is None else weights[order],
    )


class ResampledUnits(UnitBlock):
    """Units of many resamples; their scores are put together only when somebody reads them.

    Parameters
    ----------
    source : Source
    drawn : float array, shape (k, n)
        How often each unit is in each resample.
    size : int
        Units of a resample.
    """

    def __init__(self, source: Source, drawn: FloatArray, size: int) -> None:
        paired = source.columns.shape[1] == 2
        n_columns = 2 * drawn.shape[0] if paired else drawn.shape[0] + 1
        self.__dict__.update(
            source=source,
            drawn=drawn,
            size=size,
            decimals=source.decimals,
            binary=np.full(n_columns, paired),
            rows=None,
            block_ids=None,
            counts=None,
        )

    @property
    def n_units(self) -> int:
        """Units of a resample."""
        return int(self.__dict__["size"])

    @cached_property
    def values(self) -> FloatArray:
        """Scores of all resamples, shape (size, columns): differences and a column of zeros, or a then b."""
        source, drawn = self.__dict__["source"], self.__dict__["drawn"]
        times = drawn.astype(np.int64).ravel()
        n_resamples = drawn.shape[0]
        rows = [
            np.repeat(np.tile(column, n_resamples), times).reshape(n_resamples, self.n_units)
            for column in source.columns.T
        ]
        if len(rows) == 1:
            rows.append(np.zeros((1, self.n_units)))
        return np.concatenate(rows).T


@dataclass(frozen=True, eq=False, kw_only=True)
class ResampledBatch(PairBatch):
    """Resamples of one pair as the pairs of a batch.

    Attributes
    ----------
    source : Source
    drawn : float array, shape (k, n)
        How often each unit is in each resample.
    """

    source: Source
    drawn: FloatArray

    @cached_property
    def moments(self) -> Moments:
        """Moments of every resample from five sums over the units it draws."""
        from nlpstat_core.moments import Moments

        n, centre = self.n_units, self.source.centre
        first, second, third, wins, losses = (self.drawn @ self.source.powers).T
        mean = first / n
        squares = second - first * mean
        cubes = third - 3 * mean * second + 2 * first * mean**2
        flat = np.flatnonzero(squares <= _NO_SPREAD * second)
        if flat.size:
            squares[flat], cubes[flat] = self._about_own_mean(flat)
        return Moments(
            mean=mean + centre,
            squares=squares,
            cubes=cubes,
            wins=np.rint(wins).astype(np.int64),
            losses=np.rint(losses).astype(np.int64),
        )

    def _about_own_mean(self, resamples: IntArray) -> tuple[FloatArray, FloatArray]:
        """Squares and cubes of resamples with so little spread that sums about the data's mean lose it."""
        differences, drawn = self.source.differences, self.drawn[resamples]
        dust = 8 * np.finfo(float).eps * np.abs(self.source.columns).max(initial=0.0)
        low = np.where(drawn > 0, differences, np.inf).min(axis=1)
        high = np.where(drawn > 0, differences, -np.inf).max(axis=1)
        about = differences - low[:, None]
        about -= (np.einsum("ij,ij->i", drawn, about) / self.n_units)[:, None]
        squares = np.einsum("ij,ij,ij->i", drawn, about, about)
        cubes = np.einsum("ij,ij,ij,ij->i", drawn, about, about, about)
        constant = high - low <= dust
        return np.where(constant, 0.0, squares), np.where(constant, 0.0, cubes)

    @cached_property
    def signed_ranks(self) -> SignedRanks:
        """Rank sums of every resample by walking once over the units in the order of |z|.

        Notes
        -----
        A group of t equal |z|, p of them positive, with s units before it, adds p·(s + (t + 1)/2) to W⁺.
        """
        from nlpstat_core.signed_ranks import SignedRanks

        zeros, opens, up = self.source.groups
        there = self.drawn[:, zeros:]
        positive = there * up
        if opens.size < there.shape[1]:
            there = np.add.reduceat(there, opens, axis=1) if opens.size else there
            positive = np.add.reduceat(positive, opens, axis=1) if opens.size else positive
        position = np.cumsum(there, axis=1)
        nonzero = position[:, -1].copy() if position.shape[1] else np.zeros(self.n_pairs)
        position -= (there - 1) / 2
        count = np.rint(nonzero).astype(np.int64)
        return SignedRanks(
            w_plus=np.einsum("ij,ij->i", positive, position),
            nonzero=count,
            zeros=self.n_units - count,
            positive=np.rint(positive.sum(axis=1)).astype(np.int64),
            ties=np.einsum("ij,ij,ij->i", there, there, there) - nonzero,
        )


def resampled_batch(source: Source, drawn: FloatArray, size: int) -> ResampledBatch:
    """A batch of resamples.

    Parameters
    ----------
    source : Source
    drawn : float array, shape (k, n)
        Counts; every row sums to `size`.
    size : int

    Returns
    -------
    ResampledBatch
        One pair per resample.
    """
    k = drawn.shape[0]
    paired = source.columns.shape[1] == 2
    return ResampledBatch(
        units=ResampledUnits(source, drawn, size),
        left=np.arange(k),
        right=np.arange(k, 2 * k) if paired else np.full(k, k),
        delta=source.delta,
        source=source,
        drawn=drawn,
    )
