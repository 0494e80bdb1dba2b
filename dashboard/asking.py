"""What the pages ask for: an analysis, a pair, what stands beside it; each a background job of its kind."""

from __future__ import annotations

from typing import Any

from dashboard.board_choice import BoardsChoice
from dashboard.compute import Answer, ask, is_quick
from dashboard.jobs import Progress, ShouldStop
from dashboard.state import session
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.scores import ScoreMatrix

# A pair takes about that long: waiting for it is quicker than a panel that looks for it twice a second.
PAIR_PATIENCE = 0.8

ANALYSIS, PAIR, OTHERS, CORRECTED = "analysis", "pair", "other tests", "other corrections"
LEFT_OUT, ROBUSTNESS, BOARDS, METRICS = "left out", "robustness", "boards", "metrics"


def ask_analysis(scores: ScoreMatrix, config: AnalysisConfig) -> Answer:
    """The analysis of scores under a configuration.

    Parameters
    ----------
    scores : ScoreMatrix
    config : AnalysisConfig

    Returns
    -------
    Answer
        Its value is an Analysis.
    """

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.analysis import analyse

        return analyse(scores, config, progress=progress, should_stop=should_stop)

    return ask(ANALYSIS, (scores.fingerprint, config), work, quick=is_quick(scores, config))


def ask_pair(analysis: Any, a: str, b: str) -> Answer:
    """Everything about one pair: its result and its scores.

    Parameters
    ----------
    analysis : Analysis
    a, b : str

    Returns
    -------
    Answer
        Its value is (PairResult, scores of a, scores of b).
    """

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.pairs.pair import pair_scores

        return (analysis.pair(a, b), *pair_scores(analysis, _row(analysis, a, b)))

    key = (analysis.fingerprint, analysis.config, a, b)
    return ask(PAIR, key, work, quick=True, patience=PAIR_PATIENCE)


def ask_other_tests(analysis: Any, a: str, b: str) -> Answer:
    """Every other test that applies to a pair, for exploration.

    Parameters
    ----------
    analysis : Analysis
    a, b : str

    Returns
    -------
    Answer
        Its value is a tuple of OtherTest.
    """

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.pairs.others import other_tests

        return other_tests(analysis, _row(analysis, a, b))

    return ask(OTHERS, (analysis.fingerprint, analysis.config, a, b), work, quick=True)


def ask_other_corrections(analysis: Any, a: str, b: str) -> Answer:
    """A pair under every correction, for exploration.

    Parameters
    ----------
    analysis : Analysis
    a, b : str

    Returns
    -------
    Answer
        Its value is a tuple of OtherCorrection.
    """

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.pairs.other_corrections import other_corrections

        return other_corrections(analysis, _row(analysis, a, b), should_stop=should_stop)

    return ask(CORRECTED, (analysis.fingerprint, analysis.config, a, b), work, quick=True)


def ask_left_out(analysis: Any, row: int, label: str) -> Answer:
    """The difference of a pair without each value of a label.

    Parameters
    ----------
    analysis : Analysis
    row : int
    label : str

    Returns
    -------
    Answer
        Its value is Groups.
    """

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.pairs.influence import leave_one_out

        return leave_one_out(analysis, row, label, progress=progress, should_stop=should_stop)

    return ask(LEFT_OUT, (analysis.fingerprint, analysis.config, row, label), work)


def ask_robustness(analysis: Any) -> Answer:
    """The analysis with one choice changed at a time.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    Answer
        Its value is a Robustness.
    """

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.ranking.robustness import robustness

        return robustness(analysis, progress=progress, should_stop=should_stop)

    return ask(ROBUSTNESS, (analysis.fingerprint, analysis.config), work)


def ask_boards(
    scores: ScoreMatrix, config: AnalysisConfig, chosen: BoardsChoice, kind: str = BOARDS
) -> Answer:
    """Every metric or data set of the upload, and what they say together.

    Parameters
    ----------
    scores : ScoreMatrix
        What is on screen, for the key.
    config : AnalysisConfig
    chosen : BoardsChoice
    kind : str
        BOARDS or METRICS: two places ask for boards, and what one has found the other needn't compute.

    Returns
    -------
    Answer
        Its value is a Boards.
    """
    key = (scores.fingerprint, config, chosen)
    for known in (BOARDS, METRICS):
        if (known, key) in session().results:
            return Answer(value=session().results[known, key])
    raw, choices = session().raw, chosen.reading(session().choices)
    assert raw is not None

    def work(progress: Progress, should_stop: ShouldStop) -> Any:
        from nlpstat_core.readers import read_boards
        from nlpstat_core.several import analyse_boards

        boards = read_boards(raw, each=chosen.each, lower=chosen.lower, **choices)
        return analyse_boards(
            boards,
            config,
            family=chosen.family,
            combination=chosen.combination,
            progress=progress,
            should_stop=should_stop,
        )

    return ask(kind, key, work)


def _row(analysis: Any, a: str, b: str) -> Any:
    """Row of a pair in the pair table; None where it was not compared."""
    return analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
