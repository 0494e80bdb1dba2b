"""Pearson's correlation of columns."""

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.columns import centred_correlation, columns
from nlpstat_core.records import Procedure


def pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    """Pearson's r of every column of x with y, over the entries both have.

    Parameters
    ----------
    x : float array, shape (n, k)
        NaN where missing.
    y : float array, shape (n,) or (n, k)

    Returns
    -------
    float array, shape (k,)
        NaN where either side is constant.

    Examples
    --------
    >>> import numpy as np
    >>> pearson(np.array([[1.0], [2.0], [4.0]]), np.array([2.0, 4.0, 8.0])).tolist()
    [1.0]

    Notes
    -----
    Cost O(n) a column.
    """
    return centred_correlation(*columns(x, y))


METHOD = Procedure(
    key="pearson",
    label="Pearson's correlation",
    summary="How nearly the two scores lie on one straight line.",
    run=pearson,
    formula=r"r = \frac{\sum_i (x_i - \bar x)(y_i - \bar y)}"
    r"{\sqrt{\sum_i (x_i - \bar x)^2 \sum_i (y_i - \bar y)^2}}",
    references=("mathur2020",),
)
