"""The effect size of (b, a) from that of (a, b), and where neither system is favoured."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.records import Swapping

NEUTRAL: dict[Swapping, float] = {"negative": 0.0, "complement": 0.5, "reciprocal": 1.0}


def swapped(value: FloatArray, swapping: Swapping) -> FloatArray:
    """Values for the pairs with a and b exchanged.

    >>> swapped(np.array([0.25, 2.0]), "reciprocal").tolist()
    [4.0, 0.5]
    """
    if swapping == "negative":
        return -value
    if swapping == "complement":
        return 1.0 - value
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / value)
