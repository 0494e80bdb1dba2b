"""The corrections that need the p-values only: Holm's steps, and those that come from statsmodels."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.corrections.family import DIVIDED, HARMONIC, PRODUCT, WHOLE, on_p_values
from nlpstat_core.records import Correction

LARGEST_QUADRATIC_FAMILY = 100_000
_FEW_DISTINCT = 1 / 16
_LOOKED_UP_AT_ONCE = 1 << 18


def _uncorrected(p_values: FloatArray) -> FloatArray:
    """The p-values as they are."""
    return p_values.copy()


def stepped_down(p_values: FloatArray, factors: Callable[[IntArray], IntArray]) -> FloatArray:
    """Running maxima of factor times p from the smallest p-value on, at most 1.

    factors (callable): From places in the order of the p-values, 0 the smallest, to factors; they never rise,
        so that equal p-values all get what the first of them gets.
    Returns float array, shape (m,), in the order of `p_values`.
    """
    m = p_values.shape[0]
    ordered = np.sort(p_values)
    first = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
    if first.size < _FEW_DISTINCT * m:  # as of 0/1 scores: looking up is faster than an order
        distinct = ordered[first]
        del ordered
        adjusted = np.empty(m)
        steps = np.minimum(np.maximum.accumulate(factors(first) * distinct), 1.0)
        for start in range(0, m, _LOOKED_UP_AT_ONCE):
            part = slice(start, start + _LOOKED_UP_AT_ONCE)
            adjusted[part] = steps[np.searchsorted(distinct, p_values[part])]
        return adjusted
    adjusted, order = np.empty(m), np.argsort(p_values, kind="stable")
    adjusted[order] = np.minimum(np.maximum.accumulate(factors(np.arange(m)) * ordered), 1.0)
    return adjusted


def holm(p_values: FloatArray) -> FloatArray:
    """Holm's procedure; that of statsmodels collects garbage each time, a fifth of a small board's time."""
    return stepped_down(p_values, lambda places: p_values.shape[0] - places)


def _from_statsmodels(name: str) -> Callable[[FloatArray], FloatArray]:
    """The statsmodels procedure of this name on a family without NaN, shape (n,) → (n,)."""

    def run(p_values: FloatArray) -> FloatArray:
        from statsmodels.stats.multitest import multipletests

        with np.errstate(divide="ignore"):  # Šidák takes log(1 − p), −∞ at p = 1, which gives the right 1
            adjusted: FloatArray = multipletests(p_values, method=name)[1]
        return adjusted

    return run


def _hommel(p_values: FloatArray) -> FloatArray:
    """Hommel's procedure; its cost grows with the square of the family."""
    if p_values.size > LARGEST_QUADRATIC_FAMILY:
        raise AnalysisError(
            f"Hommel's correction of {p_values.size:,} pairs would take too long; "
            f"use hochberg or holm above {LARGEST_QUADRATIC_FAMILY:,} pairs."
        )
    return _from_statsmodels("hommel")(p_values)


_FWER = "family-wise error rate"
_FDR = "false discovery rate"

