"""Planning a test set: any of units, power, effect and level from the other three."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, get_args

from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.models import planned_model
from nlpstat_core.power.solving import Question, solve

UNKNOWNS = ("units", "power", "effect", "alpha")


@dataclass(frozen=True, kw_only=True)
class PowerPlan:
    """A test set that fits its purpose: four numbers, one of which was computed from the others.

    Attributes
    ----------
    solved : {"units", "power", "effect", "alpha"}
        Which one was computed.
    test : str
    model : str
        How power was computed: "noncentral-t", "signed-rank-beta" or "exact-binomial".
    effect_kind : str
        What the effect is: "cohen-d" (δ/σ) or "cohen-g" (P(a wins a decided unit) − ½).
    units : int
    power : float
        Power reached with these units, effect and level; where units were computed it is at least `target`.
    target : float or None
        Power that was asked for.
    effect : float
    alpha : float
        Level of the family.
    alternative : {"two-sided", "greater", "less"}
    correction : str
    comparisons : int
        Size of the family.
    comparison_alpha : float
        Level of one comparison.
    decided : float
        Share of units that are not tied (sign test, McNemar's test).
    """

    solved: str
    test: str
    model: str
    effect_kind: str
    units: int
    power: float
    target: float | None
    effect: float
    alpha: float
    alternative: Alternative
    correction: str
    comparisons: int
    comparison_alpha: float
    decided: float

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)


def plan(
    *,
    units: int | None = None,
    power: float | None = None,
    effect: float | None = None,
    alpha: float | None = None,
    test: str = "t",
    alternative: Alternative = "two-sided",
    correction: str = "none",
    comparisons: int = 1,
    decided: float = 1.0,
) -> PowerPlan:
    """Compute the one of units, power, effect and alpha that is not given.

    Parameters
    ----------
    units : int or None
        Test items, at least 2.
    power : float or None
        Probability of finding the effect, in (0, 1).
    effect : float or None
        δ/σ for t and Wilcoxon: difference in standard deviations of the differences. For sign and McNemar
        Cohen's g: P(a wins a decided unit) − ½.
    alpha : float or None
        Level of the whole family, in (0, 1).
    test : {"t", "wilcoxon", "sign", "mcnemar"}
    alternative : {"two-sided", "greater", "less"}
    correction : str
        Key of the correction the board will get; power is computed at its hardest step (`comparison_alpha`).
    comparisons : int
        Pairs corrected together.
    decided : float
        For sign and McNemar: share of units that one of the systems wins, in (0, 1].

    Returns
    -------
    PowerPlan

    Raises
    ------
    ConfigError
        Not exactly one left out, values out of range, or a request that no number can meet.

    Notes
    -----
    t: noncentral t. Wilcoxon: W⁺ for normal differences with its exact mean and variance, as a beta
    distribution (within 0.02 from 8 units on, 0.005 from 20). Sign, McNemar: exact binomial; its power is a
    saw-tooth in the units, the smallest number with enough power is given.

    References
    ----------
    Cohen (1988); Lehmann (1998), section 4.2; Dixon and Mood (1946).

    Examples
    --------
    >>> plan(effect=0.2, power=0.8, alpha=0.05).units
    199
    >>> round(plan(units=2001, power=0.8, alpha=0.05).effect, 4)
    0.0627
    """
    given = {"units": units, "power": power, "effect": effect, "alpha": alpha}
    missing = [name for name in UNKNOWNS if given[name] is None]
    if len(missing) != 1:
        raise ConfigError(
            f"Give three of {', '.join(UNKNOWNS)}; the fourth is computed. "
            + (f"Missing: {', '.join(missing)}." if missing else "All four are given.")
        )
    model = planned_model(test)
    if alternative not in get_args(Alternative):
        raise ConfigError(unknown("alternative", alternative, get_args(Alternative)))
    _check(units, power, effect, decided, model.largest)
    level = 0.5 if alpha is None else alpha
    scale = comparison_alpha(level, correction, comparisons)
    question = Question(
        model=model,
        units=units,
        power=power,
        effect=effect,
        alpha=None if alpha is None else scale,
        alternative=alternative,
        decided=decided,
    )
    found = solve(question)
    if alpha is None:
        alpha, scale = _family_alpha(found.alpha, correction, comparisons), found.alpha
    return PowerPlan(
        solved=missing[0],
        test=test,
        model=model.key,
        effect_kind=model.effect,
        units=found.units,
        power=found.power,
        target=power,
        effect=found.effect,
        alpha=float(alpha),
        alternative=alternative,
        correction=correction,
        comparisons=comparisons,
        comparison_alpha=scale,
        decided=decided,
    )


def required_units(
    effect: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: str = "t",
    *,
    correction: str = "none",
    comparisons: int = 1,
    decided: float = 1.0,
) -> int:
    """Smallest number of test items with at least the given power.

    Parameters
    ----------
    effect : float
        δ/σ for t and Wilcoxon; Cohen's g (P(a wins a decided unit) − ½) for sign and McNemar.
    power : float
        In (0, 1).
    alpha : float
        Level of the family.
    alternative : {"two-sided", "greater", "less"}
    test : {"t", "wilcoxon", "sign", "mcnemar"}
    correction, comparisons, decided
        As in `plan`.

    Returns
    -------
    int
        At least 2.

    Raises
    ------
    ConfigError
        Values out of range, or no number of items is enough.

    Notes
    -----
    See `plan`.

    Examples
    --------
    >>> required_units(effect=0.2, power=0.8, alpha=0.05)
    199
    >>> required_units(effect=0.1, power=0.9, alpha=0.01)
    1492
    """
    return plan(
        effect=effect,
        power=power,
        alpha=alpha,
        alternative=alternative,
        test=test,
        correction=correction,
        comparisons=comparisons,
        decided=decided,
    ).units


def _check(
    units: int | None, power: float | None, effect: float | None, decided: float, largest: float
) -> None:
    """Refuse numbers that can't be what they stand for; alpha is checked by `comparison_alpha`."""
    if units is not None and (isinstance(units, bool) or units != int(units) or units < 2):
        raise ConfigError(f"units must be a whole number, at least 2, not {shown(units)}.")
    if power is not None and not 0 < power < 1:
        raise ConfigError(f"power must be a number above 0 and below 1, not {shown(power)}.")
    if effect is not None and not (math.isfinite(effect) and abs(effect) <= largest):
        bound = f"between -{largest:g} and {largest:g}" if math.isfinite(largest) else "a finite number"
        raise ConfigError(f"effect must be {bound}, not {shown(effect)}.")
    if not 0 < decided <= 1:
        raise ConfigError(f"decided must be a share above 0 and at most 1, not {shown(decided)}.")


def _family_alpha(level: float, correction: str, comparisons: int) -> float:
    """The level of the family whose single comparison has this level."""
    if correction in ("sidak", "holm-sidak"):
        return -math.expm1(comparisons * math.log1p(-level))
    whole = level * (0.5 / comparison_alpha(0.5, correction, comparisons))
    if whole >= 1:
        raise ConfigError(
            "No level below 1 gives this family so much power; ask for less power or more units."
        )
    return whole
