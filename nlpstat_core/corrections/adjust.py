"""Adjusting a family of p-values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError


def family_size(p_values: FloatArray) -> int:
    """Number of p-values corrected together: undefined ones (NaN) are not in the family.

    Parameters
    ----------
    p_values : float array

    Returns
    -------
    int
    """
    return int(np.count_nonzero(~np.isnan(p_values)))


def adjust_p_values(p: ArrayLike, method: str = "holm") -> FloatArray:
    """P-values adjusted for multiple comparisons; compare them with the family's level directly.

    Parameters
    ----------
    p : array-like of float, shape (n,)
        P-values in [0, 1]; NaN leaves the family and stays NaN.
    method : str
        Key of the correction: none, bonferroni, sidak, holm, holm-sidak, hochberg, hommel,
        benjamini-hochberg, benjamini-yekutieli.

    Returns
    -------
    float array, shape (n,), in the order given; never below p, never above 1.

    Raises
    ------
    ConfigError
        Unknown method.
    AnalysisError
        Values outside [0, 1], or a family too large for the method.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    from nlpstat_core.corrections import CORRECTIONS

    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise AnalysisError(f"p-values must form one list, not an array of {values.ndim} dimensions.")
    there = ~np.isnan(values)
    family = values[there]
    if np.any((family < 0) | (family > 1)):
        raise AnalysisError("p-values must lie between 0 and 1.")
    adjusted = np.full(values.shape, np.nan)
    run = CORRECTIONS[method].run
    if family.size:
        adjusted[there] = np.clip(run(family), family, 1.0)
    return adjusted
