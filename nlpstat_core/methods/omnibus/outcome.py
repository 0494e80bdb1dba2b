"""A test of all systems together from the logarithm of its p-value."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nlpstat_core.engine.columns.outcomes import SMALLEST_P


@dataclass(frozen=True)
class Omnibus:
    """A test of all systems together.

    n_units: Units it uses: those every system has, or for Skillings–Mack those that two systems have.
    also: Further tests of the same board.
    """

    test: str
    statistic: float
    p_value: float
    log10_p: float
    degrees_of_freedom: tuple[float, ...]
    n_units: int
    also: tuple[Omnibus, ...] = ()


def omnibus_outcome(
    test: str, statistic: float, log_p: float, freedom: tuple[float, ...], n_units: int
) -> Omnibus:
    """An Omnibus whose p never underflows to 0."""
    log_p = min(float(log_p), 0.0)
    p_value = max(math.exp(max(log_p, -745.0)), SMALLEST_P)
    return Omnibus(test, statistic, p_value, log_p / math.log(10) + 0.0, freedom, n_units)
