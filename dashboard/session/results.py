"""Results for the pages: from memory, or from a background job that has a moment to finish first."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar, TypeVarTuple

import streamlit as st

from dashboard.background.jobs import Job, JobBook
from dashboard.background.worker_talk import Progress, ShouldStop
from dashboard.background.workers import Sort, Task, work_queue
from dashboard.session.settings import settings
from dashboard.session.state import session
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import NlpstatError, Sentence
from nlpstat_core.scores.matrix import ScoreMatrix

Result = TypeVar("Result")
Returned = TypeVar("Returned", covariant=True)
Arguments = TypeVarTuple("Arguments")
# Most boards are done within this time and then need no progress panel and no second run of the page.
PATIENCE = 0.3
# Work that hasn't begun by then waits for other users': the page is shown without it meanwhile.
QUEUE_PATIENCE = 0.1

# Pairs × units that are compared within about a second; resampling weighs more.
QUICK_DIFFERENCES = 5_000_000
RESAMPLING_WEIGHT = 20


@dataclass(frozen=True)
class Answer(Generic[Returned]):
    """What came of asking for a result: a value, a problem or a job, or none of them when it was cancelled.

    problem: A sentence: these scores and settings don't go together.
    job: Still running.
    kind: What the work is.
    """

    value: Returned | None = None
    problem: Sentence | None = None
    job: Job[Returned] | None = None
    kind: str = ""

    @property
    def cancelled(self) -> bool:
        """Whether the user stopped the work."""
        return self.value is None and self.problem is None and self.job is None


@st.cache_resource(show_spinner=False, scope="session", on_release=JobBook.close)
def session_jobs() -> JobBook:
    """The jobs of this session; released, and so cancelled, when the session ends."""
    return JobBook()


def is_quick(scores: ScoreMatrix, config: AnalysisConfig, *, times: int = 1) -> bool:
    """Whether an analysis takes about a second at most.

    times: How many analyses of this size the work is made of.
    """
    differences = scores.n_systems * (scores.n_systems - 1) // 2 * scores.n_units
    resampled = config.test in TESTS and TESTS[config.test].resampled
    resampled = resampled or CORRECTIONS[config.correction].resamples or bool(config.intervals)
    return differences * times * (RESAMPLING_WEIGHT if resampled else 1) <= QUICK_DIFFERENCES


def drop_jobs() -> None:
    """Cancel whatever this session is waiting for."""
    session_jobs().close()


def retry(kind: str) -> None:
    """Forget a cancelled job, so that the next run starts the work again."""
    session_jobs().drop(kind)


def ask(
    kind: str,
    key: Hashable,
    function: Callable[[*Arguments, Progress, ShouldStop], Result],
    *arguments: *Arguments,
    quick: bool = False,
    patience: float = PATIENCE,
    sort: Sort | None = None,
) -> Answer[Result]:
    """A result by its key: remembered, just finished, refused, cancelled or still on its way.

    kind: What the work is; a session has at most one job of a kind.
    key: Everything the result depends on.
    quick: Whether it takes about a second at most; then it doesn't wait for long work of other users.
    patience: Seconds this run of the page waits for it.
    sort: A queue of its own.
    """
    here = session()
    full_key = (kind, key)
    if full_key in here.results:
        return Answer(value=here.results[full_key])
    chosen = work_queue(sort or ("quick" if quick else "long"))
    work = partial(chosen.do, Task(function, arguments))
    job = session_jobs().ask(kind, key, work, chosen.pool, here.page)
    if session_jobs().ahead_of(kind) is None:
        job.wait(min(patience, QUEUE_PATIENCE))
        if not job.queued:
            job.wait(patience - QUEUE_PATIENCE)
    if job.cancelled:
        return Answer(kind=kind)
    if not job.ended:
        return Answer(job=job, kind=kind)
    try:
        value = job.result()
    except NlpstatError as error:
        return Answer(problem=error.sentence)
    finally:
        if not job.cancelled:
            session_jobs().drop(kind)
    here.remember(full_key, value)
    return Answer(value=value)


def chosen_config() -> AnalysisConfig:
    """The configuration the sidebar stands at. Raises ConfigError: Settings that don't go together."""
    return AnalysisConfig(**settings())
