"""Tails and quantiles with logarithms, so that p never underflows to 0."""

from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.far_tails import log_beta_tail, log_gamma_tail

# Below this the closed forms of SciPy lose digits or underflow and the series takes over.
_SMALL = 1e-280


def t_log_sf(t: FloatArray, df: float | FloatArray) -> FloatArray:
    """Natural logarithm of P(T > t) for Student's t, accurate far below 1e-308.

    df (float, or float array of the shape of t): Degrees of freedom, above 0.
    Returns float array of the same shape; NaN stays NaN..

    Tiny tails are half of those of t² as F with 1 and df degrees of freedom (`log_beta_tail`).
    """
    from scipy import special

    t = np.asarray(t, dtype=float)
    with np.errstate(under="ignore", divide="ignore", invalid="ignore"):
        plain = special.stdtr(df, -t)
        log_p = np.log(plain)
    far = (plain < _SMALL) & (t > 0)
    if far.any():
        a = np.broadcast_to(df, t.shape)[far] / 2
        log_p[far] = log_beta_tail(2 * np.log(t[far]), a, np.full(a.shape, 0.5)) - np.log(2)
    return log_p


def t_of_other_freedom(t: FloatArray, freedom: float | FloatArray, wanted: float | FloatArray) -> FloatArray:
    """The value of Student's t that lies as far out on other degrees of freedom, by Wallace's normal score.

    freedom, wanted (floats, or float arrays that fit the shape of t): Degrees of freedom of t, and of the
        result; t itself where they are equal.
    Returns float array, shape of all three together; infinite where it is beyond what a number can hold.

    t on f degrees of freedom is about normal as ±(8f + 1)/(8f + 3)·√(f·log(1 + t²/f)), a rising function of t
    that can be turned round.

    Source: Wallace (1959), Annals of Mathematical Statistics 30, 1121–1130.
    """
    scale = ((8 * freedom + 1) / (8 * freedom + 3)) ** 2 * freedom
    scale = scale / (((8 * wanted + 1) / (8 * wanted + 3)) ** 2 * wanted)
    with np.errstate(over="ignore"):
        squares = wanted * np.expm1(scale * np.log1p(t * t / freedom))
    turned: FloatArray = np.copysign(np.sqrt(squares), t)
    return turned


def f_log_sf(f: FloatArray, df_between: float, df_within: float) -> FloatArray:
    """Natural logarithm of P(F > f), accurate far below 1e-308.

    f: 0 or more.
    df_between, df_within: Degrees of freedom of numerator and denominator, above 0.
    Returns float array of the same shape.

    P(F > f) = I_x(a, b) with a = df_within/2, b = df_between/2, x = df_within/(df_within + df_between·f),
    from the smaller of x and 1 − x; tiny tails from `log_beta_tail`.
    """
    from scipy import special

    f = np.asarray(f, dtype=float)
    a, b = df_within / 2, df_between / 2
    x = 1 / (1 + df_between / df_within * f)
    with np.errstate(divide="ignore"):
        rest = 1 / (1 + df_within / df_between / f)
        plain = np.where(x > 0.5, special.betaincc(b, a, rest), special.betainc(a, b, x))
        log_p: FloatArray = np.log(plain)
    far = plain < _SMALL
    if far.any():
        halves = np.full((2, int(far.sum())), [[a], [b]])
        log_p[far] = log_beta_tail(np.log(f[far]), halves[0], halves[1])
    return log_p


def normal_log_sf(z: FloatArray) -> FloatArray:
    """Natural logarithm of P(Z > z) for the standard normal. Returns float array of the same shape."""
    from scipy import special

    result: FloatArray = special.log_ndtr(-np.asarray(z, dtype=float))
    return result


def normal_quantile(probability: float) -> float:
    """The value below which the standard normal has this probability."""
    from scipy import special

    return float(special.ndtri(probability))


