"""One error rate over two kinds of claims on a pair: that its systems differ, that they are equivalent."""

from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.methods.corrections.adjust import adjust_family, adjust_p_values
from nlpstat_core.methods.corrections.family import Adjusted, Family
from nlpstat_core.methods.corrections.levels import PRODUCT


def adjust_claims(
    family: Family, equivalence: FloatArray, method: str, *, exclusive: bool
) -> tuple[Adjusted, FloatArray]:
    """The p-values of differences and of equivalences, corrected together.

    family: The differences.
    equivalence: P-value of equivalence of the same pairs; NaN where undefined.
    exclusive: Whether no pair can be without difference and outside the margin at once, as for two-sided
        tests of the mean: then at most one of a pair's two null hypotheses is true, and at most m of all 2m
        are.
    Returns equivalence.

    With k defined p-values on m pairs: all k are corrected as one family; where the hypotheses exclude each
    other no factor of Bonferroni, Šidák, Holm and Holm–Šidák exceeds m (so one pair needs no correction),
    and false discovery rates shrink by m/k. Corrections that need the scores (max-T) or the structure of all
    pairs (Shaffer) get half of the error rate for the differences; the other half is Holm's, for equivalence.

    Source: Shaffer (1986), doi:10.1080/01621459.1986.10478341 (hypotheses that can't be true together);
    Goeman, Solari and Stijnen (2010), doi:10.1002/sim.4002 (difference and equivalence together).
    """
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
