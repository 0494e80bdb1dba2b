"""The F test of equal variances: a diagnostic for two independent samples."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.columns.outcomes import SMALLEST_P
from nlpstat_core.records import Procedure


@dataclass(frozen=True)
class VarianceRatio:
    """The ratio of two variances and its test.

    statistic: s_u²/s_v²; NaN without spread in v or below two units on a side.
    """

    statistic: float
    p_value: float
    degrees_of_freedom: tuple[float, float]


def variance_ratio(u: FloatArray, v: FloatArray, alternative: Alternative = "two-sided") -> VarianceRatio:
    """F test of equal variances of two independent samples.

    Null hypothesis: both samples come from normal distributions of the same variance.

    Parameters
    ----------
    u, v : float arrays, shapes (n_u,) and (n_v,)
        Scores without NaN.
    alternative : {"two-sided", "greater", "less"}
        About the variance of u relative to that of v.

    Returns
    -------
    VarianceRatio

    Notes
    -----
    F = s_u²/s_v² on n_u − 1 and n_v − 1 degrees of freedom; two-sided is twice the smaller tail. Very
    sensitive to scores that are not normal: prefer Welch's test to choosing between two tests by this one.
    Cost O(n).
    """
    from scipy import special

    freedom = (float(u.size - 1), float(v.size - 1))
    if min(freedom) < 1 or np.ptp(v) == 0:
        return VarianceRatio(np.nan, np.nan, freedom)
    # In units of the wider range: squares of tiny scores are 0, of huge ones infinite.
    unit = max(float(np.ptp(u)), float(np.ptp(v)))
    spreads = [float(((scores - scores[0]) / unit).var(ddof=1)) for scores in (u, v)]
    if spreads[1] == 0:
        return VarianceRatio(np.nan, np.nan, freedom)
    ratio = spreads[0] / spreads[1]
    above, below = float(special.fdtrc(*freedom, ratio)), float(special.fdtr(*freedom, ratio))
    tails = {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}
    return VarianceRatio(ratio, max(tails[alternative], SMALLEST_P), freedom)


METHOD = Procedure(
    key="variance-ratio",
    label="F test of equal variances",
    summary="Compares the variances of two independent samples, as a diagnostic only.",
    run=variance_ratio,
    null="both samples come from normal distributions of the same variance",
    assumptions=(
        "items are independent",
        "both systems' scores are normal: other shapes mislead it at any number of items",
    ),
    formula=r"F = \frac{s_u^2}{s_v^2}",
    references=("box1953",),
    design="unpaired",
)
