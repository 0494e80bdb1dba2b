"""Which closed form stands for the power of which test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.methods.significance.wilcoxon import MOST_EXACT
from nlpstat_core.power.binomial import sign_power
from nlpstat_core.power.ranks import wilcoxon_power
from nlpstat_core.power.student import t_power

PowerAt = Callable[[int, float, float, Alternative, float], float]


@dataclass(frozen=True, kw_only=True)
class PowerModel:
    """A closed form for the power of a test.

    Attributes
    ----------
    key : str
        Its name: "noncentral-t", "signed-rank-beta", "exact-binomial".
    effect : str
        What its effect is: "cohen-d" (δ/σ) or "cohen-g" (P(a wins a decided unit) − ½).
    largest : float
        Upper bound of the size of the effect.
    power : callable (units, effect, alpha, alternative, decided) → float
    rises_from : int
        Number of units from which power never falls as units are added; 0 where that is never certain.
    """

    key: str
    effect: str
    largest: float
    power: PowerAt
    rises_from: int


def _t(units: int, effect: float, alpha: float, alternative: Alternative, decided: float) -> float:
    return float(t_power(np.array([effect * np.sqrt(units)]), units - 1.0, alpha, alternative)[0])


def _wilcoxon(units: int, effect: float, alpha: float, alternative: Alternative, decided: float) -> float:
    return wilcoxon_power(units, effect, alpha, alternative)


NONCENTRAL_T = PowerModel(key="noncentral-t", effect="cohen-d", largest=np.inf, power=_t, rises_from=2)
SIGNED_RANK = PowerModel(
    key="signed-rank-beta", effect="cohen-d", largest=np.inf, power=_wilcoxon, rises_from=MOST_EXACT + 1
)


def in_documents(per_document: float, design_effect: float) -> PowerModel:
    """The noncentral t for units that come in documents; its units are documents.

    per_document: Units of a document on average, m, at least 1.
    design_effect: Variance of the mean over that of as many independent units, D, above 0.

    G documents are worth G·m/D independent units, with the G − 1 degrees of freedom of equal documents.

    References
    ----------
    Kish (1965), Survey Sampling, section 5.4; Donner and Klar (2000), Cluster Randomization Trials.
    """
    worth = per_document / design_effect

    def power(units: int, effect: float, alpha: float, alternative: Alternative, decided: float) -> float:
        shift = np.array([effect * np.sqrt(units * worth)])
        return float(t_power(shift, units - 1.0, alpha, alternative)[0])

    return PowerModel(key="block-noncentral-t", effect="cohen-d", largest=np.inf, power=power, rises_from=2)


EXACT_BINOMIAL = PowerModel(
    key="exact-binomial", effect="cohen-g", largest=0.5, power=sign_power, rises_from=0
)

# A test's record names its form (`power_form`): its own, or the nearest one.
_FORMS = {model.key: model for model in (NONCENTRAL_T, SIGNED_RANK, EXACT_BINOMIAL)}


def planned_tests() -> tuple[str, ...]:
    """Keys of the tests with a closed form of their own, in menu order."""
    return tuple(record.key for record in TESTS if record.planned)


def planned_model(test: str) -> PowerModel:
    """The closed form of a test that has its own.

    Raises ConfigError: Another test.
    """
    planned = planned_tests()
    if test not in planned:
        raise ConfigError(unknown("test to plan with", test, planned))
    return _FORMS[TESTS[test].power_form]


def yardstick() -> str:
    """The test of the mean that stands for one whose power depends on the shape of the difference: t."""
    forms = (record.key for record in TESTS if record.planned and record.power_form == NONCENTRAL_T.key)
    return next(forms)


def runs_test() -> str:
    """The test over items and runs, which is planned with in terms of both (`plan_runs`)."""
    return next(record.key for record in TESTS if record.design == "runs")


def nearest_model(test: str) -> PowerModel:
    """The closed form that stands for any test of the catalogue.

    Returns: Its own, the exact binomial for tests of medians, else the noncentral t.
    """
    return _FORMS[TESTS[test].power_form]
