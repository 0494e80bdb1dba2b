"""Williams's test of two correlations that share a variable."""

import math

from nlpstat_core.methods.correlation.columns import CorrelationTest
from nlpstat_core.methods.correlation.fisher_z import checked_correlations, checked_together
from nlpstat_core.records import Procedure


def williams(r12: float, r13: float, r23: float, n: int) -> CorrelationTest:
    """Williams's t for two correlations with one variable in common, two-sided.

    Null hypothesis: variable 1 (people) is correlated with 2 and with 3 (two metrics) equally strongly.

    Parameters
    ----------
    r12, r13 : float
        Correlations of each metric with people.
    r23 : float
        Correlation of the metrics.
    n : int
        Units, or systems; below 4 the test is undefined (NaN).

    Returns
    -------
    CorrelationTest
        The estimate is r12 − r13; t has n − 3 degrees of freedom.

    Raises
    ------
    AnalysisError
        For numbers that are no correlations, or that no data have at once.

    Notes
    -----
    Two metrics that are equal have t = 0 and p = 1.

    References
    ----------
    Williams (1959), Regression Analysis;
    Graham et al. (2014), doi:10.3115/v1/D14-1020.

    Examples
    --------
    >>> found = williams(0.4, 0.6, 0.1, 100)
    >>> round(found.statistic, 4)
    -1.8746
    """
    from scipy.special import stdtr

    checked_correlations(r12, r13, r23)
    checked_together([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    difference = r12 - r13
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    t = p = math.nan
    if n >= 4 and not math.isnan(r12 + r13 + r23):
        mean = (r12 + r13) / 2
        below = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + mean**2 * (1 - r23) ** 3
        if abs(difference) <= 1e-15:
            t = 0.0
        elif below > 0:
            t = difference * math.sqrt((n - 1) * (1 + r23) / below)
        p = 2 * float(stdtr(n - 3, -abs(t)))
    return CorrelationTest(
        test="williams", estimate=difference, statistic=t, p_value=p, lower=math.nan, upper=math.nan, n=n
    )


METHOD = Procedure(
    key="williams",
    label="Williams's test",
    summary="Compares two correlations with the same third variable, such as two metrics with people.",
    run=williams,
    null="the two metrics are correlated with people equally strongly",
    assumptions=("items are independent", "the three scores are jointly normal"),
    formula=r"t = (r_{12} - r_{13}) \sqrt{\frac{(n - 1)(1 + r_{23})}"
    r"{2 \frac{n - 1}{n - 3} |R| + \frac{(r_{12} + r_{13})^2}{4} (1 - r_{23})^3}}",
    references=("williams1959", "graham2014"),
)
