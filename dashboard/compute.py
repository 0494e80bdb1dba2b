"""Results for the pages: from memory, or from a background job that has a moment to finish first."""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.board_choice import BoardsChoice
from dashboard.jobs import Job, JobBook, Progress, ShouldStop, Work
from dashboard.state import session, settings
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import NlpstatError
from nlpstat_core.scores import ScoreMatrix

# Most boards are done within this time and then need no progress panel and no second run of the page.
PATIENCE = 0.3
# A pair takes about that long: waiting for it is quicker than a panel that looks for it twice a second.
PAIR_PATIENCE = 0.8

# Pairs × units that are compared within about a second; resampling weighs more.
QUICK_DIFFERENCES = 5_000_000
RESAMPLING_WEIGHT = 20

ANALYSIS, PAIR, OTHERS, CORRECTED = "analysis", "pair", "other tests", "other corrections"
LEFT_OUT, ROBUSTNESS, BOARDS, METRICS = "left out", "robustness", "boards", "metrics"


@dataclass(frozen=True)
class Answer:
    """What came of asking for a result: exactly one of the fields is set, or none when it was cancelled.

    Attributes
    ----------
    value : object or None
    problem : str or None
        A sentence: these scores and settings don't go together.
    job : Job or None
        Still running.
    """

    value: Any = None
    problem: str | None = None
    job: Job | None = None

    @property
    def cancelled(self) -> bool:
        """Whether the user stopped the work."""
        return self.value is None and self.problem is None and self.job is None


@st.cache_resource(show_spinner=False)
def worker(quick: bool) -> ThreadPoolExecutor:
    """One worker of each sort for the whole server: heavy work queues instead of slowing everybody down,
    and what takes a moment never waits behind it.

    Parameters
    ----------
    quick : bool

    Returns
    -------
    ThreadPoolExecutor
    """
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="quick" if quick else "long")


@st.cache_resource(show_spinner=False, scope="session", on_release=JobBook.close)
def _book() -> JobBook:
    """The jobs of this session; released, and so cancelled, when the session ends."""
    return JobBook()


def is_quick(scores: ScoreMatrix, config: AnalysisConfig, *, times: int = 1) -> bool:
    """Whether an analysis takes about a second at most.

    Parameters
    ----------
    scores : ScoreMatrix
    config : AnalysisConfig
    times : int
        How many analyses of this size the work is made of.

    Returns
    -------
    bool
    """
    differences = scores.n_systems * (scores.n_systems - 1) // 2 * scores.n_units
    resampled = "bootstrap" in config.test or config.correction == "max-t" or bool(config.intervals)
    return differences * times * (RESAMPLING_WEIGHT if resampled else 1) <= QUICK_DIFFERENCES


def drop_jobs() -> None:
    """Cancel whatever this session is waiting for."""
    _book().close()


def retry(kind: str) -> None:
    """Forget a cancelled job, so that the next run starts the work again.

    Parameters
    ----------
    kind : str
    """
    _book().drop(kind)


def ask(kind: str, key: Hashable, work: Work, *, quick: bool = False, patience: float = PATIENCE) -> Answer:
    """A result by its key: remembered, just finished, refused, cancelled or still on its way.

    Parameters
    ----------
    kind : str
        What the work is; a session has at most one job of a kind.
    key : hashable
        Everything the result depends on.
    work : callable
    quick : bool
        Whether it takes about a second at most; then it doesn't wait for long work of other users.
    patience : float
        Seconds this run of the page waits for it.

    Returns
    -------
    Answer
    """
    here = session()
    full_key = (kind, key)
    if full_key in here.results:
        return Answer(value=here.results[full_key])
    job = _book().ask(kind, key, work, worker(quick))
    job.wait(patience)
    if job.cancelled:
        return Answer()
    if not job.ended:
        return Answer(job=job)
    try:
        value = job.result()
    except NlpstatError as error:
        return Answer(problem=str(error))
    finally:
        if not job.cancelled:
            _book().drop(kind)
    here.remember(full_key, value)
    return Answer(value=value)


def chosen_config() -> AnalysisConfig:
    """The configuration the sidebar stands at.

    Returns
    -------
    AnalysisConfig

    Raises
    ------
    ConfigError
        Settings that don't go together.
    """
    return AnalysisConfig(**settings())


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

        row = analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
        return (analysis.pair(a, b), *pair_scores(analysis, row))

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

        row = analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
        return other_tests(analysis, row)

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

        row = analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
        return other_corrections(analysis, row, should_stop=should_stop)

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
