"""Tests of normality: Shapiro–Wilk for a whole batch of pairs, four more for one pair."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.outcomes import SMALLEST_P
from nlpstat_core.engine.signflip.span import near_one
from nlpstat_core.records import Procedure

# Royston's polynomials, lowest power first (AS R94).
_LARGEST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
_SECOND = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_SMALL_MEAN = (0.544, -0.39978, 0.025054, -6.714e-4)
_SMALL_SPREAD = (1.3822, -0.77857, 0.062767, -0.0020322)
_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
_SPREAD = (-0.4803, -0.082676, 0.0030302)
_BOUND = (-2.273, 0.459)


def shapiro_wilk_p(sorted_rows: FloatArray) -> FloatArray:
    """P-values of the Shapiro–Wilk test for many samples of one size.

    Null hypothesis: the sample comes from a normal distribution.

    Parameters
    ----------
    sorted_rows : float array, shape (n_samples, n)
        Each row rising and not constant.

    Returns
    -------
    float array, shape (n_samples,)
        NaN below three values. The approximation was made for n up to 5,000.

    Notes
    -----
    W is the squared correlation of the sorted values with approximate expected normal order statistics;
    a transform of 1 − W is approximately normal. The same numbers as R's shapiro.test. Cost O(n) per row.
    """
    from scipy import special

    n = sorted_rows.shape[1]
    if n < 3:
        return np.full(sorted_rows.shape[0], np.nan)
    weights = _shapiro_weights(n)
    centred = sorted_rows - sorted_rows.mean(axis=1, keepdims=True)
    centred /= np.abs(centred).max(axis=1, keepdims=True)
    along = centred @ weights
    both = np.sqrt(weights @ weights * np.einsum("ij,ij->i", centred, centred))
    lack = np.maximum((both - along) * (both + along), 0.0) / both**2
    if n == 3:
        p_three = 6 / np.pi * (np.arcsin(np.sqrt(1 - lack)) - np.arcsin(np.sqrt(0.75)))
        clipped: FloatArray = np.clip(p_three, 0.0, 1.0)
        return clipped
    with np.errstate(divide="ignore"):
        y = np.log(lack)
    if n <= 11:
        bound = _polynomial(_BOUND, n)
        with np.errstate(invalid="ignore", divide="ignore"):
            y = np.where(y >= bound, np.inf, -np.log(bound - y))
        mean, spread = _polynomial(_SMALL_MEAN, n), np.exp(_polynomial(_SMALL_SPREAD, n))
    else:
        mean, spread = _polynomial(_MEAN, np.log(n)), np.exp(_polynomial(_SPREAD, np.log(n)))
    p_value: FloatArray = np.maximum(special.ndtr(-(y - mean) / spread), SMALLEST_P)
    return p_value


@lru_cache(maxsize=32)
def _shapiro_weights(n: int) -> FloatArray:
    """Royston's weights of the sorted values, shape (n,)."""
    from scipy import special

    if n == 3:
        return np.array([-np.sqrt(0.5), 0.0, np.sqrt(0.5)])
    expected = special.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    squares = float(expected @ expected)
    root = 1 / np.sqrt(n)
    last = _polynomial(_LARGEST, root) + expected[-1] / np.sqrt(squares)
    fixed = [last]
    if n > 5:
        fixed.append(_polynomial(_SECOND, root) + expected[-2] / np.sqrt(squares))
    outer = len(fixed)
    rest = squares - 2 * float(np.sum(expected[-outer:] ** 2))
    weights = expected * np.sqrt((1 - 2 * sum(weight**2 for weight in fixed)) / rest)
    weights[::-1][:outer] = fixed
    weights[:outer] = -np.array(fixed)
    weights.setflags(write=False)
    result: FloatArray = weights
    return result


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    return float(np.polynomial.polynomial.polyval(x, coefficients))


@dataclass(frozen=True)
class NormalityTest:
    """One test of normality on one sample.

    test: "shapiro-wilk", "anderson-darling", "dagostino-pearson", "lilliefors" or "cramer-von-mises".
    statistic, p_value: NaN where the sample is too small or constant.
    """

    test: str
    statistic: float
    p_value: float


