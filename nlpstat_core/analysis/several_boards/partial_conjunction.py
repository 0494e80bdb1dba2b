"""In how many data sets a null hypothesis is false: partial conjunction p-values."""

from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.outcomes import SMALLEST_P
from nlpstat_core.errors import AnalysisError, ConfigError, unknown
from nlpstat_core.results.several_boards import Combination

COMBINATIONS: tuple[str, ...] = get_args(Combination)


def partial_conjunction(p_values: ArrayLike, method: Combination = "bonferroni") -> FloatArray:
    """P-values of "in fewer than u of the n data sets the null hypothesis is false", for u = 1 … n.

    Null hypothesis, of entry u: at least n − u + 1 of the n null hypotheses are true.

    Parameters
    ----------
    p_values : array-like of float, shape (n_datasets,) or (n_datasets, n_statements)
        One p-value of every data set, in [0, 1]; NaN where a data set says nothing, which leaves n.
    method : {"bonferroni", "fisher"}
        Bonferroni's holds under any dependence of the data sets; Fisher's needs independent ones.

    Returns
    -------
    float array of the same shape
        Entry u − 1 belongs to u; NaN above n. They never fall as u grows, so the number at most alpha is the
        number of data sets that can be claimed.

    Raises
    ------
    ConfigError
        Unknown method.
    AnalysisError
        Values outside [0, 1].

    Notes
    -----
    With p_(1) ≤ … ≤ p_(n): Bonferroni p^(u/n) = (n − u + 1)·p_(u); Fisher P(χ²_(2(n−u+1)) ≥
    −2·Σ_(i≥u) log p_(i)); then running maxima over u. If the number claimed at level α is û, "the null
    hypothesis is false in at least û data sets" is wrong with probability at most α. Bonferroni's û is the
    number of data sets that Holm's correction rejects. Cost O(n·log n) for every statement.

    References
    ----------
    Benjamini and Heller (2008), doi:10.1111/j.1541-0420.2007.00984.x; Dror et al. (2017),
    doi:10.1162/tacl_a_00074.

    Examples
    --------
    >>> partial_conjunction([0.03, 0.001, 0.5]).round(3).tolist()
    [0.003, 0.06, 0.5]
    """
    if method not in COMBINATIONS:
        raise ConfigError(unknown("combination", method, COMBINATIONS))
    given = np.asarray(p_values, dtype=np.float64)
    table = given.reshape(given.shape[0], -1) if given.size else given.reshape(given.shape[0], 0)
    with np.errstate(invalid="ignore"):
        if np.any((table < 0) | (table > 1)):
            raise AnalysisError("p-values must lie between 0 and 1.")
    ordered = np.sort(table, axis=0)  # NaN last
    n_left = np.count_nonzero(~np.isnan(table), axis=0) - np.arange(table.shape[0])[:, None]
    combined = _bonferroni(ordered, n_left) if method == "bonferroni" else _fisher(ordered, n_left)
    result: FloatArray = np.maximum.accumulate(np.minimum(combined, 1.0), axis=0)
    return result.reshape(given.shape)


def _bonferroni(ordered: FloatArray, n_left: IntArray) -> FloatArray:
    """(n − u + 1)·p_(u), shape (n_datasets, n_statements)."""
    return ordered * np.maximum(n_left, 1)


def _fisher(ordered: FloatArray, n_left: IntArray) -> FloatArray:
    """Upper tail of χ² with 2(n − u + 1) degrees of freedom: the regularised incomplete gamma function."""
    from scipy import special

    there = ~np.isnan(ordered)
    logs = np.where(there, np.log(np.maximum(ordered, SMALLEST_P)), 0.0)
    from_here = -np.cumsum(logs[::-1], axis=0)[::-1]
    tail = special.gammaincc(np.maximum(n_left, 1), from_here)
    return np.where(there, np.maximum(tail, SMALLEST_P), np.nan)


def claimed(combined: FloatArray, level: float) -> IntArray:
    """How many data sets can be claimed for each statement.

    combined (float array, shape (n_datasets, n_statements)): From `partial_conjunction`.
    """
    return np.asarray(np.count_nonzero(combined <= level, axis=0), dtype=np.int64)


def holm_by_statement(p_values: FloatArray) -> FloatArray:
    """Holm's adjusted p-values over the data sets, for each statement: they name the data sets.

    p_values (float array, shape (n_datasets, n_statements)): NaN leaves the family and stays NaN.

    In sorted order they are Bonferroni's partial conjunction p-values.
    """
    order = np.argsort(p_values, axis=0)  # NaN last
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, partial_conjunction(p_values, "bonferroni"), axis=0)
    return adjusted
