"""Counts in categories: chi-square tests of fit and independence, Cramér's V."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.outcomes import SMALLEST_P
from nlpstat_core.engine.distributions.tails import chi2_log_sf
from nlpstat_core.errors import AnalysisError
from nlpstat_core.records import Procedure

FEW_EXPECTED = 5.0


@dataclass(frozen=True, kw_only=True)
class CategoricalTest:
    """A test of counts.

    statistic: Chi-square; for Fisher's test the probability of the observed table.
    p_value, log10_p: NaN where undefined.
    degrees_of_freedom: 0 for Fisher's test.
    smallest_expected: Smallest expected count.
    notes: "few-expected" where an expected count is under 5 and chi-square only approximate; "empty-margin"
        where a category never occurs and the test is undefined.
    """

    statistic: float
    p_value: float
    log10_p: float
    degrees_of_freedom: int
    smallest_expected: float
    notes: tuple[str, ...] = ()


def goodness_of_fit(counts: ArrayLike, shares: ArrayLike | None = None) -> CategoricalTest:
    """Chi-square test of counts against given shares.

    Null hypothesis: every category has its given share.

    Parameters
    ----------
    counts : array-like of whole numbers, shape (k,), k ≥ 2
    shares : array-like of float, shape (k,), or None
        Positive, in any scale; None means equal shares.

    Returns
    -------
    CategoricalTest

    Raises
    ------
    AnalysisError
        Counts or shares that are none.

    Notes
    -----
    χ² = Σ(O − E)²/E on k − 1 degrees of freedom. Cost O(k).
    """
    observed = count_table(counts, 1)
    weights = np.ones(observed.size) if shares is None else np.asarray(shares, dtype=np.float64)
    if weights.shape != observed.shape or not np.all(weights > 0):
        raise AnalysisError("Every category needs a share above 0.")
    expected = observed.sum() * weights / weights.sum()
    return _chi_square(observed, expected, observed.size - 1, 0.0)


def independence(table: ArrayLike, *, continuity: bool = False) -> CategoricalTest:
    """Chi-square test of independence of rows and columns.

    Null hypothesis: rows and columns are independent.

    Parameters
    ----------
    table : array-like of whole numbers, shape (r, c), both at least 2
    continuity : bool
        Yates' correction, for 2 × 2 tables only.

    Returns
    -------
    CategoricalTest
        Undefined, with note "empty-margin", where a row or column holds nothing.

    Raises
    ------
    AnalysisError
        Counts that are none.

    Notes
    -----
    χ² = Σ(|O − E| − y)²/E on (r − 1)(c − 1) degrees of freedom, E = row·column/total, y = min(½, |O − E|)
    with the correction. Cost O(r·c).
    """
    observed = count_table(table, 2)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / max(observed.sum(), 1.0)
    corrected = 0.5 if continuity and observed.shape == (2, 2) else 0.0
    freedom = (observed.shape[0] - 1) * (observed.shape[1] - 1)
    return _chi_square(observed, expected, freedom, corrected)


def cramers_v(table: ArrayLike) -> float:
    """How strongly rows and columns depend on each other, from 0 to 1.

    Parameters
    ----------
    table : array-like of whole numbers, shape (r, c), both at least 2

    Returns
    -------
    float; NaN where a row or column holds nothing.

    Raises
    ------
    AnalysisError
        Counts that are none.

    Notes
    -----
    V = √(χ²/(n·(min(r, c) − 1))), without continuity correction or bias correction. Cost O(r·c).

    References
    ----------
    Cramér (1946), Mathematical Methods of Statistics, chapter 21.
    """
    observed = count_table(table, 2)
    statistic = independence(observed).statistic
    return math.sqrt(statistic / (float(observed.sum()) * (min(observed.shape) - 1) or math.nan))


def count_table(given: ArrayLike, dimensions: int) -> FloatArray:
    """Counts, checked.

    Raises AnalysisError: Another shape, fewer than two categories, or numbers that are no counts.
    """
    table = np.asarray(given, dtype=np.float64)
    if table.ndim != dimensions or min(table.shape) < 2:
        raise AnalysisError(f"Counts must form a table of {dimensions} dimensions, each of two or more.")
    if not np.all(np.isfinite(table)) or np.any((table < 0) | (table != np.round(table))):
        raise AnalysisError("Counts must be whole numbers, 0 or more.")
    return table


def _chi_square(
    observed: FloatArray, expected: FloatArray, freedom: int, corrected: float
) -> CategoricalTest:
    smallest = float(expected.min())
    if smallest == 0:
        return CategoricalTest(
            statistic=math.nan,
            p_value=math.nan,
            log10_p=math.nan,
            degrees_of_freedom=freedom,
            smallest_expected=smallest,
            notes=("empty-margin",),
        )
    apart = np.abs(observed - expected)
    statistic = float(np.sum((apart - np.minimum(corrected, apart)) ** 2 / expected))
    log_p = min(float(chi2_log_sf(np.array([statistic]), freedom)[0]), 0.0)
    return CategoricalTest(
        statistic=statistic,
        p_value=max(math.exp(max(log_p, -745.0)), SMALLEST_P),
        log10_p=log_p / math.log(10) + 0.0,
        degrees_of_freedom=freedom,
        smallest_expected=smallest,
        notes=("few-expected",) if smallest < FEW_EXPECTED else (),
    )


FIT = Procedure(
    key="goodness-of-fit",
    label="Chi-square test of goodness of fit",
    summary="Compares counts in categories with given shares.",
    run=goodness_of_fit,
    null="every category has its given share",
    assumptions=("counted items are independent", "every expected count is at least 5"),
    formula=r"\chi^2 = \sum_k \frac{(O_k - E_k)^2}{E_k}",
    references=("pearson1900",),
)
INDEPENDENCE = Procedure(
    key="independence",
    label="Chi-square test of independence",
    summary="Compares a table of counts with what its margins alone would give.",
    run=independence,
    null="rows and columns are independent",
    assumptions=("counted items are independent", "every expected count is at least 5"),
    formula=r"\chi^2 = \sum_{ij} \frac{(O_{ij} - E_{ij})^2}{E_{ij}},\quad E_{ij} = \frac{O_{i+}\, O_{+j}}{n}",
    references=("pearson1900", "yates1934"),
)
CRAMERS_V = Procedure(
    key="cramers-v",
    label="Cramér's V",
    summary="How strongly rows and columns of a table of counts depend on each other, from 0 to 1.",
    run=cramers_v,
    formula=r"V = \sqrt{\frac{\chi^2}{n\, (\min(r, c) - 1)}}",
    references=("cramer1946",),
)
