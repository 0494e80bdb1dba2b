"""Logarithms of tails too small for a float: incomplete beta and gamma functions as continued fractions."""

import numpy as np

from nlpstat_core.arrays import FloatArray

# Steps of a continued fraction; 1e-300 of mass needs some thirty, whatever the degrees of freedom.
_MOST_STEPS = 100_000
_CLOSE = 1e-15
_TINY = 1e-300
_HALF_LOG_2PI = 0.5 * float(np.log(2 * np.pi))
_SERIES_FROM = 10.0


def log_beta_tail(log_ratio: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """log P(F > f) for F with 2b and 2a degrees of freedom, in full relative accuracy far in the tail.

    log_ratio (float array, shape (k,)): log f, above 0: f is beyond the mean.
    a, b (float arrays, shape (k,)): Half the degrees of freedom of the denominator, and of the numerator.
    Returns float array, shape (k,).

    P = I_x(a, b), x = a/(a + b·f): x^a·(1 − x)^b/(a·B(a, b)) times the continued fraction of DLMF 8.17.22.
    The first factor is written as exp(b·log f − (a + b)·log(1 + b(f − 1)/(a + b))) times what Stirling's
    formula leaves of B(a, b), in which nothing large cancels.

    Source: DLMF 8.17.22, https://dlmf.nist.gov/8.17; Loader (2000), Fast and accurate computation of binomial
    probabilities.
    """
    whole, infinite = a + b, np.isinf(log_ratio)
    log_f = np.where(infinite, 1.0, log_ratio)
    share = np.log(b / whole)
    with np.errstate(over="ignore"):
        spread = np.where(
            log_f < 30, np.log1p(np.expm1(log_f) * b / whole), np.logaddexp(np.log(a / whole), share + log_f)
        )
    x = np.exp(np.log(a / whole) - spread)
    log_p: FloatArray = b * log_f - whole * spread + 0.5 * (np.log(b) - np.log(a) - np.log(whole))
    log_p += stirling_error(whole) - stirling_error(a) - stirling_error(b) - _HALF_LOG_2PI
    log_p -= np.log(_beta_fraction(a, b, x))
    return np.where(infinite, -np.inf, log_p)


def log_gamma_tail(y: FloatArray, a: float) -> FloatArray:
    """log Γ(a, y)/Γ(a) in full relative accuracy far in the tail, y above a + 1.

    y (float array, shape (k,)).
    Returns float array, shape (k,).

    y^a·e^(−y)/Γ(a) over Legendre's continued fraction y + 1 − a − 1(1 − a)/(y + 3 − a − …); the first factor
    as exp(−a·(m − log(1 + m))), m = (y − a)/a, times what Stirling's formula leaves of Γ(a).

    Source: DLMF 8.9.2, https://dlmf.nist.gov/8.9.
    """
    infinite = np.isinf(y)
    y = np.where(infinite, a + 2, y)
    beyond = (y - a) / a
    first = -a * (beyond - np.log1p(beyond)) + 0.5 * np.log(a) - _HALF_LOG_2PI - stirling_error(np.array(a))
    return np.where(infinite, -np.inf, first - np.log(_gamma_fraction(a, y)))


def stirling_error(z: FloatArray) -> FloatArray:
    """log Γ(z) minus Stirling's formula (z − ½)·log z − z + ½·log 2π.

    z: Above 0.
    Returns float array of the same shape.
    """
    from scipy import special

    z = np.asarray(z, dtype=float)
    square = np.maximum(z, _SERIES_FROM) ** 2
    tail = 1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360360 / square) / square) / square
    series = (1 / 12 - (1 / 360 - tail / square) / square) / np.maximum(z, _SERIES_FROM)
    small = np.minimum(z, _SERIES_FROM)
    exact = special.gammaln(small) - (small - 0.5) * np.log(small) + small - _HALF_LOG_2PI
    result: FloatArray = np.where(z < _SERIES_FROM, exact, series)
    return result


def _beta_fraction(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    """1 + d₁/(1 + d₂/(1 + …)) of the incomplete beta function, by Lentz's method from the front."""
    value, upper, lower = np.ones(x.shape), np.ones(x.shape), np.zeros(x.shape)
    for m in range(_MOST_STEPS):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2))
        before = value
        for part in (odd, even):
            lower = 1 / _off_zero(1 + part * lower)
            upper = _off_zero(1 + part / upper)
            value = value * upper * lower
        if np.all(np.abs(value - before) <= _CLOSE * np.abs(value)):
            break
    return value


def _gamma_fraction(a: float, y: FloatArray) -> FloatArray:
    """y + 1 − a − 1(1 − a)/(y + 3 − a − …), by Lentz's method from the front."""
    value = upper = y + 1 - a
    lower = np.zeros(y.shape)
    for k in range(1, _MOST_STEPS):
        part, term = -k * (k - a), y + 2 * k + 1 - a
        lower = 1 / _off_zero(term + part * lower)
        upper = _off_zero(term + part / upper)
        before, value = value, value * upper * lower
        if np.all(np.abs(value - before) <= _CLOSE * np.abs(value)):
            break
    return value


def _off_zero(value: FloatArray) -> FloatArray:
    return np.where(value == 0, _TINY, value)
