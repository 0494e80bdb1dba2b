"""The work of the page Power, in worker processes; see `tasks`. No Streamlit in here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from dashboard.background.cores import cores_here

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.config import Alternative, AnalysisConfig
    from nlpstat_core.power import BoardPower, Neighbours, PowerCurve, PowerPlan, RunsPlan, UnitSizes
    from nlpstat_core.scores.matrix import ScoreMatrix


class Family(TypedDict, total=False):
    """Keywords of both kinds of plans: what is claimed, and how many comparisons are corrected together."""

    alternative: Alternative
    correction: str
    comparisons: int


class Planned(Family, total=False):
    """Keywords of `plan`."""

    units: int | None
    power: float | None
    effect: float | None
    alpha: float | None
    decided: float
    per_document: float
    design_effect: float
    test: str


class PlannedRuns(Family, total=False):
    """Keywords of `plan_runs`."""

    units: int | None
    runs: int | None
    power: float | None
    difference: float | None
    alpha: float | None
    sd_items: float
    sd_runs: float
    sd_residual: float


def board_power(
    analysis: Analysis, target: float, most: int | None, progress: Progress, should_stop: ShouldStop
) -> tuple[BoardPower, Neighbours]:
    """What every pair could have shown, or at most so many that stand for all; the units neighbours need."""
    from nlpstat_core.power import board_power, neighbours, stratified_rows

    rows = None if most is None else stratified_rows(analysis.pairs, most)
    board = board_power(analysis, target, rows=rows, progress=progress, should_stop=should_stop)
    return board, neighbours(analysis, target, should_stop=should_stop)


def first_look(
    analysis: Analysis, target: float, most: int, progress: Progress, should_stop: ShouldStop
) -> BoardPower:
    """What so many pairs that stand for all could have shown."""
    from nlpstat_core.power import board_power, stratified_rows

    rows = stratified_rows(analysis.pairs, most)
    return board_power(analysis, target, rows=rows, progress=progress, should_stop=should_stop)


def power_curve(
    analysis: Analysis,
    pair: tuple[str, str],
    config: AnalysisConfig,
    iterations: int,
    method: Literal["bootstrap", "normal"],
    shift: float | None,
    progress: Progress,
    should_stop: ShouldStop,
) -> PowerCurve:
    """Power of one pair by the number of units."""
    from nlpstat_core.power import pair_curve

    return pair_curve(
        analysis.units,
        pair,
        config,
        analysis.family_size,
        iterations=iterations,
        method=method,
        shift=shift,
        workers=cores_here(),
        progress=progress,
        should_stop=should_stop,
    )


def runs_curves(
    analysis: Analysis,
    pair: tuple[str, str],
    config: AnalysisConfig,
    iterations: int,
    shift: float | None,
    numbers: tuple[int, ...],
    progress: Progress,
    should_stop: ShouldStop,
) -> list[PowerCurve]:
    """Power of one pair by the number of items, a curve for each number of runs."""
    from nlpstat_core.power import pair_curve

    return [
        pair_curve(
            analysis.units,
            pair,
            config,
            analysis.family_size,
            iterations=iterations,
            shift=shift,
            n_runs=n_runs,
            progress=progress,
            should_stop=should_stop,
        )
        for n_runs in numbers
    ]


def unit_sizes(
    scores: ScoreMatrix,
    a: str,
    b: str,
    epsilon: float | None,
    config: AnalysisConfig,
    documents: Sequence[str],
    progress: Progress,
    should_stop: ShouldStop,
) -> tuple[UnitSizes, dict[str, tuple[float, float]]]:
    """Spread of a pair by the size of the evaluation unit, and the design effects of document columns."""
    from nlpstat_core.power import document_design_effects, unit_sizes

    sizes = unit_sizes(
        scores, a, b, epsilon=epsilon, metric=config.unit_metric, remainder=config.unit_remainder
    )
    return sizes, {name: document_design_effects(scores, a, b, name) for name in documents}


def planned(asked: Planned, progress: Progress, should_stop: ShouldStop) -> PowerPlan:
    """The one of items, power, difference and level that isn't given."""
    from nlpstat_core.power import plan

    return plan(**asked)


def planned_runs(asked: PlannedRuns, progress: Progress, should_stop: ShouldStop) -> RunsPlan:
    """The one of items, runs, power, difference and level that isn't given."""
    from nlpstat_core.power import plan_runs

    return plan_runs(**asked)
