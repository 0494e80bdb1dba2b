"""Fits a model of battles by Newton's method on sufficient counts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError, ConfigError, unknown
from nlpstat_core.methods.preferences.existence import refuse_without_davidson, refuse_without_half
from nlpstat_core.methods.preferences.models import DAVIDSON, HALF, Model, PairCounts, counted
from nlpstat_core.scores.battles import Battles
from nlpstat_core.stopping import stop_if_asked

TIES = ("half", "davidson")
# Newton doubles the digits in every step: the one after a step this small is below rounding.
_SMALL = 1e-6
_MOST_STEPS = 200
_HALVINGS = 60


@dataclass(frozen=True, eq=False)
class Fit:
    """Strengths of a model.

    model: The model that was fitted: without ties Davidson's is Bradley and Terry's.
    parameters (floats): Strengths with mean zero, and log ν behind them where ties have their own parameter.
    """

    model: Model
    counts: PairCounts
    parameters: FloatArray

    @property
    def strengths(self) -> FloatArray:
        """Natural logarithms, mean zero, shape (n_systems,)."""
        return self.parameters[: self.counts.n_systems]

    @cached_property
    def information(self) -> FloatArray:
        """The information with 11ᵀ/m added to its block of strengths, so that it has an inverse."""
        return _fixed(self.model.derivatives(self.parameters, self.counts)[1], self.counts.n_systems)


def fitted(battles: Battles, ties: str) -> Fit:
    """The model of battles at its largest likelihood.

    ties: "half" (half a win for both) or "davidson" (a parameter of their own).
    Raises AnalysisError: There are no finite strengths; the sentence names the systems.
    Raises ConfigError: An unknown treatment of ties.
    """
    if ties not in TIES:
        raise ConfigError(unknown("treatment of ties", ties, TIES))
    counts = counted(battles)
    if ties == "davidson":
        refuse_without_davidson(counts, battles.systems)
    else:
        refuse_without_half(counts, battles.systems)
    model = DAVIDSON if ties == "davidson" and counts.has_ties else HALF
    return Fit(model, counts, newton(model, counts))


def newton(model: Model, counts: PairCounts) -> FloatArray:
    """Parameters at the largest likelihood of counts, whole or not: strengths with mean zero, log ν.

    Raises AnalysisError: Not found in 200 steps.
    """
    m = counts.n_systems
    at = np.zeros(m + model.tie_parameter)
    best = model.log_likelihood(at, counts)
    for _ in range(_MOST_STEPS):
        stop_if_asked()
        score, information = model.derivatives(at, counts)
        step = linalg.solve(_fixed(information, m), score, assume_a="pos")
        size = float(np.abs(step).max())
        for _ in range(_HALVINGS):
            found = model.log_likelihood(at + step, counts)
            if found >= best - 1e-13 * abs(best):
                break
            step = step / 2
        at, best = at + step, found
        if size <= _SMALL:
            at[:m] -= at[:m].mean()
            return at
    raise AnalysisError(
        "Strengths were not found: the likelihood is nearly flat, as where systems hardly ever lose; "
        "add battles."
    )


def _fixed(information: FloatArray, m: int) -> FloatArray:
    whole = information.copy()
    whole[:m, :m] += 1 / m
    return whole
