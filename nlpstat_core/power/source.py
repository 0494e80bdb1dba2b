"""Units of one pair to draw from, in the order in which they are ranked."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.differences import on_grid


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
    """Units to draw from, in the order in which they are ranked.

    columns (float array, shape (n, 1) or (n, 2)): The differences a − b, or the 0/1 scores of a and b.
    decimals: Decimals of the scores.
    delta: Hypothesised difference.
    weights (float array, shape (n,), or None).
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
