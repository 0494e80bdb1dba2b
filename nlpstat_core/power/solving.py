"""Solving a power function for one of its four arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError
from nlpstat_core.power.binomial import least_level, normal_units, power_reaches
from nlpstat_core.power.models import EXACT_BINOMIAL, PowerModel

MOST_UNITS = 10**12
_STEPS = 2000
_REACH = 8.0  # standard deviations of the number of decided units
# With ties the power of more units takes milliseconds each; the bound is then within one percent.
_COUNTED_DOWN = 50_000
# A first step from what the normal approximation says, as a part of it.
_PARTS = 32
_SMALLEST_ALPHA = 1e-150  # quantiles of t are right down to here


@dataclass(frozen=True, kw_only=True)
class Question:
    """Units, power, effect and level of one comparison; exactly one is None.

    Attributes
    ----------
    model : PowerModel
    units : int or None
    power, effect, alpha : float or None
    alternative : {"two-sided", "greater", "less"}
    decided : float
    """

    model: PowerModel
    units: int | None
    power: float | None
    effect: float | None
    alpha: float | None
    alternative: Alternative
    decided: float


@dataclass(frozen=True, kw_only=True)
class Solution:
    """All four numbers.

    Attributes
    ----------
    units : int
    power : float
        What is really reached.
    effect, alpha : float
    """

    units: int
    power: float
    effect: float
    alpha: float


def solve(question: Question) -> Solution:
    """Fill in the missing number.

    Raises ConfigError: No number would do; the sentence says why.

    Bisection: power rises with the effect in the alternative's direction and with the level, and with the
    units where the model says so.
    """
    units, power, effect, alpha = question.units, question.power, question.effect, question.alpha
    if units is None and power is not None and effect is not None and alpha is not None:
        units = _units(question, power, effect, alpha)
    elif effect is None and units is not None and power is not None and alpha is not None:
        effect = _effect(question, units, power, alpha)
    elif alpha is None and units is not None and power is not None and effect is not None:
        alpha = _alpha(question, units, power, effect)
    if units is None or effect is None or alpha is None:
        raise ValueError("A question leaves out one number.")
    return Solution(units=units, power=_power(question, units, effect, alpha), effect=effect, alpha=alpha)


def _power(question: Question, units: int, effect: float, alpha: float) -> float:
    return question.model.power(units, effect, alpha, question.alternative, question.decided)


def _units(question: Question, power: float, effect: float, alpha: float) -> int:
    def enough(units: int) -> bool:
        if question.model is EXACT_BINOMIAL:
            return power_reaches(power, units, effect, alpha, question.alternative, question.decided)
        return _power(question, units, effect, alpha) >= power

    wrong = {"two-sided": effect == 0, "greater": effect <= 0, "less": effect >= 0}[question.alternative]
    if wrong:
        raise ConfigError(
            f"No number of units finds an effect of {effect:g}: "
            + ("there is nothing to find." if effect == 0 else f"it is not {question.alternative}.")
        )
    if question.model is EXACT_BINOMIAL:
        last = _never_below(question, power, effect, alpha)
        if last > _COUNTED_DOWN and question.decided < 1:
            return last
    else:
        last = smallest_units(enough, max(2, question.model.rises_from))
    # A saw-tooth: down to the last number that falls short.
    while last > 2 and enough(last - 1):
        last -= 1
    return last


def _never_below(question: Question, power: float, effect: float, alpha: float) -> int:
    """A number of units from which on the power of the exact binomial test certainly stays above the target.

    The test that uses the whole of the smallest level it reaches from there on, by chance if need be, has
    power that rises with the units and is below that of the test itself.
    """
    sides = 2 if question.alternative == "two-sided" else 1

    def enough(units: int) -> bool:
        mean = units * question.decided
        fewest = int(mean - _REACH * math.sqrt(mean * (1 - question.decided)))
        level = sides * least_level(fewest, alpha / sides)
        return power_reaches(
            power, units, effect, level, question.alternative, question.decided, randomised=True
        )

    rough = normal_units(effect, power, alpha, question.alternative) / question.decided
    return smallest_units(enough, 2, near=rough)


def smallest_units(enough: Callable[[int], bool], low: int, near: float | None = None) -> int:
    """Smallest whole number that is enough, for a criterion that rises with the number.

    low: Where to begin, at least 1.
    near: About the answer, if known: numbers around it are asked first.
    Raises ConfigError: More than `MOST_UNITS` would be needed.
    """
    if enough(low):
        return low
    high = 2 * low
    if near is not None and low < near < MOST_UNITS:
        low, high = _around(enough, low, math.ceil(near))
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST_UNITS:
            raise ConfigError(f"More than {MOST_UNITS:,} units would be needed; ask for a larger effect.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _around(enough: Callable[[int], bool], low: int, near: int) -> tuple[int, int]:
    """A number that is not enough, `low` at worst, and one that may be, in growing steps from `near`."""
    step = max(1, near // _PARTS)
    if enough(near):
        while near - step > low and enough(near - step):
            near, step = near - step, 2 * step
        return max(near - step, low), near
    while near + step < MOST_UNITS and not enough(near + step):
        near, step = near + step, 2 * step
    return near, near + step


def _effect(question: Question, units: int, power: float, alpha: float) -> float:
    side = replace(question, alternative="greater") if question.alternative == "less" else question
    sign = -1.0 if question.alternative == "less" else 1.0

    def enough(effect: float) -> bool:
        return _power(side, units, effect, alpha) >= power

    if power <= alpha:
        raise ConfigError(
            f"Power {power:g} is not above the level {alpha:g}: no effect at all is needed for it."
        )
    high = min(1.0, question.model.largest)
    while not enough(high):
        if high >= question.model.largest or high > 1e9:
            raise ConfigError(
                f"{units:,} units can't reach power {power:g} at level {alpha:g}, however large the effect; "
                "more units are needed."
            )
        high = min(2 * high, question.model.largest)
    return sign * _bisect(enough, 0.0, high)


def _alpha(question: Question, units: int, power: float, effect: float) -> float:
    def enough(log_alpha: float) -> bool:
        return _power(question, units, effect, math.exp(log_alpha)) >= power

    low, high = math.log(_SMALLEST_ALPHA), math.log1p(-1e-12)
    if not enough(high):
        raise ConfigError(
            f"Power {power:g} can't be reached with {units:,} units and an effect of {effect:g} at any level."
        )
    if enough(low):
        return _SMALLEST_ALPHA
    return math.exp(_bisect(enough, low, high))


def _bisect(enough: Callable[[float], bool], low: float, high: float) -> float:
    """The smallest float that is enough, for a rising criterion that `low` misses and `high` meets."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
