"""What the pages ask for: an analysis, a pair, what stands beside it; each a background job of its kind."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from dashboard.background import tasks, upload_tasks
from dashboard.background.given import BoardsChoice, BoardsInFile, BoardsOfOutputs
from dashboard.session.results import PATIENCE, Answer, ask, is_quick
from dashboard.session.state import session
from dashboard.session.submissions import options_of
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.scores.matrix import ScoreMatrix

if TYPE_CHECKING:
    from dashboard.background.given import Correcting, Judging, SeveralBoards, TracksChoice
    from dashboard.background.looks import Read
    from dashboard.background.workers import Sort
    from nlpstat_core.analysis.audit_result import Audit
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.analysis.several_boards import Boards
    from nlpstat_core.analysis.tracks.means import TrackMeans
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.board.items import ItemTable
    from nlpstat_core.board.pairs.influence import Groups
    from nlpstat_core.board.pairs.other_corrections import OtherCorrection
    from nlpstat_core.power.variation.results import Variation
    from nlpstat_core.report.exports.documents.blocks import Section
    from nlpstat_core.results.cost import CostFront
    from nlpstat_core.results.pair import OtherTest
    from nlpstat_core.results.robustness import Robustness
    from nlpstat_core.results.tracks import Outlook, TrackRanking

# A pair, or a board of the usual size, takes about that long: waiting is quicker than a panel that looks
# for it twice a second.
QUICK_PATIENCE = 0.8

ANALYSIS, PAIR, OTHERS, CORRECTED = "analysis", "pair", "other tests", "other corrections"
LEFT_OUT, ROBUSTNESS, BOARDS, METRICS = "left out", "robustness", "boards", "metrics"
MEANS, COST_FRONT = "mean scores", "cost front"
METHODS, VARIATION, ITEMS, SECTIONS = "methods", "variation", "items", "sections"
POSTERIOR, PAIR_POSTERIOR, AUDIT = "posterior", "pair posterior", "audit"
TRACKS, COMPOSED, OUTLOOK, PLACED = "tracks", "composite", "outlook", "placed"


def ask_analysis(scores: ScoreMatrix, config: AnalysisConfig) -> Answer[Analysis]:
    """The analysis of scores under a configuration."""
    key = (scores.fingerprint, config)
    quick = is_quick(scores, config)
    patience = QUICK_PATIENCE if quick else PATIENCE
    return ask(ANALYSIS, key, tasks.analysed, scores, config, quick=quick, patience=patience)


def ask_pair(
    analysis: Analysis, a: str, b: str, *, patience: float = QUICK_PATIENCE
) -> Answer[tuple[Analysis, PairResult, FloatArray, FloatArray]]:
    """Everything about one pair: its result and its scores.

    patience: Seconds to wait for it; 0 only has it begun.
    Returns: Its value is (the analysis with the pair as a − b, PairResult, scores of a, scores of b).
    """
    key = (analysis.fingerprint, analysis.config, a, b)
    return ask(PAIR, key, tasks.pair, analysis, a, b, quick=True, patience=patience)


def ask_other_tests(analysis: Analysis, a: str, b: str) -> Answer[tuple[OtherTest, ...]]:
    """Every other test that applies to a pair, for exploration."""
    key = (analysis.fingerprint, analysis.config, a, b)
    return ask(OTHERS, key, tasks.other_tests, analysis, a, b, quick=True)


def ask_other_corrections(analysis: Analysis, a: str, b: str) -> Answer[tuple[OtherCorrection, ...]]:
    """A pair under every correction, for exploration."""
    key = (analysis.fingerprint, analysis.config, a, b)
    return ask(CORRECTED, key, tasks.other_corrections, analysis, a, b, quick=True)


def ask_left_out(analysis: Analysis, row: int, label: str) -> Answer[Groups]:
    """The difference of a pair without each value of a label."""
    key = (analysis.fingerprint, analysis.config, row, label)
    return ask(LEFT_OUT, key, tasks.left_out, analysis, row, label)


def ask_robustness(analysis: Analysis) -> Answer[Robustness]:
    """The analysis with one choice changed at a time."""
    return ask(ROBUSTNESS, (analysis.fingerprint, analysis.config), tasks.robustness, analysis)


def ask_posterior(analysis: Analysis, model: str) -> Answer[Posterior]:
    """What a Bayesian model says of the board."""
    key = (analysis.fingerprint, analysis.config, model)
    return ask(POSTERIOR, key, tasks.posterior, analysis, model)


def ask_pair_posterior(
    asked: Analysis, a: str, b: str
) -> Answer[tuple[Posterior, int, FloatArray, FloatArray]]:
    """The posterior of one pair.

    asked: With the pair as a − b.
    Returns: Its value is (Posterior, row of the pair, places, density).
    """
    key = (asked.fingerprint, asked.config, a, b)
    return ask(PAIR_POSTERIOR, key, tasks.pair_posterior, asked, a, b)


def ask_audit(analysis: Analysis, null: str, number: int, also: tuple[str, ...]) -> Answer[Audit]:
    """The procedure of an analysis on null boards.

    number: Boards.
    also: Tests beside the analysis's own.
    """
    key = (analysis.fingerprint, analysis.config, null, number, also)
    return ask(AUDIT, key, tasks.audit, analysis, null, number, also)


def ask_boards(
    scores: ScoreMatrix, config: AnalysisConfig, chosen: BoardsChoice, kind: str = BOARDS
) -> Answer[Boards]:
    """Every metric or data set of the upload, and what they say together.

    scores: What is on screen, for the key.
    kind: BOARDS or METRICS: two places ask for boards, and what one has found the other needn't compute.
    """
    key = (scores.fingerprint, config, chosen)
    for known in (BOARDS, METRICS):
        if (known, key) in session().results:
            return Answer(value=session().results[known, key])
    return ask(kind, key, upload_tasks.boards, _several(chosen), config)


def ask_tracks(scores: ScoreMatrix, chosen: BoardsChoice) -> Answer[TrackMeans]:
    """Every metric or data set of the upload as a track. `scores`: What is on screen, for the key."""
    given = _several(chosen)
    return ask(TRACKS, (scores.fingerprint, chosen), upload_tasks.tracks, given, sort=_queue_of(given))


def ask_composed(scores: ScoreMatrix, chosen: BoardsChoice, how: TracksChoice) -> Answer[Read]:
    """The tracks of the upload as one board. `scores`: What is on screen, for the key."""
    key, given = (scores.fingerprint, chosen, how), _several(chosen)
    return ask(COMPOSED, key, upload_tasks.composed, given, how, sort=_queue_of(given))


def ask_placed(
    scores: ScoreMatrix, chosen: BoardsChoice, how: TracksChoice, config: AnalysisConfig
) -> Answer[TrackRanking]:
    """The systems by their places in the tracks of the upload. `scores`: What is on screen, for the key."""
    key = (scores.fingerprint, chosen, how, config)
    return ask(PLACED, key, upload_tasks.placed, _several(chosen), how, config)


def ask_outlook(means: TrackMeans, key: Hashable, how: TracksChoice) -> Answer[Outlook]:
    """How firm the order of a composite is. `key`: Of the tracks."""
    return ask(OUTLOOK, (key, how), upload_tasks.outlook, means, how, quick=True)


def _several(chosen: BoardsChoice) -> SeveralBoards:
    """Where the boards of the upload are: in submissions, or in a file."""
    here = session()
    if here.submitted is not None:
        outputs = here.submitted.outputs
        keys = outputs.measures if chosen.each == "metric" else (outputs.shown,)
        return BoardsOfOutputs(outputs.packed, keys, options_of(here.submitted.choices), chosen)
    assert here.raw is not None
    return BoardsInFile(here.raw, chosen.reading(here.choices), chosen)


def _queue_of(given: SeveralBoards) -> Sort:
    """Files are read beside the analyses of all boards, which may take minutes."""
    return "reading" if isinstance(given, BoardsInFile) else "quick"


def ask_means(scores: ScoreMatrix, chosen: BoardsChoice) -> Answer[dict[str, dict[str, float]]] | None:
    """Mean scores of every board of the upload, which are there soon; None where outputs were given.

    scores: What is on screen, for the key.
    """
    given = None if session().raw is None else _several(chosen)
    if not isinstance(given, BoardsInFile):
        return None
    return ask(MEANS, (scores.fingerprint, chosen), upload_tasks.mean_scores, given, quick=True)


def ask_sections(
    analysis: Analysis,
    keys: tuple[str, ...],
    judging: Judging | None,
    correcting: Correcting | None,
) -> Answer[tuple[Section, ...]]:
    """What was chosen for the report besides.

    judging, correcting: Where metrics are judged by people, or a judge is corrected by them, too.
    """
    how = [(one.given.chosen, *one.settings.values()) for one in (judging, correcting) if one is not None]
    key = (analysis.fingerprint, analysis.config, keys, *how)
    return ask(SECTIONS, key, tasks.sections, analysis, keys, judging, correcting)


def ask_methods(analysis: Analysis, sections: Sequence[Section] = ()) -> Answer[tuple[str, str]]:
    """The methods paragraph of an analysis and its references."""
    key = (analysis.fingerprint, analysis.config, *(section.statements for section in sections))
    return ask(METHODS, key, tasks.methods, analysis, sections, quick=True)


def ask_variation(analysis: Analysis) -> Answer[Variation]:
    """What varies on a board with several runs."""
    key = (analysis.fingerprint, analysis.config)
    return ask(VARIATION, key, tasks.variation, analysis, quick=True)


def ask_cost_front(analysis: Analysis, cost: str) -> Answer[CostFront]:
    """Which systems none beats on score and cost."""
    key = (analysis.fingerprint, analysis.config, cost)
    return ask(COST_FRONT, key, tasks.cost_front, analysis, cost, quick=analysis.units.values.size < 200_000)


def ask_items(analysis: Analysis) -> Answer[ItemTable]:
    """Every item over the systems."""
    key = (analysis.fingerprint, analysis.config)
    return ask(ITEMS, key, tasks.items, analysis, quick=analysis.units.values.size < 200_000)
