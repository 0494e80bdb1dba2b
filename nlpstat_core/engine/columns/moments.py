"""Means, spreads, skewness and win counts of every pair of a batch, in one walk over the differences."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import ROUNDING, FloatArray, IntArray
from nlpstat_core.engine.columns.differences import PairDifferences, on_grid
from nlpstat_core.scores.grid import Grid


@dataclass(frozen=True, eq=False, kw_only=True)
class Moments:
    """Moments and counts of many pairs; all arrays have shape (n_pairs,).

    mean: Mean of u − v; exactly 0 where it is no more than the rounding of the scores.
    squares, cubes: Sums of squares and cubes of u − v about its mean; exactly 0 where u − v is constant.
    wins, losses: Units with z > 0 and z < 0, z = u − v − δ on the scores' grid.
    """

    mean: FloatArray
    squares: FloatArray
    cubes: FloatArray
    wins: IntArray
    losses: IntArray


def moments(batch: PairDifferences) -> Moments:
    """Moments and counts of every pair of a batch.

    Differences are centred before they are squared. 0/1 scores need only the counts of X'X.
    Cost O(n) per pair; memory: a few cache-sized tables.
    """
    return _from_counts(batch) if batch.is_binary else _from_differences(batch)


def _from_counts(batch: PairDifferences) -> Moments:
    n = batch.n_units
    wins, losses = batch.right_alone
    if n == 0:
        nothing = np.full(batch.n_pairs, np.nan)
        return Moments(mean=nothing, squares=nothing, cubes=nothing, wins=wins, losses=losses)
    total, square = (wins - losses).astype(float), (wins + losses).astype(float)
    constant = (square == 0) | (np.abs(total) == n)
    return Moments(
        mean=total / n,
        squares=np.where(constant, 0.0, square - total**2 / n),
        cubes=np.where(constant, 0.0, total - 3 * total * square / n + 2 * total**3 / n**2),
        wins=wins,
        losses=losses,
    )


def _from_differences(batch: PairDifferences) -> Moments:
    n_pairs, n, decimals = batch.n_pairs, batch.n_units, batch.units.decimals
    mean, squares, cubes = np.full((3, n_pairs), np.nan)
    wins, losses = np.zeros((2, n_pairs), dtype=np.int64)
    dust = _dust(batch)
    for part, rows in batch.rows() if n else ():
        wins[part], losses[part] = _signs(rows, decimals, batch.delta)
        means = rows.mean(axis=1)
        mean[part] = np.where(np.abs(means) <= dust[part], 0.0, means)
        constant = rows.max(axis=1) - rows.min(axis=1) <= dust[part]
        rows -= means[:, None]
        second = rows * rows
        squares[part] = np.where(constant, 0.0, second.sum(axis=1))
        cubes[part] = np.where(constant, 0.0, np.einsum("ij,ij->i", second, rows))
    return Moments(mean=mean, squares=squares, cubes=cubes, wins=wins, losses=losses)


def _signs(rows: FloatArray, decimals: int, delta: float) -> tuple[IntArray, IntArray]:
    """How many differences of each row are above 0 on the scores' grid, and below."""
    if delta or (isinstance(decimals, Grid) and decimals.parts):
        grid, half = on_grid(rows, decimals, delta), 0.0
    else:
        # What np.round would take to 0, in one pass instead of four.
        with np.errstate(over="ignore"):
            grid, half = rows * 10.0**decimals, 0.5
    return np.count_nonzero(grid > half, axis=1), np.count_nonzero(grid < -half, axis=1)


def _dust(batch: PairDifferences) -> FloatArray:
    """What rounding may leave of a constant difference or of equal means: they are 0, not 1e-17."""
    largest = np.abs(batch.units.values).max(axis=0, initial=0.0)
    pair: FloatArray = ROUNDING * np.maximum(largest[batch.left], largest[batch.right])
    return pair
