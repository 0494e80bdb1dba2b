"""The level of one comparison inside a family, and the power of a t test at it by the noncentral t."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.noncentral_t import noncentral_t_cdf
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.power.solving import smallest_size


def comparison_alpha(alpha: float, correction: str = "none", comparisons: int = 1) -> float:
    """Level at which one comparison is decided whatever becomes of the others.

    alpha: Level of the family, in (0, 1).
    comparisons: Size of the family, m.
    Returns: α without correction, 1 − (1 − α)^(1/m) for Šidák's, α/(m·Σ 1/k) for Benjamini–Yekutieli, else
        α/m. For corrections in steps and for max-T that is the strictest step: power at it is a lower bound.
    Raises ConfigError: An unknown correction, a level outside (0, 1), no comparison.

    Source: Dunn (1961), doi:10.1080/01621459.1961.10482090; Šidák (1967), doi:10.1080/01621459.1967.10482935.

    >>> comparison_alpha(0.05, "holm", 325) == 0.05 / 325
    True
    """
    if correction not in CORRECTIONS:
        raise ConfigError(unknown("correction", correction, CORRECTIONS.keys))
    if isinstance(comparisons, bool) or comparisons != int(comparisons) or comparisons < 1:
        raise ConfigError(f"comparisons must be a whole number, at least 1, not {shown(comparisons)}.")
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha must be a number above 0 and below 1, not {shown(alpha)}.")
    return CORRECTIONS[correction].level_of_one.of_one(float(alpha), int(comparisons))


def attained_level(signs: int, level: float, alternative: Alternative) -> float:
    """The largest share of all patterns of signs that doesn't exceed a level: what swaps of so few attain.

    signs: Documents or units that are swapped.
    Returns: 0 where not even the most extreme pattern is rare enough.

    >>> attained_level(6, 0.05, "two-sided"), attained_level(5, 0.05, "two-sided")
    (0.03125, 0.0)
    """
    patterns = 2.0 ** min(signs - (alternative == "two-sided"), 1000)
    return math.floor(level * patterns) / patterns if patterns < 2**50 else level


def one_direction(alternative: Alternative) -> Alternative:
    """The alternative for an effect whose sign has been dropped."""
    return "two-sided" if alternative == "two-sided" else "greater"


def t_power(noncentrality: FloatArray, df: float, alpha: float, alternative: Alternative) -> FloatArray:
    """Probability that Student's t test rejects.

    noncentrality (float array, shape (k,)): True difference in standard errors; δ/σ·√n for independent units.
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
