"""Points for a scatter: equal ones are one larger point, so that none hides another."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Points:
    """Distinct points; arrays have shape (n_points,).

    counts: How many units lie on the point.
    first: Position of its first unit.
    """

    x: FloatArray
    y: FloatArray
    counts: IntArray
    first: IntArray


def points(x: FloatArray, y: FloatArray) -> Points:
    """The distinct points of two columns.

    x, y (float arrays, shape (n,)).

    >>> points(np.array([0.0, 1.0, 0.0]), np.array([1.0, 1.0, 1.0])).counts.tolist()
    [2, 1]
    """
    both = np.stack([x, y], axis=1)
    distinct, first, counts = np.unique(both, axis=0, return_index=True, return_counts=True)
    return Points(distinct[:, 0], distinct[:, 1], counts.astype(np.int64), first.astype(np.int64))
