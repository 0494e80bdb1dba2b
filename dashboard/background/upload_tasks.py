"""Work on all metrics or data sets of an upload, in worker processes; see `tasks`. No Streamlit in here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dashboard.background.cores import cores_here
from dashboard.background.given import BoardsOfOutputs

if TYPE_CHECKING:
    from dashboard.background.given import (
        BoardsInFile,
        Correcting,
        JudgeSettings,
        JudgingSettings,
        PlannedLabels,
        SeveralBoards,
        TracksChoice,
    )
    from dashboard.background.looks import Read
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation
    from nlpstat_core.analysis.several_boards import Boards
    from nlpstat_core.analysis.tracks.means import TrackMeans
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.results.judge import JudgedBoard
    from nlpstat_core.results.tracks import Outlook, TrackRanking
    from nlpstat_core.scores.matrix import ScoreMatrix


def boards(
    given: SeveralBoards, config: AnalysisConfig, progress: Progress, should_stop: ShouldStop
) -> Boards:
    """Every metric or data set of an upload, and what they say together."""
    from nlpstat_core.analysis.several_boards import analyse_boards

    return analyse_boards(
        _boards_of(given),
        config,
        each=given.chosen.each,
        family=given.chosen.family,
        combination=given.chosen.combination,
        workers=cores_here(),
        progress=progress,
        should_stop=should_stop,
    )


def mean_scores(
    given: BoardsInFile, progress: Progress, should_stop: ShouldStop
) -> dict[str, dict[str, float]]:
    """What is known before the boards of an upload are analysed.

    Returns: By system, best by mean rank first, its mean on every board that has it; nothing where the score
        of a board is no mean of its items.
    """
    import numpy as np

    boards = _boards_of(given)
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


def tracks(given: SeveralBoards, progress: Progress, should_stop: ShouldStop) -> TrackMeans:
    """Every metric or data set of an upload as a track, without its items."""
    from nlpstat_core.analysis.tracks.means import track_means

    return track_means(_boards_of(given))


def composed(given: SeveralBoards, how: TracksChoice, progress: Progress, should_stop: ShouldStop) -> Read:
    """The tracks of an upload as one board."""
    from dashboard.background.looks import Read
    from dashboard.background.readings import facts_of
    from nlpstat_core.analysis.composite import composite

    scores = composite(_boards_of(given), **how.keywords())
    return Read(scores, facts_of(scores))


def placed(
    given: SeveralBoards,
    how: TracksChoice,
    config: AnalysisConfig,
    progress: Progress,
    should_stop: ShouldStop,
) -> TrackRanking:
    """The systems of an upload by their places in its tracks."""
    from nlpstat_core.analysis.rank_tracks import rank_tracks

    boards = _boards_of(given)
    return rank_tracks(boards, **how.of_places(), config=config, should_stop=should_stop)


def placed_archive(found: TrackRanking, progress: Progress, should_stop: ShouldStop) -> bytes:
    """Every file of a ranking by places in one archive."""
    from nlpstat_core.report.exports.data.files import zipped
    from nlpstat_core.report.exports.documents.tracks import ranking_files

    return zipped({name: text.encode("utf-8") for name, text in ranking_files(found).items()})


def outlook(means: TrackMeans, how: TracksChoice, progress: Progress, should_stop: ShouldStop) -> Outlook:
    """How firm the order of a composite is."""
    from nlpstat_core.analysis.composite_outlook import composite_outlook

    return composite_outlook(means, **how.keywords())


def judged_metrics(
    given: BoardsInFile, settings: JudgingSettings, progress: Progress, should_stop: ShouldStop
) -> MetaEvaluation:
    """Every metric of an upload judged by the one that people gave."""
    from nlpstat_core.analysis.meta_evaluation import meta_evaluate

    return meta_evaluate(_boards_of(given), **settings, progress=progress, should_stop=should_stop)


def corrected_judge(
    given: BoardsInFile, settings: JudgeSettings, progress: Progress, should_stop: ShouldStop
) -> JudgedBoard:
    """A judge's board of an upload, corrected by the metric that people gave on some of the items."""
    from nlpstat_core.analysis.judge import judge

    return judge(_boards_of(given), **settings)


def agreement(
    given: BoardsInFile, human: str, progress: Progress, should_stop: ShouldStop
) -> dict[str, dict[str, float]]:
    """How well every metric orders systems as people do, which is there long before any comparison.

    Returns: Statistics by metric; nothing while a question on how the file was read is open.
    """
    from nlpstat_core.analysis.metrics.aligned import aligned
    from nlpstat_core.analysis.metrics.estimates import of_systems
    from nlpstat_core.notes import doubts

    boards = _boards_of(given)
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
    from nlpstat_core.report.exports.data.csv_text import csv_text

    boards = _boards_of(correcting.given)
    names = correcting.settings["human"], correcting.settings["judge"]
    plan = plan_labels(boards, n_labels, *names, seed=seed)
    return PlannedLabels(plan.strata_frame(), csv_text(plan.scores_frame()).encode("utf-8"))


def boards_archive(boards: Boards, progress: Progress, should_stop: ShouldStop) -> bytes:
    """Every file of several boards in one archive."""
    from nlpstat_core.report.exports.several_boards_folder import boards_zip

    return boards_zip(boards)


def _boards_of(given: SeveralBoards) -> Mapping[str, ScoreMatrix]:
    if isinstance(given, BoardsOfOutputs):
        from dashboard.background.submissions import boards_of_outputs

        return boards_of_outputs(given)
    from nlpstat_core.readers import read_boards
    from nlpstat_core.readers.open.memory import memory_at_most

    chosen = given.chosen
    with memory_at_most():
        return read_boards(given.raw, each=chosen.each, lower=chosen.lower, **given.choices)
