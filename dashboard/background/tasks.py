"""The work that pages have done in worker processes, as plain functions. No Streamlit in here.

Each takes its arguments, then `progress(done, total)` and `should_stop()`; what it needs of the core it
imports itself, so that a page that only asks for it doesn't have to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from dashboard.background.given import (
        BoardsChoice,
        Correcting,
        JudgeSettings,
        Judging,
        JudgingSettings,
        PlannedLabels,
        TracksChoice,
    )
    from dashboard.background.looks import Read
    from dashboard.background.workers import Progress, ShouldStop
    from nlpstat_core.analysis.audit_result import Audit
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.analysis.several_boards import Boards
    from nlpstat_core.analysis.tracks.means import TrackMeans
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.board.items import ItemTable
    from nlpstat_core.board.pairs.influence import Groups
    from nlpstat_core.board.pairs.other_corrections import OtherCorrection
    from nlpstat_core.config import Alternative, AnalysisConfig
    from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
    from nlpstat_core.power import BoardPower, Neighbours, PowerCurve, PowerPlan, RunsPlan, UnitSizes
    from nlpstat_core.power.variation.results import Variation
    from nlpstat_core.readers import ScoreBoards
    from nlpstat_core.report.exports.documents.blocks import Section
    from nlpstat_core.results.judge import JudgedBoard
    from nlpstat_core.results.pair import OtherTest
    from nlpstat_core.results.ranks import RankDistribution
    from nlpstat_core.results.robustness import Robustness
    from nlpstat_core.results.tracks import Outlook
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


def analysed(
    scores: ScoreMatrix, config: AnalysisConfig, progress: Progress, should_stop: ShouldStop
) -> Analysis:
    """The analysis of scores under a configuration."""
    from nlpstat_core.analysis.analyse import analyse

    return analyse(scores, config, progress=progress, should_stop=should_stop)


def pair(
    analysis: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[Analysis, PairResult, FloatArray, FloatArray]:
    """Everything about one pair as a − b: the analysis in this order, its result, the scores of a and b."""
    from nlpstat_core.analysis.in_order import in_order
    from nlpstat_core.board.pairs.one_pair import pair_scores

    asked = in_order(analysis, a, b)
    return (asked, asked.pair(a, b), *pair_scores(asked, _row(asked, a, b)))


def other_tests(
    analysis: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[OtherTest, ...]:
    """Every other test that applies to a pair."""
    from nlpstat_core.analysis.other_tests import other_tests

    return other_tests(analysis, _row(analysis, a, b))


def other_corrections(
    analysis: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[OtherCorrection, ...]:
    """A pair under every correction."""
    from nlpstat_core.board.pairs.other_corrections import other_corrections

    return other_corrections(analysis, _row(analysis, a, b), should_stop=should_stop)


def left_out(analysis: Analysis, row: int, label: str, progress: Progress, should_stop: ShouldStop) -> Groups:
    """The difference of a pair without each value of a label."""
    from nlpstat_core.board.pairs.influence import leave_one_out

    return leave_one_out(analysis, row, label, progress=progress, should_stop=should_stop)


def robustness(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> Robustness:
    """The analysis with one choice changed at a time."""
    from nlpstat_core.analysis.robustness import robustness

    return robustness(analysis, progress=progress, should_stop=should_stop)


def posterior(analysis: Analysis, model: str, progress: Progress, should_stop: ShouldStop) -> Posterior:
    """What a Bayesian model says of the board."""
    from nlpstat_core.analysis.posterior import posterior

    return posterior(analysis, model=model, should_stop=should_stop)


def pair_posterior(
    asked: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[Posterior, int, FloatArray, FloatArray]:
    """The posterior of the board with a pair as a − b, the row of the pair, and its density."""
    from nlpstat_core.analysis.posterior import density, posterior

    found = posterior(asked, should_stop=should_stop)
    row = _row(asked, a, b)
    return (found, row, *density(found, row))


def audit(
    analysis: Analysis,
    null: str,
    number: int,
    also: tuple[str, ...],
    progress: Progress,
    should_stop: ShouldStop,
) -> Audit:
    """The procedure of an analysis on null boards."""
    from nlpstat_core.analysis.audit import audit

    return audit(analysis, null, number, also=also, progress=progress, should_stop=should_stop)


def boards(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    config: AnalysisConfig,
    progress: Progress,
    should_stop: ShouldStop,
) -> Boards:
    """Every metric or data set of an upload, and what they say together."""
    from nlpstat_core.analysis.several_boards import analyse_boards

    return analyse_boards(
        _boards_of(raw, choices, chosen),
        config,
        family=chosen.family,
        combination=chosen.combination,
        progress=progress,
        should_stop=should_stop,
    )


def mean_scores(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    progress: Progress,
    should_stop: ShouldStop,
) -> dict[str, dict[str, float]]:
    """What is known before the boards of an upload are analysed.

    Returns: By system, best by mean rank first, its mean on every board that has it; nothing where the score
        of a board is no mean of its items.
    """
    import numpy as np

    boards = _boards_of(raw, choices, chosen)
    if any(scores.counts is not None for scores in boards.values()):
        return {}
    means: dict[str, dict[str, float]] = {}
    ranks: dict[str, list[float]] = {}
    for name, scores in boards.items():
        there = scores.present
        scored = there.any(axis=0)
        found = np.where(there, scores.values, 0.0).sum(axis=0)[scored] / there.sum(axis=0)[scored]
        places = np.argsort(np.argsort(found if scores.lower_is_better else -found, kind="stable"))
        for column, mean, place in zip(np.flatnonzero(scored), found, places, strict=True):
            means.setdefault(scores.systems[column], {})[name] = float(mean)
            ranks.setdefault(scores.systems[column], []).append(float(place))
    return {system: means[system] for system in sorted(means, key=lambda one: np.mean(ranks[one]))}


def tracks(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    progress: Progress,
    should_stop: ShouldStop,
) -> TrackMeans:
    """Every metric or data set of an upload as a track, without its items."""
    from nlpstat_core.analysis.tracks.means import track_means

    return track_means(_boards_of(raw, choices, chosen))


def composed(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    how: TracksChoice,
    progress: Progress,
    should_stop: ShouldStop,
) -> Read:
    """The tracks of an upload as one board."""
    from dashboard.background.looks import Read
    from dashboard.background.readings import facts_of
    from nlpstat_core.analysis.composite import composite

    scores = composite(_boards_of(raw, choices, chosen), **how.keywords())
    return Read(scores, facts_of(scores))


def outlook(means: TrackMeans, how: TracksChoice, progress: Progress, should_stop: ShouldStop) -> Outlook:
    """How firm the order of a composite is."""
    from nlpstat_core.analysis.composite_outlook import composite_outlook

    return composite_outlook(means, **how.keywords())


def judged_metrics(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    settings: JudgingSettings,
    progress: Progress,
    should_stop: ShouldStop,
) -> MetaEvaluation:
    """Every metric of an upload judged by the one that people gave."""
    from nlpstat_core.analysis.meta_evaluation import meta_evaluate
    from nlpstat_core.readers import read_boards
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        boards = read_boards(raw, each="metric", lower=chosen.lower, **choices)
    return meta_evaluate(boards, **settings, progress=progress, should_stop=should_stop)


def corrected_judge(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    settings: JudgeSettings,
    progress: Progress,
    should_stop: ShouldStop,
) -> JudgedBoard:
    """A judge's board of an upload, corrected by the metric that people gave on some of the items."""
    from nlpstat_core.analysis.judge import judge
    from nlpstat_core.readers import read_boards
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        boards = read_boards(raw, each="metric", lower=chosen.lower, **choices)
    return judge(boards, **settings)


