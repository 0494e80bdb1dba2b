"""Steiger's test of two dependent correlations."""

import math

from nlpstat_core.methods.correlation.columns import CorrelationTest
from nlpstat_core.methods.correlation.fisher_z import checked_correlations, checked_together
from nlpstat_core.records import Procedure


def steiger(
    r12: float, r34: float, *, r13: float, r14: float, r23: float, r24: float, n: int
) -> CorrelationTest:
    """Steiger's Z for two correlations of the same items, two-sided.

    Null hypothesis: the correlation of 1 with 2 equals that of 3 with 4.

    Parameters
    ----------
    r12, r34 : float
        The two correlations.
    r13, r14, r23, r24 : float
        Those between the two pairs; with a variable in common (3 is 1) r13 is 1, r14 = r34 and r23 = r12.
    n : int
        Units; below 4 the test is undefined (NaN).

    Returns
    -------
    CorrelationTest
        The estimate is r12 − r34.

    Raises
    ------
    AnalysisError
        For numbers that are no correlations, or that no data have at once.

    Notes
    -----
    Z₁* of Steiger (1980): Fisher's z with the covariance at the mean of the two correlations.

    References
    ----------
    Steiger (1980), doi:10.1037/0033-2909.87.2.245.

    Examples
    --------
    >>> found = steiger(0.5, 0.6, r13=0.7, r14=0.5, r23=0.5, r24=0.8, n=103)
    >>> round(found.statistic, 4), round(found.p_value, 4)
    (-1.405, 0.16)
    """
    from scipy.special import ndtr

    checked_correlations(r12, r34, r13, r14, r23, r24)
    checked_together([[1, r12, r13, r14], [r12, 1, r23, r24], [r13, r23, 1, r34], [r14, r24, r34, 1]])
    difference = r12 - r34
    z = p = math.nan
    if n >= 4 and not math.isnan(r12 + r34 + r13 + r14 + r23 + r24) and max(abs(r12), abs(r34)) < 1:
        mean = (r12 + r34) / 2
        covariance = 0.5 * (
            (r13 - mean * r23) * (r24 - r23 * mean)
            + (r14 - r13 * mean) * (r23 - mean * r13)
            + (r13 - r14 * mean) * (r24 - mean * r14)
            + (r14 - mean * r24) * (r23 - r24 * mean)
        )
        spread = 2 - 2 * covariance / (1 - mean**2) ** 2
        if abs(difference) <= 1e-15:
            z = 0.0
        elif spread > 0:
            z = (math.atanh(r12) - math.atanh(r34)) * math.sqrt(n - 3) / math.sqrt(spread)
        p = 2 * float(ndtr(-abs(z)))
    return CorrelationTest(
        test="steiger", estimate=difference, statistic=z, p_value=p, lower=math.nan, upper=math.nan, n=n
    )


METHOD = Procedure(
    key="steiger",
    label="Steiger's test",
    summary="Compares two correlations of the same items, with or without a variable in common.",
    run=steiger,
    null="the two correlations are equal",
    assumptions=("items are independent", "the scores are jointly normal"),
    formula=r"Z = (\operatorname{artanh} r_{12} - \operatorname{artanh} r_{34})"
    r"\frac{\sqrt{n - 3}}{\sqrt{2 - 2 \bar s_{12,34}}}",
    references=("steiger1980",),
)
