"""Kendall's τ-b of columns."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.methods.correlation.columns import columns
from nlpstat_core.records import Procedure
from nlpstat_core.stopping import stop_if_asked


def kendall(x: FloatArray, y: FloatArray) -> FloatArray:
    """Kendall's τ-b of every column of x with y, over the entries both have.

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
    Cost O(k·n log n).
    """
    from scipy.stats import kendalltau

    a, b = columns(x, y)
    found = np.full(x.shape[1], np.nan)
    for column in range(x.shape[1]):
        stop_if_asked()
        there = ~np.isnan(a[:, column])
        u, v = a[there, column], b[there, column]
        if u.size and np.any(u != u[0]) and np.any(v != v[0]):
            found[column] = kendalltau(u, v, variant="b").statistic
    return found


METHOD = Procedure(
    key="kendall",
    label="Kendall's τ-b",
    summary="Pairs that both scores order alike minus pairs they order differently, allowing for ties.",
    run=kendall,
    formula=r"\tau_b = \frac{C - D}{\sqrt{(C + D + T_x)(C + D + T_y)}}",
    references=("kendall1945",),
)
