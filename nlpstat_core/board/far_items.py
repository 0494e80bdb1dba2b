"""Items where one system is furthest behind the others."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_ITEMS = 10


@dataclass(frozen=True, eq=False)
class FarItems:
    """Items on which a system does worse than the others, furthest behind first.

    others (float array, shape (n_items,)): Mean of the other systems that have the item, metric points.
    """

    row: IntArray
    own: FloatArray
    others: FloatArray


def far_items(units: ScoreMatrix, column: int, most: int = MOST_ITEMS) -> FarItems:
    """The items on which a system is furthest behind the mean of the others.

    Returns: Ties in the order of the file; none where it is behind on no item.

    >>> scores = ScoreMatrix(values=[[1, 3, 5], [4, 4, 4], [0, 1, 1]], systems=["A", "B", "C"])
    >>> found = far_items(scores, 0)
    >>> found.row.tolist(), found.own.tolist(), found.others.tolist()
    ([0, 2], [1.0, 0.0], [4.0, 1.0])
    """
    own = units.values[:, column]
    rest = np.delete(units.values, column, axis=1)
    there = ~np.isnan(rest)
    number = there.sum(axis=1)
    others = np.where(there, rest, 0.0).sum(axis=1) / np.maximum(number, 1)
    behind = (own - others) if units.lower_is_better else (others - own)
    behind = np.where((number > 0) & ~np.isnan(own), behind, 0.0)
    rows = np.argsort(-behind, kind="stable")[:most]
    rows = rows[behind[rows] > 0]
    return FarItems(rows, own[rows], others[rows])
