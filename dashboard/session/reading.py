"""Files are read by a process of their own, in the background: with bounds, and a way to stop it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar, TypeVarTuple

import streamlit as st

from dashboard.background.jobs import Job
from dashboard.background.worker_talk import Progress, ShouldStop
from dashboard.background.workers import Task, work_queue
from dashboard.session.results import session_jobs
from dashboard.session.state import session
from dashboard.text import markdown
from nlpstat_core.errors import BoundsExceeded, NlpstatError, shown

# Most files are read within this time and then need no progress panel and no second run of the page.
PATIENCE = 2.0
READING, LOOKING, TRYING = "reading", "looking at columns", "trying roles"
EARLIER, MENDING, SETTING = "earlier board", "second look", "settings"
BATTLES = "battles"
Told = tuple[bytes, str]
Result = TypeVar("Result")
Returned = TypeVar("Returned", covariant=True)
Keywords = TypeVar("Keywords", bound=Mapping[str, object])
More = TypeVarTuple("More")


@dataclass
class Pending(Generic[Returned]):
    """A file that is being read. `after`: Called with whether it could be read, once that is known."""

    file: Told
    choices: Mapping[str, object]
    job: Job[Returned]
    after: Callable[[bool], None] | None = None


def begin(
    kind: str,
    function: Callable[[Told, Keywords, *More, Progress, ShouldStop], Result],
    file: Told,
    choices: Keywords,
    seconds: float,
    *more: *More,
) -> Job[Result]:
    """Have a reading process look at a file; whatever of this kind the session waited for is stopped.

    kind: READING, LOOKING, TRYING, EARLIER, MENDING, SETTING or BATTLES.
    function: Of a module that does without Streamlit; called with the file, the choices and what comes last.
    choices: Keywords of `read_scores`, bounds among them.
    Returns: After a moment in which most files are read.
    """
    reading, book = work_queue("reading"), session_jobs()
    book.drop(kind)
    work = partial(_in_time, Task(function, (file, choices, *more)), file[1], seconds)
    job = book.ask(kind, (kind, time.monotonic_ns()), work, reading.pool)
    job.wait(PATIENCE)
    return job


def _in_time(
    task: Task[Result], name: str, seconds: float, progress: Progress, should_stop: ShouldStop
) -> Result:
    """The work, or a sentence once it has taken too long."""
    end = time.monotonic() + seconds
    late: list[bool] = []

    def stop() -> bool:
        if time.monotonic() > end:
            late.append(True)
        return bool(late) or should_stop()

    try:
        return work_queue("reading").do(task, progress, stop)
    except Exception as error:
        if late and not should_stop():
            raise BoundsExceeded(
                f"Reading {shown(name)} took more than {seconds:g} seconds and was stopped: split the "
                "file, or write it as CSV."
            ) from error
        raise


def outcome(job: Job[Result]) -> tuple[Result | None, NlpstatError | None]:
    """What came of a job that has ended: what was read, or why it can't be.

    Returns value: None when it was cancelled, too.
    """
    if job.cancelled:
        return None, None
    try:
        return job.result(), None
    except NlpstatError as error:
        return None, error


def settled(pending: Pending[Result], kind: str) -> tuple[Result | None, NlpstatError | None]:
    """What came of a file whose reading has ended, as `outcome`; a page says where it was cancelled."""
    here = session()
    here.stopped = (here.visits, pending.file[1]) if pending.job.cancelled else None
    found = outcome(pending.job)
    session_jobs().drop(kind)
    return found


def draw_stopped() -> None:
    """That reading a file was cancelled, until another is read or another page is opened."""
    here = session()
    if here.stopped is not None and here.stopped[0] == here.visits:
        st.info(f"Reading {markdown(here.stopped[1])} was cancelled; everything else is as it was.")


def draw_waiting(job: Job[object], kind: str, what: str) -> None:
    """How long it has been going on, with a way to stop it; the page follows by itself when it ends.

    what: What is being done, in Markdown.
    """

    @st.fragment(run_every=0.5)
    def panel() -> None:
        if job.ended:
            st.rerun()
        text = "waiting for other users' files …" if job.queued else f"{job.seconds:.0f} s …"
        st.progress(0.0, text=f"{what}: {text}")
        st.button("Cancel", on_click=job.cancel, key=f"cancel {kind}")

    panel()
