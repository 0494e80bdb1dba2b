"""Normal scores of a sample: what a Q–Q plot draws."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray


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

    values (float array, shape (n,)).

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
