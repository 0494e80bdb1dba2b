"""Tails and quantiles with logarithms, so that p never underflows to 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative

# Below this the closed forms of SciPy lose digits or underflow and the series takes over.
_SMALL = 1e-280


def t_log_sf(t: FloatArray, df: float | FloatArray) -> FloatArray:
    """Natural logarithm of P(T > t) for Student's t, accurate far below 1e-308.

    Parameters
    ----------
    t : float array
    df : float, or float array of the shape of t
        Degrees of freedom, above 0.

    Returns
    -------
    float array of the same shape; NaN stays NaN.

    Notes
    -----
    P(T > t) = ½·I_x(df/2, ½) with x = df/(df + t²); for tiny tails the incomplete beta function is
    x^a·√(1−x)/(a·B(a, ½))·₂F₁(a + ½, 1; a + 1; x), a = df/2.
    """
    from scipy import special

    t = np.asarray(t, dtype=float)
    with np.errstate(under="ignore", divide="ignore", invalid="ignore"):
        plain = special.stdtr(df, -t)
        log_p = np.log(plain)
    far = (plain < _SMALL) & (t > 0)
    if far.any():
        df = np.broadcast_to(df, t.shape)[far]
        a = df / 2
        square = t[far] ** 2
        with np.errstate(over="ignore", under="ignore"):
            x = df / (df + square)
            series = special.hyp2f1(a + 0.5, 1.0, a + 1.0, x)
        log_x = np.log(df) - np.where(np.isinf(t[far]), np.inf, np.log(df + square))
        log_p[far] = a * log_x + 0.5 * np.log1p(-x) - np.log(a) - special.betaln(a, 0.5)
        log_p[far] += np.log(series) - np.log(2)
    return log_p


def f_log_sf(f: FloatArray, df_between: float, df_within: float) -> FloatArray:
    """Natural logarithm of P(F > f), accurate far below 1e-308.

    Parameters
    ----------
    f : float array
        0 or more.
    df_between, df_within : float
        Degrees of freedom of numerator and denominator, above 0.

    Returns
    -------
    float array of the same shape

    Notes
    -----
    P(F > f) = I_x(a, b) with a = df_within/2, b = df_between/2, x = df_within/(df_within + df_between·f); for
    tiny tails x^a·(1−x)^b/(a·B(a, b))·₂F₁(a + b, 1; a + 1; x).
    """
    from scipy import special

    f = np.asarray(f, dtype=float)
    a, b = df_within / 2, df_between / 2
    x = df_within / (df_within + df_between * f)
    plain = special.betainc(a, b, x)
    with np.errstate(divide="ignore"):
        log_p: FloatArray = np.log(plain)
    far = plain < _SMALL
    if far.any():
        series = special.hyp2f1(a + b, 1.0, a + 1.0, x[far])
        log_p[far] = a * np.log(x[far]) + b * np.log1p(-x[far]) - np.log(a) - special.betaln(a, b)
        log_p[far] += np.log(series)
    return log_p


def normal_log_sf(z: FloatArray) -> FloatArray:
    """Natural logarithm of P(Z > z) for the standard normal.

    Parameters
    ----------
    z : float array

    Returns
    -------
    float array of the same shape
    """
    from scipy import special

    result: FloatArray = special.log_ndtr(-np.asarray(z, dtype=float))
    return result


def normal_quantile(probability: float) -> float:
    """The value below which the standard normal has this probability.

    Parameters
    ----------
    probability : float

    Returns
    -------
    float
    """
    from scipy import special

    return float(special.ndtri(probability))


def log_p_from_tails(statistic: FloatArray, log_sf: Any, alternative: Alternative) -> FloatArray:
    """Logarithm of the p-value of a statistic whose null distribution is symmetric about 0.

    Parameters
    ----------
    statistic : float array
    log_sf : callable
        Natural logarithm of the upper tail of an array.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float array; two-sided values are capped at log 1 = 0.
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

    Parameters
    ----------
    centred : float array
        The statistic minus its mean.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float array of the same shape
        To be multiplied by half the statistic's step and subtracted.
    """
    if alternative == "two-sided":
        towards: FloatArray = np.sign(centred)
        return towards
    return np.full(centred.shape, 1.0 if alternative == "greater" else -1.0)


def two_sided_mass(level: float, alternative: Alternative) -> float:
    """Upper-tail probability that an interval of the given level leaves out at each finite end.

    Parameters
    ----------
    level : float
        Confidence level.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float
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

    Parameters
    ----------
    low, high : float arrays, shape (n,)
    alternative : {"two-sided", "greater", "less"}
    lowest, highest : float or float arrays, shape (n,)
        Where the open end lies: infinity, or the bounds of a bounded quantity.

    Returns
    -------
    float array, shape (n, 2)
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

    Parameters
    ----------
    mean, sd : float arrays, shape (n_pairs,)
        Metric points; sd with ddof 1.
    n : int
        Number of units.
    level : float
    alternative : {"two-sided", "greater", "less"}
        One-sided alternatives give one-sided intervals.

    Returns
    -------
    float array, shape (n_pairs, 2); NaN below two units.
    """
    from scipy import special

    if n < 2:
        return np.full((mean.shape[0], 2), np.nan)
    quantile = special.stdtrit(n - 1, 1 - two_sided_mass(level, alternative))
    margin = quantile * sd / np.sqrt(n)
    return one_sided(mean - margin, mean + margin, alternative)


def chi2_log_sf(statistic: FloatArray, df: float) -> FloatArray:
    """Natural logarithm of P(X > x) for chi-square, accurate far below 1e-308.

    Parameters
    ----------
    statistic : float array
    df : float
        Degrees of freedom, above 0.

    Returns
    -------
    float array of the same shape

    Notes
    -----
    P = Γ(a, y)/Γ(a), a = df/2, y = x/2; for tiny tails Γ(a, y) = y^a e^(−y) · (1/(y + 1 − a − …)), Legendre's
    continued fraction, which converges quickly because y is far above a there.
    """
    from scipy import special

    a, y = df / 2, np.asarray(statistic, dtype=float) / 2
    plain = special.gammaincc(a, y)
    with np.errstate(divide="ignore"):
        log_p: FloatArray = np.log(plain)
    far = plain < _SMALL
    if far.any():
        log_p[far] = a * np.log(y[far]) - y[far] - special.gammaln(a) - np.log(_legendre(a, y[far]))
    return log_p


def _legendre(a: float, y: FloatArray) -> FloatArray:
    """Denominator of Legendre's continued fraction of Γ(a, y), by Lentz's method from the far end."""
    value = np.zeros_like(y)
    for k in range(400, 0, -1):
        value = k * (k - a) / (y + 2 * k + 1 - a - value)
    result: FloatArray = y + 1 - a - value
    return result
