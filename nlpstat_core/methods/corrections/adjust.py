"""Adjusting a family of p-values: of differences alone, or with the equivalence of the same pairs."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.corrections.family import PRODUCT, Adjusted, Family


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
    if not there.any():
        return Adjusted(p_values=np.full(family.p_values.shape, np.nan))
    members = family.members(there)
    result = run(members)
    adjusted = np.clip(result.p_values, members.p_values, 1.0, out=result.p_values)
    if members is not family:
        all_pairs = np.full(family.p_values.shape, np.nan)
        all_pairs[there] = adjusted
        adjusted = all_pairs
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


def adjust_claims(
    family: Family, equivalence: FloatArray | None, method: str, *, exclusive: bool
) -> tuple[Adjusted, FloatArray | None]:
    """The p-values of differences and of equivalences, corrected together; differences alone without these.

    equivalence: P-value of equivalence of the same pairs; NaN where undefined, None without a margin.
    exclusive: Whether no pair can be without difference and outside the margin at once, as for two-sided
        tests of the mean: then at most one of a pair's two null hypotheses is true, and at most m of all 2m
        are.

    With k defined p-values on m pairs: all k are corrected as one family; where the hypotheses exclude each
    other no factor of Bonferroni, Šidák, Holm and Holm–Šidák exceeds m (so one pair needs no correction),
    and false discovery rates shrink by m/k. Corrections that need the scores (max-T) or the structure of all
    pairs (Shaffer) get half of the error rate for the differences; the other half is Holm's, for equivalence.

    Source: Shaffer (1986), doi:10.1080/01621459.1986.10478341 (hypotheses that can't be true together);
    Goeman, Solari and Stijnen (2010), doi:10.1002/sim.4002 (difference and equivalence together).
    """
    if equivalence is None:
        return adjust_family(family, method), None
    there = ~(np.isnan(family.p_values) & np.isnan(equivalence))
    if exclusive and np.count_nonzero(there) <= 1:
        return adjust_family(family, method), equivalence
    if not CORRECTIONS[method].p_values_only:
        differences = adjust_family(family, method)
        halved = np.minimum(2 * differences.p_values, 1.0)
        return replace(differences, p_values=halved), np.minimum(
            2 * adjust_p_values(equivalence, "holm"), 1.0
        )
    together = np.concatenate([family.p_values, equivalence])
    most = int(np.count_nonzero(there)) if exclusive else together.shape[0]
    adjusted = _adjusted(together, method, most)
    n_pairs = equivalence.shape[0]
    return Adjusted(p_values=adjusted[:n_pairs]), adjusted[n_pairs:]


def _adjusted(p_values: FloatArray, method: str, most: int) -> FloatArray:
    """All p-values as one family of which at most so many null hypotheses are true."""
    there = ~np.isnan(p_values)
    p, k = p_values[there], int(np.count_nonzero(there))
    most = min(most, k)
    record = CORRECTIONS[method]
    scaled = _product if record.level_of_first is PRODUCT else _sum
    found = np.full(p_values.shape, np.nan)
    if record.steps == "single":
        found[there] = scaled(p, np.full(k, most))
    elif record.steps == "down":
        order = np.argsort(p, kind="stable")
        steps = np.maximum.accumulate(scaled(p[order], np.minimum(most, k - np.arange(k))))
        ordered = np.empty(k)
        ordered[order] = steps
        found[there] = ordered
    else:
        share = most / k if record.controls == "false-discovery" and k else 1.0
        found[there] = np.maximum(share * adjust_p_values(p, method), p)
    capped: FloatArray = np.minimum(found, 1.0)
    return capped


def _sum(p: FloatArray, factor: FloatArray) -> FloatArray:
    result: FloatArray = p * factor
    return result


def _product(p: FloatArray, factor: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        result: FloatArray = -np.expm1(factor * np.log1p(-p))
    return result
