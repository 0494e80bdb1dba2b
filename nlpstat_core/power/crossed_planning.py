"""Planning items and runs: any of items, runs, power, difference and level from the other four."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.power.crossed import CrossedDesign, crossed_power, even_draws
from nlpstat_core.power.levels import comparison_alpha

UNKNOWNS = ("units", "runs", "power", "difference", "alpha")
MOST_UNITS, MOST_RUNS = 10_000_000, 1_000
_HALVINGS = 60


@dataclass(frozen=True, kw_only=True, repr=False)
class RunsPlan:
    """Items and runs that fit their purpose: five numbers, one of which was computed from the others.

    Attributes
    ----------
    solved : {"units", "runs", "power", "difference", "alpha"}
        Which one was computed.
    units, runs : int
        Items, and runs of each system.
    power : float
        Power reached; where units or runs were computed it is at least `target`.
    target : float or None
        Power that was asked for.
    difference : float
        True difference of two systems, metric points.
    alpha : float
        Level of the family.
    alternative : {"two-sided", "greater", "less"}
    correction : str
    comparisons : int
        Size of the family.
    comparison_alpha : float
        Level of one comparison.
    sd_items, sd_runs, sd_residual : float
        Standard deviations of one system: items × systems, runs, and a single score in a single run.
    error : float
        Standard error of the difference.

    Examples
    --------
    >>> plan_runs(
    ...     units=500, runs=5, difference=0.06, alpha=0.05, sd_items=0.3, sd_runs=0.02, sd_residual=0.2
    ... )
    <RunsPlan: 500 items, 5 runs a system: power 0.706>
    """

    solved: str
    units: int
    runs: int
    power: float
    target: float | None
    difference: float
    alpha: float
    alternative: Alternative
    correction: str
    comparisons: int
    comparison_alpha: float
    sd_items: float
    sd_runs: float
    sd_residual: float
    error: float

    def __repr__(self) -> str:
        return f"<RunsPlan: {self.units:,} items, {self.runs:,} runs a system: power {self.power:.3g}>"

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)


def plan_runs(
    *,
    units: int | None = None,
    runs: int | None = None,
    power: float | None = None,
    difference: float | None = None,
    alpha: float | None = None,
    sd_items: float,
    sd_runs: float,
    sd_residual: float,
    alternative: Alternative = "two-sided",
    correction: str = "none",
    comparisons: int = 1,
) -> RunsPlan:
    """Compute the one of items, runs, power, difference and level that is not given.

    Parameters
    ----------
    units : int or None
        Test items, at least 2.
    runs : int or None
        Training runs of each system, at least 2.
    power : float or None
        Probability of finding the difference, in (0, 1).
    difference : float or None
        True difference of two systems, metric points.
    alpha : float or None
        Level of the whole family, in (0, 1).
    sd_items, sd_runs, sd_residual : float
        Standard deviations of one system, metric points: of items × systems (how much single items favour
        it), between its runs, and of a single score in a single run. `Variation` estimates their squares.
    alternative : {"two-sided", "greater", "less"}
    correction : str
        Key of the correction the board will get; power is computed at its hardest step (`comparison_alpha`).
    comparisons : int
        Pairs corrected together.

    Returns
    -------
    RunsPlan

    Raises
    ------
    ConfigError
        Not exactly one left out, values out of range, or a request that no number can meet: where runs vary,
        no number of items makes up for too few of them.

    Notes
    -----
    Power of the t test over items and runs for normal items, runs and residuals, by the distribution of its
    own variance estimate and degrees of freedom; right to about 0.004.

    References
    ----------
    Satterthwaite (1946), doi:10.2307/3002019.

    Examples
    --------
    >>> spread = {"sd_items": 0.3, "sd_runs": 0.02, "sd_residual": 0.2}
    >>> plan_runs(runs=5, difference=0.06, power=0.8, alpha=0.05, **spread).units
    719
    >>> plan_runs(units=1000, difference=0.06, power=0.8, alpha=0.05, **spread).runs
    5
    """
    given = {"units": units, "runs": runs, "power": power, "difference": difference, "alpha": alpha}
    missing = [name for name in UNKNOWNS if given[name] is None]
    if len(missing) != 1:
        raise ConfigError(
            f"Give four of {', '.join(UNKNOWNS)}; the fifth is computed. "
            + (f"Missing: {', '.join(missing)}." if missing else "All five are given.")
        )
    _check(units, runs, power, difference, {"items": sd_items, "runs": sd_runs, "residual": sd_residual})
    if alternative not in get_args(Alternative):
        raise ConfigError(unknown("alternative", alternative, get_args(Alternative)))
    scale = comparison_alpha(0.5 if alpha is None else alpha, correction, comparisons)
    blank = CrossedDesign(
        interaction=2 * sd_items**2,
        runs=(sd_runs**2, sd_runs**2),
        residual=(sd_residual**2, sd_residual**2),
        n_units=2 if units is None else units,
        n_runs=(2, 2) if runs is None else (runs, runs),
    )
    question = _Question(blank, 0.0 if difference is None else float(difference), scale, alternative)
    target = 0.5 if power is None else power
    if difference is not None and power is not None:
        wrong = {"two-sided": difference == 0, "greater": difference <= 0, "less": difference >= 0}
        if wrong[alternative]:
            raise ConfigError(
                f"No number of items or runs finds a difference of {difference:g}: "
                + ("there is nothing to find." if difference == 0 else f"it is not {alternative}.")
            )
    if units is None:
        question = _with_units(question, target)
    elif runs is None:
        question = _with_enough_runs(question, target)
    elif difference is None:
        question = _with_difference(question, target)
    elif alpha is None:
        question = _with_level(question, target)
        alpha = CORRECTIONS[correction].level_of_one.of_family(question.level, comparisons)
        if alpha >= 1:
            raise ConfigError(
                "No level below 1 gives this family so much power; ask for less power, or more items or runs."
            )
    return RunsPlan(
        solved=missing[0],
        units=int(question.design.n_units),
        runs=question.design.n_runs[0],
        power=question.power,
        target=power,
        difference=question.difference,
        alpha=float(alpha if alpha is not None else 0.5),
        alternative=alternative,
        correction=correction,
        comparisons=comparisons,
        comparison_alpha=question.level,
        sd_items=float(sd_items),
        sd_runs=float(sd_runs),
        sd_residual=float(sd_residual),
        error=question.design.error,
    )


@dataclass(frozen=True)
class _Question:
    design: CrossedDesign
    difference: float
    level: float
    alternative: Alternative

    @property
    def power(self) -> float:
        return crossed_power(self.design, self.difference, self.level, self.alternative, even_draws())[0]


def _with_units(question: _Question, power: float) -> _Question:
    def at(units: int) -> _Question:
        return replace(question, design=replace(question.design, n_units=units))

    found = _smallest(lambda units: at(units).power >= power, MOST_UNITS)
    if found is None:
        raise ConfigError(
            f"With {question.design.n_runs[0]:,} runs a system not even {MOST_UNITS:,} items find a "
            f"difference of {question.difference:g} with power {power:g}: runs differ too much. Plan "
            "more runs."
        )
    return at(found)


def _with_enough_runs(question: _Question, power: float) -> _Question:
    def at(runs: int) -> _Question:
        return replace(question, design=question.design.with_runs(runs))

    found = _smallest(lambda runs: at(runs).power >= power, MOST_RUNS)
    if found is None:
        raise ConfigError(
            f"With {int(question.design.n_units):,} items not even {MOST_RUNS:,} runs a system find a "
            f"difference of {question.difference:g} with power {power:g}: items differ too much. Plan more "
            "items."
        )
    return at(found)


def _smallest(enough: Callable[[int], bool], most: int) -> int | None:
    """The smallest number from 2 on that is enough; None where none up to the bound is."""
    low, high = 1, 2
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _with_difference(question: _Question, power: float) -> _Question:
    if power <= question.level:
        raise ConfigError(
            f"Power {power:g} is not above the level {question.level:g}: no difference at all is "
            "needed for it."
        )
    sign, error = -1.0 if question.alternative == "less" else 1.0, question.design.error
    if error == 0:
        raise ConfigError("Nothing varies, so any difference is found; give standard deviations above 0.")

    def at(size: float) -> _Question:
        return replace(question, difference=sign * size)

    low, high = 0.0, 4 * error
    while at(high).power < power:
        low, high = high, 2 * high
        if high > 1e9 * error:
            raise ConfigError(
                f"These items and runs can't reach power {power:g} at level {question.level:g}, however "
                "large the difference; more runs are needed."
            )
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if at(middle).power >= power else (middle, high)
        if high - low <= 1e-9 * high:
            break
    return at(high)


def _with_level(question: _Question, power: float) -> _Question:
    def at(log_level: float) -> _Question:
        return replace(question, level=math.exp(log_level))

    low, high = math.log(1e-12), math.log1p(-1e-9)
    if at(high).power < power:
        raise ConfigError(f"Power {power:g} can't be reached with these items and runs at any level.")
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if at(middle).power >= power else (middle, high)
        if high - low <= 1e-9:
            break
    return at(high)


def _check(
    units: int | None,
    runs: int | None,
    power: float | None,
    difference: float | None,
    spreads: dict[str, float],
) -> None:
    """Refuse numbers that can't be what they stand for; alpha is checked by `comparison_alpha`."""
    for name, value, most in (("units", units, MOST_UNITS), ("runs", runs, MOST_RUNS)):
        if value is not None and (isinstance(value, bool) or not 2 <= value <= most or value != int(value)):
            raise ConfigError(f"{name} must be a whole number from 2 to {most:,}, not {shown(value)}.")
    if power is not None and not 0 < power < 1:
        raise ConfigError(f"power must be a number above 0 and below 1, not {shown(power)}.")
    if difference is not None and not math.isfinite(difference):
        raise ConfigError(f"difference must be a finite number, not {shown(difference)}.")
    for name, spread in spreads.items():
        if not (math.isfinite(spread) and 0 <= spread <= 1e100):
            raise ConfigError(f"sd_{name} must be a number, 0 or above, not {shown(spread)}.")
    if not any(spreads.values()):
        raise ConfigError("One of sd_items, sd_runs and sd_residual must be above 0, or nothing varies.")