def agreement(
    raw: tuple[bytes, str],
    choices: Mapping[str, object],
    chosen: BoardsChoice,
    human: str,
    progress: Progress,
    should_stop: ShouldStop,
) -> dict[str, dict[str, float]]:
    """How well every metric orders systems as people do, which is there long before any comparison.

    Returns: Statistics by metric; nothing while a question on how the file was read is open.
    """
    from nlpstat_core.analysis.metrics.aligned import aligned
    from nlpstat_core.analysis.metrics.estimates import of_systems
    from nlpstat_core.notes import doubts
    from nlpstat_core.readers import read_boards
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        boards = read_boards(raw, each="metric", lower=chosen.lower, **choices)
    if any(doubts(board.notes) for board in boards.values()):
        return {}
    judged = aligned(boards, human)
    return {name: of_systems(judged, place) for place, name in enumerate(judged.metrics)}


def label_plan(
    correcting: Correcting, n_labels: int, seed: int, progress: Progress, should_stop: ShouldStop
) -> PlannedLabels:
    """Which items to label next: the strata, and the score file to hand out."""
    from dashboard.background.given import PlannedLabels
    from nlpstat_core.analysis.label_plan import plan_labels
    from nlpstat_core.readers import read_boards
    from nlpstat_core.readers.open.memory import memory_at_most
    from nlpstat_core.report.exports.data.csv_text import csv_text

    with memory_at_most():
        boards = read_boards(
            correcting.raw, each="metric", lower=correcting.chosen.lower, **correcting.choices
        )
    names = correcting.settings["human"], correcting.settings["judge"]
    plan = plan_labels(boards, n_labels, *names, seed=seed)
    return PlannedLabels(plan.strata_frame(), csv_text(plan.scores_frame()).encode("utf-8"))


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


