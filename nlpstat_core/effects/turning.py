"""The effect size of (b, a) from that of (a, b), and where neither system is favoured."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import Turning

NEUTRAL: dict[Turning, float] = {"negative": 0.0, "complement": 0.5, "reciprocal": 1.0}


def turned(value: FloatArray, turning: Turning) -> FloatArray:
    """Values for the pairs with a and b exchanged.

    Parameters
    ----------
    value : float array
    turning : {"negative", "complement", "reciprocal"}
        `turning` of the effect size.

    Returns
    -------
    float array of the same shape

    Examples
    --------
    >>> turned(np.array([0.25, 2.0]), "reciprocal").tolist()
    [4.0, 0.5]
    """
    if turning == "negative":
        return -value
    if turning == "complement":
        return 1.0 - value
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / value)
