"""Which closed form stands for the power of which test."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.methods.significance.wilcoxon import MOST_EXACT
from nlpstat_core.power.binomial import sign_power, sign_units
from nlpstat_core.power.levels import one_direction, t_power
from nlpstat_core.power.ranks import wilcoxon_power
from nlpstat_core.power.solving import bisected, counted_down, smallest_size, smallest_units

PowerAt = Callable[[int, float, float, Alternative, float], float]
_SMALLEST_ALPHA = 1e-150  # quantiles of t are right down to here


@dataclass(frozen=True, kw_only=True)
class PowerModel:
    """The power of a test in a design, and what follows from it: units, effect and level of one comparison.

    key: Its name: "noncentral-t", "block-noncentral-t", "signed-rank-beta", "exact-binomial".
    effect: What its effect is: "cohen-d" (δ/σ) or "cohen-g" (P(a wins a decided unit) − ½).
    largest: Upper bound of the size of the effect.
    power (callable (units, effect, alpha, alternative, decided) → float).
    rises_from: Number of units from which power never falls as units are added; 0 where that is never
        certain.
    """

    key: str
    effect: str
    largest: float
    power: PowerAt
    rises_from: int

    def units(
        self, power: float, effect: float, alpha: float, alternative: Alternative, decided: float
    ) -> int | None:
        """Smallest number of units from which on power is never below the given one; None: too many.

        effect: In the direction of the alternative.
        """
        if self.power is sign_power:
            return sign_units(power, effect, alpha, alternative, decided)

        def enough(units: int) -> bool:
            return self.power(units, effect, alpha, alternative, decided) >= power

        return counted_down(enough, smallest_units(enough, max(2, self.rises_from)))

    def detectable(
        self, units: int, power: float, alpha: float, alternative: Alternative, decided: float
    ) -> float | None:
        """Smallest effect found with a power above the level; None: not even the largest."""
        side = one_direction(alternative)
        size = smallest_size(
            lambda effect: self.power(units, effect, alpha, side, decided) >= power,
            min(1.0, self.largest),
            most=min(2e9, self.largest),
        )
        return size if size is None or alternative != "less" else -size

    def level(
        self, units: int, power: float, effect: float, alternative: Alternative, decided: float
    ) -> float | None:
        """Smallest level at which an effect is found with a power; None: at none."""

        def enough(log_alpha: float) -> bool:
            return self.power(units, effect, math.exp(log_alpha), alternative, decided) >= power

        low, high = math.log(_SMALLEST_ALPHA), math.log1p(-1e-12)
        if not enough(high):
            return None
        return _SMALLEST_ALPHA if enough(low) else math.exp(bisected(enough, low, high))


@dataclass(frozen=True, kw_only=True)
class TDesign:
    """How the t test's standard error and degrees of freedom go with the number of units or documents.

    worth: Independent units that one of them stands for: the error is σ/√(n·worth).
    freedom: Degrees of freedom each brings, of which every sample's mean takes one.
    samples: 1, of paired differences, or 2 independent ones.
    least: With fewer there is no power to speak of.
    """

    worth: float = 1.0
    freedom: float = 1.0
    samples: int = 1
    least: int = 2

    def power(
        self, number: int, effect: float, alpha: float, alternative: Alternative, decided: float = 1.0
    ) -> float:
        """Power with so many units or documents; 0 with too few or below one degree of freedom."""
        df = number * self.freedom - self.samples
        if df < 1 - 1e-9 or number < self.least:
            return 0.0
        return float(t_power(np.array([effect * np.sqrt(number * self.worth)]), df, alpha, alternative)[0])

    def model(self, key: str = "noncentral-t") -> PowerModel:
        """The design as a closed form."""
        return PowerModel(key=key, effect="cohen-d", largest=np.inf, power=self.power, rises_from=self.least)


def _wilcoxon(units: int, effect: float, alpha: float, alternative: Alternative, decided: float) -> float:
    return wilcoxon_power(units, effect, alpha, alternative)


NONCENTRAL_T = TDesign().model()
SIGNED_RANK = PowerModel(
    key="signed-rank-beta", effect="cohen-d", largest=np.inf, power=_wilcoxon, rises_from=MOST_EXACT + 1
)


def in_documents(per_document: float, design_effect: float) -> PowerModel:
    """The noncentral t for units that come in documents; its units are documents.

    per_document: Units of a document on average, m, at least 1.
    design_effect: Variance of the mean over that of as many independent units, D, above 0.

    G documents are worth G·m/D independent units, with the G − 1 degrees of freedom of equal documents.

    Source: Kish (1965), Survey Sampling, section 5.4; Donner and Klar (2000), Cluster Randomization Trials.
    """
    return TDesign(worth=per_document / design_effect).model("block-noncentral-t")


EXACT_BINOMIAL = PowerModel(
    key="exact-binomial", effect="cohen-g", largest=0.5, power=sign_power, rises_from=0
)

# A test's record names its form (`power_form`): its own, or the nearest one.
_FORMS = {model.key: model for model in (NONCENTRAL_T, SIGNED_RANK, EXACT_BINOMIAL)}


def planned_tests() -> tuple[str, ...]:
    """Keys of the tests with a closed form of their own, in menu order."""
    return tuple(record.key for record in TESTS if record.planned)


def planned_model(test: str) -> PowerModel:
    """The closed form of a test that has its own. Raises ConfigError: Another test."""
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
