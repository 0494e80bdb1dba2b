"""Ranks within rows, without SciPy's statistics: they take longer to load than a board to be analysed."""

import numpy as np

from nlpstat_core.arrays import FloatArray


def row_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 within every row, ties sharing the mean of theirs; NaN where there is no value.

    >>> row_ranks(np.array([[0.5, 0.1, 0.5, np.nan]])).tolist()
    [[2.5, 1.0, 2.5, nan]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    place = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    starts, ends = np.ones(values.shape, dtype=bool), np.ones(values.shape, dtype=bool)
    starts[:, 1:] = ends[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, place, values.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    return np.where(np.isnan(values), np.nan, ranks)