def ranks(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> RankDistribution:
    """How the ranks vary over resamples."""
    from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution

    return board_rank_distribution(analysis, should_stop=should_stop)


def average_ranks(
    units: ScoreMatrix, alpha: float, progress: Progress, should_stop: ShouldStop
) -> AverageRanks:
    """Average ranks of the systems with Nemenyi's critical difference."""
    from nlpstat_core.methods.omnibus.nemenyi import nemenyi

    return nemenyi(units, alpha)


def sections(
    analysis: Analysis,
    keys: Sequence[str],
    judging: Judging | None,
    correcting: Correcting | None,
    progress: Progress,
    should_stop: ShouldStop,
) -> tuple[Section, ...]:
    """What was chosen for the report besides."""
    from nlpstat_core.analysis.sections import sections
    from nlpstat_core.report.exports.documents.sections import judge_section, metrics_section

    found = sections(analysis, keys, progress=progress, should_stop=should_stop)
    if judging is not None:
        work = (judging.raw, judging.choices, judging.chosen, judging.settings)
        found = (*found, metrics_section(judged_metrics(*work, progress, should_stop)))
    if correcting is not None:
        how = (correcting.raw, correcting.choices, correcting.chosen, correcting.settings)
        found = (*found, judge_section(corrected_judge(*how, progress, should_stop)))
    return found


def report(
    analysis: Analysis,
    kind: Literal["html", "markdown", "latex"],
    sections: Sequence[Section],
    progress: Progress,
    should_stop: ShouldStop,
) -> str:
    """A report as text."""
    from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex

    return {"html": report_html, "markdown": report_md, "latex": report_tex}[kind](analysis, sections)


def methods(
    analysis: Analysis, sections: Sequence[Section], progress: Progress, should_stop: ShouldStop
) -> tuple[str, str]:
    """The methods paragraph and its references in BibTeX."""
    from nlpstat_core.report.exports.documents.methods_text import methods_text, references_bib

    return methods_text(analysis, sections), references_bib(analysis, sections)


def variation(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> Variation:
    """What varies on a board with several runs."""
    return analysis.variation()


def items(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> ItemTable:
    """Every item over the systems."""
    from nlpstat_core.stopping import stoppable

    with stoppable(should_stop):
        return analysis.items()


def file(
    analysis: Analysis, name: str, sections: Sequence[Section], progress: Progress, should_stop: ShouldStop
) -> bytes:
    """A file to take away."""
    from dashboard.background.files import made

    return made(analysis, name, sections)


def boards_archive(boards: Boards, progress: Progress, should_stop: ShouldStop) -> bytes:
    """Every file of several boards in one archive."""
    from nlpstat_core.report.exports.several_boards_folder import boards_zip

    return boards_zip(boards)


def planned(asked: Planned, progress: Progress, should_stop: ShouldStop) -> PowerPlan:
    """The one of items, power, difference and level that isn't given."""
    from nlpstat_core.power import plan

    return plan(**asked)


def planned_runs(asked: PlannedRuns, progress: Progress, should_stop: ShouldStop) -> RunsPlan:
    """The one of items, runs, power, difference and level that isn't given."""
    from nlpstat_core.power import plan_runs

    return plan_runs(**asked)


def _boards_of(raw: tuple[bytes, str], choices: Mapping[str, object], chosen: BoardsChoice) -> ScoreBoards:
    from nlpstat_core.readers import read_boards
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        return read_boards(raw, each=chosen.each, lower=chosen.lower, **choices)


def _row(analysis: Analysis, a: str, b: str) -> int:
    """Row in the pair table of a pair that was compared: pages ask about no other."""
    found = analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
    assert found is not None
    return found