METHODS: tuple[Correction, ...] = (
    Correction(
        key="none",
        label="No correction",
        summary="The unadjusted p-values: with many pairs some will be small by chance alone.",
        run=on_p_values(_uncorrected),
        error_rate="nothing beyond the single comparison",
        formula=r"\tilde p_i = p_i",
        level_of_one=WHOLE,
        controls="",
        explored=True,
        in_blocks=True,
    ),
    Correction(
        key="bonferroni",
        label="Bonferroni",
        summary="Multiplies every p-value by the number of pairs.",
        run=on_p_values(_from_statsmodels("bonferroni")),
        error_rate=f"{_FWER} under any dependence if every p-value is valid",
        formula=r"\tilde p_i = \min(1, m p_i)",
        references=("dunn1961",),
        level_of_one=DIVIDED,
        level_of_first=DIVIDED,
        steps="single",
        explored=True,
        in_blocks=True,
    ),
    Correction(
        key="sidak",
        label="Šidák",
        summary="Bonferroni's idea with the exact product for independent tests.",
        run=on_p_values(_from_statsmodels("sidak")),
        error_rate=f"{_FWER} for independent or positively dependent tests",
        assumptions=("tests are independent or positively dependent",),
        formula=r"\tilde p_i = 1 - (1 - p_i)^m",
        references=("sidak1967",),
        level_of_one=PRODUCT,
        level_of_first=PRODUCT,
        steps="single",
    ),
    Correction(
        key="holm",
        label="Holm",
        summary="Steps down from the smallest p-value; never weaker than Bonferroni.",
        run=on_p_values(holm),
        error_rate=f"{_FWER} under any dependence if every p-value is valid",
        formula=r"\tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1) p_{(j)})",
        references=("holm1979",),
        level_of_one=DIVIDED,
        level_of_first=DIVIDED,
        steps="down",
        hardest_step=True,
        explored=True,
        in_blocks=True,
    ),
    Correction(
        key="holm-sidak",
        label="Holm–Šidák",
        summary="Holm's steps with Šidák's product.",
        run=on_p_values(_from_statsmodels("holm-sidak")),
        error_rate=f"{_FWER} for independent or positively dependent tests",
        assumptions=("tests are independent or positively dependent",),
        formula=r"\tilde p_{(i)} = \max_{j \le i} 1 - (1 - p_{(j)})^{m - j + 1}",
        references=("holm1979", "sidak1967"),
        level_of_one=PRODUCT,
        level_of_first=PRODUCT,
        steps="down",
        hardest_step=True,
    ),
    Correction(
        key="hochberg",
        label="Hochberg",
        summary="Steps up from the largest p-value with Holm's factors.",
        run=on_p_values(_from_statsmodels("simes-hochberg")),
        error_rate=f"{_FWER} under positive dependence",
        assumptions=("positive dependence between the tests is assumed",),
        formula=r"\tilde p_{(i)} = \min_{j \ge i} \min(1, (m - j + 1) p_{(j)})",
        references=("hochberg1988",),
        level_of_one=DIVIDED,
        hardest_step=True,
        positive_dependence=True,
    ),
    Correction(
        key="hommel",
        label="Hommel",
        summary="Closed testing with Simes' inequality; a little stronger than Hochberg.",
        run=on_p_values(_hommel),
        error_rate=f"{_FWER} under positive dependence",
        assumptions=("positive dependence between the tests is assumed",),
        formula=r"\text{closed testing of all intersections by Simes' test}",
        references=("hommel1988",),
        level_of_one=DIVIDED,
        hardest_step=True,
        positive_dependence=True,
        squared_cost=True,
    ),
    Correction(
        key="benjamini-hochberg",
        label="Benjamini–Hochberg",
        summary="Bounds the expected share of false findings among the findings.",
        run=on_p_values(_from_statsmodels("fdr_bh")),
        error_rate=f"{_FDR} under positive dependence",
        assumptions=("positive dependence between the tests is assumed",),
        formula=r"\tilde p_{(i)} = \min_{j \ge i} \min(1, \tfrac{m}{j} p_{(j)})",
        references=("benjamini1995",),
        level_of_one=DIVIDED,
        controls="false-discovery",
        hardest_step=True,
        positive_dependence=True,
        explored=True,
        in_blocks=True,
    ),
    Correction(
        key="benjamini-yekutieli",
        label="Benjamini–Yekutieli",
        summary="Benjamini–Hochberg made safe for any dependence.",
        run=on_p_values(_from_statsmodels("fdr_by")),
        error_rate=f"{_FDR} under any dependence if every p-value is valid",
        formula=r"\tilde p_{(i)} = \min_{j \ge i} \min(1, \tfrac{m}{j} p_{(j)} \textstyle\sum_{k=1}^m 1/k)",
        references=("benjamini2001",),
        level_of_one=HARMONIC,
        controls="false-discovery",
        explored=True,
    ),
)
