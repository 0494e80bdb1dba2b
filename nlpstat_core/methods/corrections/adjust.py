"""Adjusting a family of p-values."""

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.corrections.family import Adjusted, Family


def family_size(p_values: FloatArray) -> int:
    """Number of p-values corrected together: undefined ones (NaN) are not in the family."""
    return int(np.count_nonzero(~np.isnan(p_values)))


def adjust_family(family: Family, method: str) -> Adjusted:
    """A family with its scores, adjusted for multiple comparisons.

    family: NaN leaves the family and stays NaN.
    Returns: Never below p, never above 1.
    Raises ConfigError: Unknown method.
    Raises AnalysisError: A family that the method can't correct.
    """
    run = CORRECTIONS[method].run
    there = ~np.isnan(family.p_values)
    adjusted = np.full(family.p_values.shape, np.nan)
    if not there.any():
        return Adjusted(p_values=adjusted)
    members = family.members(there)
    result = run(members)
    adjusted[there] = np.clip(result.p_values, members.p_values, 1.0)
    return Adjusted(
        p_values=adjusted, notes={code: _spread(mask, there) for code, mask in result.notes.items()}
    )


def _spread(mask: BoolArray, there: BoolArray) -> BoolArray:
    """A mask over the members as a mask over all pairs."""
    whole = np.zeros(there.shape[0], dtype=bool)
    whole[there] = mask
    return whole


def adjust_p_values(p: ArrayLike, method: str = "holm") -> FloatArray:
    """P-values adjusted for multiple comparisons; compare them with the family's level directly.

    Parameters
    ----------
    p : array-like of float, shape (n,)
        P-values in [0, 1]; NaN leaves the family and stays NaN.
    method : str
        Key of the correction: none, bonferroni, sidak, holm, holm-sidak, hochberg, hommel,
        benjamini-hochberg, benjamini-yekutieli, shaffer (all pairs of S systems, tests of means; Holm where
        their number is not S(S − 1)/2). (max-t needs the scores: use `analyse`.)

    Returns
    -------
    float array, shape (n,), in the order given; never below p, never above 1.

    Raises
    ------
    ConfigError
        Unknown method.
    AnalysisError
        Values outside [0, 1], a family too large for the method, or a method that needs the scores.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise AnalysisError(f"p-values must form one list, not an array of {values.ndim} dimensions.")
    family = values[~np.isnan(values)]
    if np.any((family < 0) | (family > 1)):
        raise AnalysisError("p-values must lie between 0 and 1.")
    return adjust_family(Family(p_values=values), method).p_values