def normality_tests(values: FloatArray) -> tuple[NormalityTest, ...]:
    """Five tests of normality with estimated mean and standard deviation.

    Null hypothesis: the sample comes from some normal distribution.

    Returns: Undefined (NaN) for constant samples, below 8 values (below 3 for Shapiro–Wilk) and, for
        D'Agostino–Pearson, below 20.

    Source: Stephens (1974), doi:10.1080/01621459.1974.10480196; D'Agostino and Pearson (1973),
    doi:10.1093/biomet/60.3.613; Lilliefors (1967), doi:10.1080/01621459.1967.10482916.
    """
    n = values.size
    constant = n == 0 or bool(np.ptp(values) == 0)
    # A power of two changes no digit, and fourth powers neither overflow nor vanish.
    values = near_one(values[None, :])[0]
    enough = {"shapiro-wilk": 3, "dagostino-pearson": 20}
    runs = {
        "shapiro-wilk": _shapiro_wilk,
        "anderson-darling": _anderson_darling,
        "dagostino-pearson": _dagostino_pearson,
        "lilliefors": _lilliefors,
        "cramer-von-mises": _cramer_von_mises,
    }
    return tuple(
        NormalityTest(name, *((np.nan, np.nan) if constant or n < enough.get(name, 8) else run(values)))
        for name, run in runs.items()
    )


def _shapiro_wilk(values: FloatArray) -> tuple[float, float]:
    rows = np.sort(values)[None, :]
    weights = _shapiro_weights(values.size)
    centred = rows[0] - rows[0].mean()
    statistic = (weights @ centred) ** 2 / (weights @ weights * (centred @ centred))
    return float(statistic), float(shapiro_wilk_p(rows)[0])


def _anderson_darling(values: FloatArray) -> tuple[float, float]:
    from statsmodels.stats.diagnostic import normal_ad

    statistic, p_value = normal_ad(values)
    return float(statistic), float(p_value)


def _dagostino_pearson(values: FloatArray) -> tuple[float, float]:
    from scipy import stats

    result = stats.normaltest(values)
    return float(result.statistic), float(result.pvalue)


def _lilliefors(values: FloatArray) -> tuple[float, float]:
    from statsmodels.stats.diagnostic import lilliefors

    statistic, p_value = lilliefors(values, pvalmethod="approx")
    return float(statistic), float(p_value)


def _cramer_von_mises(values: FloatArray) -> tuple[float, float]:
    """W² with Stephens' correction for estimated parameters, and D'Agostino and Stephens' (1986) p-value."""
    from scipy import special

    n = values.size
    cdf = special.ndtr((np.sort(values) - values.mean()) / values.std(ddof=1))
    squares = (cdf - (2 * np.arange(1, n + 1) - 1) / (2 * n)) ** 2
    statistic = 1 / (12 * n) + float(squares.sum())
    w = statistic * (1 + 0.5 / n)
    if w < 0.0275:
        p_value = 1 - np.exp(-13.953 + 775.5 * w - 12542.61 * w**2)
    elif w < 0.051:
        p_value = 1 - np.exp(-5.903 + 179.546 * w - 1515.29 * w**2)
    elif w < 0.092:
        p_value = np.exp(0.886 - 31.62 * w + 10.897 * w**2)
    else:
        p_value = np.exp(1.111 - 34.242 * w + 12.832 * w**2) if w < 1.1 else 7.37e-10
    return statistic, float(p_value)


METHOD = Procedure(
    key="shapiro-wilk",
    label="Shapiro–Wilk test of normality",
    summary="Asks whether differences that are not skewed look normal.",
    run=shapiro_wilk_p,
    null="the differences come from a normal distribution",
    assumptions=("items are independent", "at least three items; its p-value was made for up to 5,000"),
    formula=r"W = \frac{(\sum_i a_i\, z_{(i)})^2}{\sum_i (z_i - \bar z)^2}",
    references=("shapiro1965", "royston1995"),
    design="paired",
)


@dataclass(frozen=True, eq=False)
class NormalScores:
    """A sample beside the quantiles of a normal distribution; arrays have shape (n,).

    expected: Standard normal quantiles, rising.
    observed: The sample, rising.
    intercept, slope: Line through the quartiles of both; NaN below two values.
    """

    expected: FloatArray
    observed: FloatArray
    intercept: float
    slope: float


def normal_scores(values: FloatArray) -> NormalScores:
    """Normal quantiles for a sample, as R's qqnorm and qqline draw them.

    Plotting positions (i − a)/(n + 1 − 2a) with a = 3/8 up to 10 values (Blom), else 1/2 (Hazen).

    >>> normal_scores(np.array([3.0, 1.0, 2.0])).expected.round(3).tolist()
    [-0.869, 0.0, 0.869]
    """
    from scipy import special

    n = values.size
    shift = 3 / 8 if n <= 10 else 1 / 2
    positions = (np.arange(1, n + 1) - shift) / (n + 1 - 2 * shift)
    expected: FloatArray = special.ndtri(positions)
    observed = np.sort(values)
    if n < 2:
        return NormalScores(expected, observed, float("nan"), float("nan"))
    low, high = np.quantile(values, (0.25, 0.75))
    quartile = float(special.ndtri(0.75))
    slope = float(high - low) / (2 * quartile)
    return NormalScores(expected, observed, float(low) + slope * quartile, slope)
