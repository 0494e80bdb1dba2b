"""Planning items and runs: any of items, runs, power, difference and level from the other four."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from nlpstat_core.config import Alternative
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.power.crossed import MOST_RUNS, CrossedDesign, crossed_power, even_draws
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.planning_checks import (
    check_above,
    check_alternative,
    check_direction,
    check_power,
    check_whole,
    family_alpha,
    left_out,
)
from nlpstat_core.power.solving import bisected, smallest_size, smallest_units

MOST_UNITS = 10_000_000


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
    <RunsPlan: 500 items, 5 runs per system: power 0.706>
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
        return f"<RunsPlan: {self.units:,} items, {self.runs:,} runs per system: power {self.power:.3g}>"

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
        Key of the correction the board will get; power is that at its strictest step (`comparison_alpha`).
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
    missing = left_out(
        "four", "fifth", "five", units=units, runs=runs, power=power, difference=difference, alpha=alpha
    )
    check_whole("units", units, MOST_UNITS)
    check_whole("runs", runs, MOST_RUNS)
    check_power(power)
    _check(difference, {"items": sd_items, "runs": sd_runs, "residual": sd_residual})
    check_alternative(alternative)
    level = comparison_alpha(0.5 if alpha is None else alpha, correction, comparisons)
    design = CrossedDesign(
        interaction=2 * sd_items**2,
        runs=(sd_runs**2, sd_runs**2),
        residual=(sd_residual**2, sd_residual**2),
        n_units=2 if units is None else units,
        n_runs=(2, 2) if runs is None else (runs, runs),
    )
    target, size = 0.5 if power is None else power, 0.0 if difference is None else float(difference)
    if difference is not None and power is not None:
        check_direction(difference, alternative, "items or runs", "a difference")

    def enough(design: CrossedDesign, size: float, level: float) -> bool:
        return crossed_power(design, size, level, alternative, even_draws())[0] >= target

    if units is None:
        items = smallest_units(lambda n: enough(replace(design, n_units=n), size, level), most=MOST_UNITS)
        if items is None:
            raise ConfigError(
                f"With {design.n_runs[0]:,} runs per system not even {MOST_UNITS:,} items find a difference "
                f"of "
                f"{size:g} with power {target:g}: runs differ too much. Plan more runs."
            )
        design = replace(design, n_units=items)
    elif runs is None:
        each = smallest_units(lambda n: enough(design.with_runs(n), size, level), most=MOST_RUNS)
        if each is None:
            raise ConfigError(
                f"With {units:,} items not even {MOST_RUNS:,} runs per system find a difference of {size:g} "
                f"with power {target:g}: items differ too much. Plan more items."
            )
        design = design.with_runs(each)
    elif difference is None:
        size = _detectable(design, target, level, alternative, enough)
    elif alpha is None:
        low, high = math.log(1e-12), math.log1p(-1e-9)
        if not enough(design, size, math.exp(high)):
            raise ConfigError(f"Power {target:g} can't be reached with these items and runs at any level.")
        found = bisected(lambda log: enough(design, size, math.exp(log)), low, high, absolute=1e-9)
        level = math.exp(found)
        alpha = family_alpha(level, correction, comparisons, "less power, or more items or runs")
    return RunsPlan(
        solved=missing,
        units=int(design.n_units),
        runs=design.n_runs[0],
        power=crossed_power(design, size, level, alternative, even_draws())[0],
        target=power,
        difference=size,
        alpha=float(alpha if alpha is not None else 0.5),
        alternative=alternative,
        correction=correction,
        comparisons=comparisons,
        comparison_alpha=level,
        sd_items=float(sd_items),
        sd_runs=float(sd_runs),
        sd_residual=float(sd_residual),
        error=design.error,
    )


def _detectable(
    design: CrossedDesign,
    power: float,
    level: float,
    alternative: Alternative,
    enough: Callable[[CrossedDesign, float, float], bool],
) -> float:
    """The difference that is found with a power, in the direction of the alternative."""
    check_above(power, level, "difference")
    sign, error = -1.0 if alternative == "less" else 1.0, design.error
    if error == 0:
        raise ConfigError("Nothing varies, so any difference is found; give standard deviations above 0.")
    size = smallest_size(
        lambda size: enough(design, sign * size, level), 4 * error, most=1e9 * error, relative=1e-9
    )
    if size is None:
        raise ConfigError(
            f"These items and runs can't reach power {power:g} at level {level:g}, however large the "
            "difference; more runs are needed."
        )
    return sign * size


def _check(difference: float | None, spreads: dict[str, float]) -> None:
    """Refuse numbers that can't be what they stand for; alpha is checked by `comparison_alpha`."""
    if difference is not None and not math.isfinite(difference):
        raise ConfigError(f"difference must be a finite number, not {shown(difference)}.")
    for name, spread in spreads.items():
        if not (math.isfinite(spread) and 0 <= spread <= 1e100):
            raise ConfigError(f"sd_{name} must be a number, 0 or above, not {shown(spread)}.")
    if not any(spreads.values()):
        raise ConfigError("One of sd_items, sd_runs and sd_residual must be above 0, or nothing varies.")
