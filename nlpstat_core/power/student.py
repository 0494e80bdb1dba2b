"""Power of the paired t test for normal differences: the noncentral t."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.noncentral_t import noncentral_t_cdf
from nlpstat_core.power.levels import one_direction
from nlpstat_core.power.solving import smallest_size


def t_power(noncentrality: FloatArray, df: float, alpha: float, alternative: Alternative) -> FloatArray:
    """Probability that Student's t test rejects.

    noncentrality (float array, shape (k,)): True difference in standard errors; δ/σ·√n for independent units.
    df: Degrees of freedom, above 0.
    alpha: Level of this comparison, in (0, 1).
    Returns float array, shape (k,): About twelve digits absolute; two-sided power counts rejections in the
        wrong direction too.

    P(T > c) + P(T < −c) for noncentral T, c the upper α/2 point of t. Gauss–Legendre integrals in place of
    the series that gives NaN for large noncentralities. Cost: 128 normal tails per value.

    Source: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition.
    """
    from scipy import special

    shift = np.asarray(noncentrality, dtype=float)
    if alternative == "two-sided":
        limit = -float(special.stdtrit(df, alpha / 2))
        both: FloatArray = np.add(_above(limit, df, shift), _above(limit, df, -shift))
        return np.clip(both, 0.0, 1.0)
    towards = shift if alternative == "greater" else -shift
    return np.clip(_above(-float(special.stdtrit(df, alpha)), df, towards), 0.0, 1.0)


def _above(limit: float, df: float, shift: FloatArray) -> FloatArray:
    """P(T > limit) of the noncentral t."""
    whole = np.full(shift.shape, abs(limit))
    if limit >= 0:
        above: FloatArray = 1.0 - noncentral_t_cdf(whole, df, shift)
        return above
    return noncentral_t_cdf(whole, df, -shift)


def detectable_noncentrality(power: float, df: float, alpha: float, alternative: Alternative) -> float:
    """The true difference in standard errors that the t test finds with the given power.

    power: In (α, 1).
    Returns: Positive, for "less" negative. NaN where df is not positive or power is at most α.

    Bisection on the power function, which rises with the size of the difference.
    """
    if not df > 0 or power <= alpha:
        return float("nan")
    side = one_direction(alternative)
    size = smallest_size(lambda shift: bool(t_power(np.array([shift]), df, alpha, side)[0] >= power))
    return float("nan") if size is None else -size if alternative == "less" else size
