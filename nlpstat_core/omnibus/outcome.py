"""A test of all systems at once from the logarithm of its p-value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from nlpstat_core.pairs.outcomes import SMALLEST_P
from nlpstat_core.results import Omnibus

# One result, several of one computation, or the average ranks with all pairs.
OmnibusRun = Callable[..., Any]


def omnibus_outcome(
    test: str, statistic: float, log_p: float, freedom: tuple[float, ...], n_units: int
) -> Omnibus:
    """An Omnibus whose p never underflows to 0.

    Parameters
    ----------
    test : str
    statistic : float
    log_p : float
        Natural logarithm of p.
    freedom : tuple of float
        Degrees of freedom.
    n_units : int

    Returns
    -------
    Omnibus
    """
    log_p = min(float(log_p), 0.0)
    p_value = max(math.exp(max(log_p, -745.0)), SMALLEST_P)
    return Omnibus(test, statistic, p_value, log_p / math.log(10) + 0.0, freedom, n_units)
