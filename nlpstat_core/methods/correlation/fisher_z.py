"""Fisher's z test of one correlation."""

import math
from collections.abc import Sequence

import numpy as np

from nlpstat_core.engine.signflip.outcome import checked_alternative
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.correlation.columns import CorrelationTest
from nlpstat_core.records import Procedure

# Off-diagonal entries of a 4 × 4 matrix off by 0.005 each move an eigenvalue by 0.015 at most.
ROUNDED = 0.015


def fisher_z(
    r: float, n: int, *, rho: float = 0.0, level: float = 0.95, alternative: str = "two-sided"
) -> CorrelationTest:
    """Fisher's z test of one Pearson correlation.

    Null hypothesis: the correlation in the population is ρ.

    Parameters
    ----------
    r : float
        Pearson's correlation.
    n : int
        Units; below 4 the test is undefined (NaN).
    rho : float
        Hypothesised correlation, between −1 and 1.
    level : float
        Of the interval.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    CorrelationTest

    Raises
    ------
    AnalysisError
        Numbers that are no correlations.

    Notes
    -----
    z = (artanh r − artanh ρ)·√(n − 3), normal for scores from a bivariate normal distribution.

    References
    ----------
    Fisher (1921), On the probable error of a coefficient of correlation deduced from a small sample.

    Examples
    --------
    >>> found = fisher_z(0.5, 28)
    >>> round(found.statistic, 4), round(found.lower, 4), round(found.upper, 4)
    (2.7465, 0.156, 0.7358)
    """
    from scipy.special import ndtr, ndtri

    checked_alternative(alternative)
    checked_correlations(r)
    if not -1 < rho < 1:
        raise AnalysisError("The hypothesised correlation must lie between −1 and 1.")
    nothing = math.isnan(r) or n < 4
    if nothing:
        return CorrelationTest(
            test="fisher-z",
            estimate=r,
            statistic=math.nan,
            p_value=math.nan,
            lower=math.nan,
            upper=math.nan,
            n=n,
        )
    centre = math.copysign(math.inf, r) if abs(r) >= 1 else math.atanh(r)
    z = (centre - math.atanh(rho)) * math.sqrt(n - 3)
    p = {"two-sided": 2 * float(ndtr(-abs(z))), "greater": float(ndtr(-z)), "less": float(ndtr(z))}
    mass = (1 - level) / (2 if alternative == "two-sided" else 1)
    half = -float(ndtri(mass)) / math.sqrt(n - 3)
    lower = -1.0 if alternative == "less" else math.tanh(centre - half)
    upper = 1.0 if alternative == "greater" else math.tanh(centre + half)
    return CorrelationTest(
        test="fisher-z",
        estimate=r,
        statistic=z,
        p_value=max(p[alternative], 5e-324),
        lower=lower,
        upper=upper,
        n=n,
    )


def checked_correlations(*values: float) -> None:
    """Raise unless every number is a correlation or NaN."""
    for value in values:
        if abs(value) > 1 + 1e-12:
            raise AnalysisError(f"A correlation must be between −1 and 1, not {value:g}.")


def checked_together(matrix: Sequence[Sequence[float]]) -> None:
    """Raise unless the correlations of a full matrix can hold at once, rounded to two decimals at worst."""
    if math.isnan(sum(map(sum, matrix))):
        return
    if float(np.linalg.eigvalsh(np.asarray(matrix, dtype=np.float64))[0]) < -ROUNDED:
        raise AnalysisError(
            "No data can have these correlations together: two variables that each follow a third also "
            "follow each other. "
            "Compute all of them on the same items, or check their signs and order."
        )


METHOD = Procedure(
    key="fisher-z",
    label="Fisher's z test",
    summary="Compares one Pearson correlation with a hypothesised one on a scale where it is nearly normal.",
    run=fisher_z,
    null="the two scores have correlation {delta} in the population",
    assumptions=(
        "items are independent",
        "both scores are jointly normal; far from it the permutation test holds",
    ),
    formula=r"z = (\operatorname{artanh} r - \operatorname{artanh} \rho_0) \sqrt{n - 3}",
    references=("fisher1921",),
)
