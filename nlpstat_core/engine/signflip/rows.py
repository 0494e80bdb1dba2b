"""Rows of ascending weights: some of them, and how many weights each has."""

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray


def rows_of(weights: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
    """Some rows of a table; a view, not a copy, where they lie side by side.

    weights (ndarray, shape (n_pairs, n_weights)): Not to be written to through the result.
    Returns ndarray, shape (n_rows, n_weights).
    """
    if rows.size and rows[-1] - rows[0] + 1 == rows.size:
        return weights[rows[0] : rows[-1] + 1]
    return weights[rows]


def counted(weights: FloatArray) -> NDArray[np.intp]:
    """Number of weights above 0 of each row.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row: zeros stand first.
    Returns ndarray of int, shape (n_pairs,).
    """
    count = np.full(weights.shape[0], weights.shape[1], dtype=np.intp)
    if weights.shape[1]:
        holed = np.flatnonzero(weights[:, 0] == 0.0)
        count[holed] = np.count_nonzero(weights[holed], axis=1)
    return count
