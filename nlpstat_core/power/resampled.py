"""Many resamples of one pair as the columns of a batch: what a test is given in place of many pairs.

A test of the catalogue can't tell such a batch from another. What it asks for most, moments and rank sums, is
computed from how often each unit was drawn; the resampled scores themselves only when a test reads them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.moments import Moments
from nlpstat_core.engine.columns.signed_ranks import SignedRanks
from nlpstat_core.engine.columns.unit_block import UnitBlock


@dataclass(frozen=True, eq=False, kw_only=True)
class Source:
    """Units of one pair to draw from, sorted by |z| on the scores' grid.

    columns (float array, shape (n, 1) or (n, 2)): The differences, or the 0/1 scores of a and b.
    grid (float array, shape (n,)): z = a − b − δ on the scores' grid.
    weights (float array, shape (n,), or None): Probabilities of the units; None means equal ones.
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
    def zeros(self) -> int:
        """How many units have z = 0 on the grid; they stand first."""
        return int(np.count_nonzero(self.grid == 0))

    @cached_property
    def up(self) -> FloatArray:
        """1 for each positive unit behind the zeros, 0 for each negative one."""
        return (self.grid[self.zeros :] > 0).astype(float)

    @cached_property
    def tied(self) -> tuple[IntArray, IntArray]:
        """Units behind the zeros that share their |z| with others, and where each of their groups begins."""
        size = np.abs(self.grid[self.zeros :])
        same = np.append(size[1:] == size[:-1], False)
        opens = same & ~np.append(False, same[:-1])
        members = np.flatnonzero(same | np.append(False, same[:-1])) if size.size else np.zeros(0, np.int64)
        return members, np.flatnonzero(opens[members])


def source_of(columns: FloatArray, decimals: int, delta: float, weights: FloatArray | None = None) -> Source:
    """Units to draw from, in the order in which they are ranked."""
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


# Of the sum of squares about the centre of the data; a resample with less about its own mean is looked at.
_NO_SPREAD = 1e-9


class ResampledUnits(UnitBlock):
    """Units of many resamples; their scores are put together only when somebody reads them.

    drawn (int array, shape (k, n)): How often each unit is in each resample.
    size: Units of a resample.
    """

    def __init__(self, source: Source, drawn: IntArray, size: int) -> None:
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
        times = drawn.ravel()
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

    drawn (int array, shape (k, n)): How often each unit is in each resample.
    """

    source: Source
    drawn: IntArray

    @cached_property
    def weights(self) -> FloatArray:
        """The counts as floats, for products."""
        return self.drawn.astype(float)

    @cached_property
    def moments(self) -> Moments:
        """Moments of every resample from five sums over the units it draws."""
        from nlpstat_core.engine.columns.moments import Moments

        n, centre = self.n_units, self.source.centre
        first, second, third, wins, losses = (self.weights @ self.source.powers).T
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
        differences, drawn = self.source.differences, self.weights[resamples]
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

        A unit drawn t times whose last copy has place r adds t·(r − (t − 1)/2) to W⁺ if it is positive. In a
        group of equal |z|, negative units first, that is too much by pq/2 with p positive and q negative.
        """
        from nlpstat_core.engine.columns.signed_ranks import SignedRanks

        zeros, up = self.source.zeros, self.source.up
        there = self.weights[:, zeros:]
        place = np.cumsum(self.drawn[:, zeros:], axis=1)  # whole numbers add up six times as fast as floats
        nonzero = place[:, -1] if place.shape[1] else np.zeros(self.n_pairs, dtype=np.int64)
        positive, products = there @ up, place * there
        w_plus = products @ up + positive / 2
        squares = np.multiply(there, there, out=products)
        w_plus -= squares @ up / 2
        squares *= there
        too_much, more_cubes = self._tie_terms()
        return SignedRanks(
            w_plus=w_plus - too_much / 2,
            nonzero=nonzero,
            zeros=self.n_units - nonzero,
            positive=np.rint(positive).astype(np.int64),
            ties=squares.sum(axis=1) + more_cubes - nonzero,
        )

    def _tie_terms(self) -> tuple[FloatArray, FloatArray]:
        """Σ p·q and Σ t³ − Σ Σ t_i³ over groups of units that share their |z|."""
        members, opens = self.source.tied
        if not members.size:
            nothing = np.zeros(self.n_pairs)
            return nothing, nothing
        there = self.weights[:, self.source.zeros + members]
        whole = np.add.reduceat(there, opens, axis=1)
        above = np.add.reduceat(there * self.source.up[members], opens, axis=1)
        cross = np.einsum("ij,ij->i", above, whole - above)
        return cross, np.einsum("ij,ij,ij->i", whole, whole, whole) - (there**3).sum(axis=1)


def resampled_batch(source: Source, drawn: IntArray, size: int) -> ResampledBatch:
    """A batch of resamples.

    drawn (int array, shape (k, n)): Counts; every row sums to `size`.
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
