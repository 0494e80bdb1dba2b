"""Differences of pairs of systems over the units they share."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.scores.grid import MOST_DECIMALS, Grid
from nlpstat_core.stopping import stop_if_asked

# Cells that `rows` computes at a time.
_CELLS = 65_536


@dataclass(frozen=True, eq=False)
class PairDifferences:
    """u − v of some pairs (a, b) of one UnitBlock, as columns or as rows.

    left, right (int arrays, shape (n_pairs,)): Columns of a and b.
    delta: Hypothesised difference, metric points.
    """

    units: UnitBlock
    left: IntArray
    right: IntArray
    delta: float = 0.0

    @property
    def n_units(self) -> int:
        """Number of units the pairs share."""
        return self.units.n_units

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return int(self.left.shape[0])

    @cached_property
    def is_binary(self) -> bool:
        """Whether all pairs compare two 0/1 columns without a shift: counts then carry everything."""
        both = self.units.binary[self.left] & self.units.binary[self.right]
        return bool(self.delta == 0 and both.all())

    @cached_property
    def right_alone(self) -> tuple[IntArray, IntArray]:
        """Units that only a gets right, and that only b does, of 0/1 columns; shape (n_pairs,)."""
        return self.units.right_alone(self.left, self.right)

    @cached_property
    def differences(self) -> FloatArray:
        """u − v, shape (n_units, n_pairs)."""
        values = self.units.values
        result: FloatArray = values[:, self.left] - values[:, self.right]
        return result

    @cached_property
    def shifted(self) -> FloatArray:
        """z = u − v − δ, shape (n_units, n_pairs)."""
        return self.differences - self.delta if self.delta else self.differences

    @cached_property
    def rounded(self) -> FloatArray:
        """z on the grid the scores were written on, for signs, ranks and ties.

        0.3 − 0.2 and 0.2 − 0.1 differ in floating point; rounded to the scores' decimals they tie.
        """
        return on_grid(self.differences, self.units.decimals, self.delta)

    def rows(self) -> Iterator[tuple[slice, FloatArray]]:
        """u − v of some pairs at a time, one row per pair: small enough to stay in the processor's cache.

        Yields part: The pairs.
        Yields differences (float array, shape (pairs in this part, n_units)).
        """
        for part in self.parts():
            yield part, self.rows_of(part)

    def parts(self) -> Iterator[slice]:
        """Some pairs at a time."""
        step = max(1, _CELLS // max(self.n_units, 1))
        for start in range(0, self.n_pairs, step):
            stop_if_asked()
            yield slice(start, min(start + step, self.n_pairs))

    def rows_of(self, part: slice) -> FloatArray:
        """u − v of some pairs, shape (pairs in this part, n_units)."""
        systems = self.units.by_system
        differences: FloatArray = systems[self.left[part]]
        differences -= systems[self.right[part]]
        return differences


def on_grid(differences: FloatArray, decimals: int, delta: float) -> FloatArray:
    """u − v − δ rounded to the decimals that the scores were written with, without −0.0.

    differences: u − v.
    decimals: A `Grid` with a denominator rounds to its fractions.
    Returns float array of the same shape.
    """
    if isinstance(decimals, Grid) and decimals.parts:
        grid = decimals.snapped(differences)
    else:
        grid = np.round(differences, decimals) + 0.0
    return np.round(grid - delta, MOST_DECIMALS) + 0.0 if delta else grid
