"""Uncertainty of a share that was counted in a simulation."""

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import normal_quantile


def wilson_band(successes: ArrayLike, trials: int, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval of a share.

    successes (array-like of int, shape (k,)).
    trials: At least 1.
    Returns float arrays, shape (k,): Inside [0, 1]; 0 and 1 themselves where nothing or everything succeeded.

    (s + q²/2 ± q·√(s(n − s)/n + q²/4)) / (n + q²).

    Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    >>> lower, upper = wilson_band([0, 50], 100)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([0.0, 0.404], [0.037, 0.596])
    """
    counted = np.asarray(successes, dtype=float)
    q = normal_quantile((1 + level) / 2)
    middle = counted + q**2 / 2
    margin = q * np.sqrt(counted * (trials - counted) / trials + q**2 / 4)
    lower, upper = (middle - margin) / (trials + q**2), (middle + margin) / (trials + q**2)
    return np.where(counted == 0, 0.0, lower), np.where(counted == trials, 1.0, upper)