def log_p_from_tails(statistic: FloatArray, log_sf: Any, alternative: Alternative) -> FloatArray:
    """Logarithm of the p-value of a statistic whose null distribution is symmetric about 0.

    log_sf: Natural logarithm of the upper tail of an array.
    """
    if alternative == "greater":
        log_p = log_sf(statistic)
    elif alternative == "less":
        log_p = log_sf(-statistic)
    else:
        log_p = np.minimum(log_sf(np.abs(statistic)) + np.log(2.0), 0.0)
    result: FloatArray = log_p
    return result


def continuity_step(centred: FloatArray, alternative: Alternative) -> FloatArray:
    """Direction in which a continuity correction reduces a discrete statistic, as −1, 0 or +1.

    centred: The statistic minus its mean.
    Returns float array of the same shape: To be multiplied by half the statistic's step and subtracted.
    """
    if alternative == "two-sided":
        towards: FloatArray = np.sign(centred)
        return towards
    return np.full(centred.shape, 1.0 if alternative == "greater" else -1.0)


def two_sided_mass(level: float, alternative: Alternative) -> float:
    """Upper-tail probability that an interval of the given level leaves out at each finite end.

    level: Confidence level.
    """
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level


def one_sided(
    low: FloatArray,
    high: FloatArray,
    alternative: Alternative,
    lowest: float | FloatArray = -np.inf,
    highest: float | FloatArray = np.inf,
) -> FloatArray:
    """Interval as an (n, 2) array; a one-sided alternative opens one end up to the quantity's bound.

    low, high (float arrays, shape (n,)).
    lowest, highest (float or float arrays, shape (n,)): Where the open end lies: infinity, or the bounds of a
        bounded quantity.
    Returns float array, shape (n, 2).
    """
    defined = ~np.isnan(low)
    if alternative == "greater":
        high = np.where(defined, highest, np.nan)
    elif alternative == "less":
        low = np.where(defined, lowest, np.nan)
    return np.stack([low, high], axis=-1)


def student_interval(
    mean: FloatArray, sd: FloatArray, n: int, level: float, alternative: Alternative
) -> FloatArray:
    """Student's t interval for a mean.

    mean, sd (float arrays, shape (n_pairs,)): Metric points; sd with ddof 1.
    n: Number of units.
    alternative: One-sided alternatives give one-sided intervals.
    Returns float array, shape (n_pairs, 2); NaN below two units.
    """
    from scipy import special

    if n < 2:
        return np.full((mean.shape[0], 2), np.nan)
    quantile = special.stdtrit(n - 1, 1 - two_sided_mass(level, alternative))
    margin = quantile * sd / np.sqrt(n)
    return one_sided(mean - margin, mean + margin, alternative)


def t_interval(
    value: FloatArray, error: FloatArray, freedom: FloatArray, level: float, alternative: Alternative
) -> FloatArray:
    """Student's t interval with degrees of freedom of each value's own.

    value, error, freedom (float arrays, shape (k,)).
    Returns float array, shape (k, 2).
    """
    from scipy import special

    defined = ~np.isnan(error) & ~np.isnan(freedom)
    quantile = special.stdtrit(np.where(defined, freedom, 1.0), 1 - two_sided_mass(level, alternative))
    margin = np.where(defined, quantile * error, np.nan)
    return one_sided(value - margin, value + margin, alternative)


def chi2_log_sf(statistic: FloatArray, df: float) -> FloatArray:
    """Natural logarithm of P(X > x) for chi-square, accurate far below 1e-308.

    df: Degrees of freedom, above 0.
    Returns float array of the same shape.

    P = Γ(a, y)/Γ(a), a = df/2, y = x/2; tiny tails from `log_gamma_tail`.
    """
    from scipy import special

    a, y = df / 2, np.asarray(statistic, dtype=float) / 2
    plain = special.gammaincc(a, y)
    with np.errstate(divide="ignore"):
        log_p: FloatArray = np.log(plain)
    far = plain < _SMALL
    if far.any():
        log_p[far] = log_gamma_tail(y[far], a)
    return log_p
