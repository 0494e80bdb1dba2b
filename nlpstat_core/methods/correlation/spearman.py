"""Spearman's rank correlation of columns."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.samples.row_ranks import row_ranks
from nlpstat_core.methods.correlation.columns import centred_correlation, columns
from nlpstat_core.records import Procedure


def spearman(x: FloatArray, y: FloatArray) -> FloatArray:
    """Spearman's ρ of every column of x with y: Pearson's r of average ranks.

    Parameters
    ----------
    x : float array, shape (n, k)
        NaN where missing.
    y : float array, shape (n,) or (n, k)

    Returns
    -------
    float array, shape (k,)
        NaN where either side is constant.

    Notes
    -----
    Ties share the mean of their ranks. Cost O(n log n) a column.
    """
    a, b = columns(x, y)
    return centred_correlation(ranks(a), ranks(b))


def ranks(x: FloatArray) -> FloatArray:
    """Average ranks of every column.

    x (float array, shape (n, k)): NaN where missing, which stays.
    """
    return np.asarray(row_ranks(x.T).T)


METHOD = Procedure(
    key="spearman",
    label="Spearman's rank correlation",
    summary="Pearson's correlation of average ranks: how nearly one score rises with the other.",
    run=spearman,
    formula=r"\rho = r(\operatorname{rank} x, \operatorname{rank} y)",
    references=("spearman1904",),
)
