"""Work in the background, with progress and cancelling. No Streamlit in here."""

import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Executor, Future, wait
from itertools import takewhile
from typing import Any, Generic, TypeVar

from dashboard.background.fair_queue import FairQueue
from dashboard.background.worker_talk import Progress, ShouldStop
from nlpstat_core.errors import Cancelled

Result = TypeVar("Result")
Returned = TypeVar("Returned", covariant=True)
Work = Callable[[Progress, ShouldStop], Result]
# Work of a page that was left is stopped for the next page's as long as little is lost by that.
LITTLE_LOST_S = 15.0


class Job(Generic[Returned]):
    """One piece of work: what it is for, how far it is, and how to stop it.

    key: What the result depends on; a result is used only where the same key is asked for.
    work: Called on the worker thread with `progress(done, total)` and `should_stop()`.
    """

    def __init__(self, key: Hashable, work: Work[Returned]) -> None:
        self.key = key
        self.page: str | None = None
        self.started_at: float | None = None
        self.progress: tuple[int, int] = (0, 0)
        self.pool: Executor | None = None
        self._stop = threading.Event()
        self._work: Work[Returned] | None = work
        self._future: Future[Returned] | None = None

    def submit(self, pool: Executor, owner: Hashable = None) -> None:
        """Put the work into the queue of a pool, for its owner where that queues by owners."""
        self.pool = pool
        if isinstance(pool, FairQueue):
            self._future = pool.submit_for(owner, self._run)
        else:
            self._future = pool.submit(self._run)

    def _run(self) -> Returned:
        self.started_at = time.monotonic()
        work, self._work = self._work, None  # a finished job keeps no reference to a user's scores
        if work is None or self._stop.is_set():
            raise Cancelled("The work was cancelled before it began.")
        return work(self._tell, self._stop.is_set)

    def _tell(self, done: int, total: int) -> None:
        self.progress = (done, total)

    def cancel(self) -> None:
        """Ask the work to stop; from now on the job counts as cancelled, whatever the thread still does."""
        self._stop.set()
        self._work = None
        if self._future is not None:
            self._future.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the work. Returns whether it has ended."""
        if self._future is not None and not self._stop.is_set():
            wait([self._future], timeout=seconds)
        return self.ended

    @property
    def ended(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self._stop.is_set() or (self._future is not None and self._future.done())

    @property
    def cancelled(self) -> bool:
        """Whether somebody stopped it."""
        return self._stop.is_set()

    @property
    def working(self) -> bool:
        """Whether the worker is still busy with it; a cancelled job may be for a moment."""
        return self.started_at is not None and self._future is not None and not self._future.done()

    @property
    def queued(self) -> bool:
        """Whether it still waits for the worker."""
        return self.started_at is None and not self.ended

    @property
    def share_done(self) -> float:
        """Progress between 0 and 1; 0 as long as the work has told nothing."""
        done, total = self.progress
        return min(1.0, done / total) if total else 0.0

    @property
    def seconds(self) -> float:
        """How long the work has been running."""
        return 0.0 if self.started_at is None else time.monotonic() - self.started_at

    def result(self) -> Returned:
        """What the work returned.

        Raises Cancelled: The job was cancelled.
        Raises Exception: Whatever the work raised.
        """
        if self._stop.is_set() or self._future is None:
            raise Cancelled("The work was cancelled.")
        try:
            return self._future.result()
        except CancelledError as error:
            raise Cancelled("The work was cancelled.") from error


class JobBook:
    """The jobs of one browser session: at most one of each kind, the newest wins."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job[Any]] = {}  # what each returns its key says
        self._stopping: list[Job[object]] = []

    def ask(
        self, kind: str, key: Hashable, work: Work[Result], pool: Executor, page: str | None = None
    ) -> Job[Result]:
        """The job of a kind for a key: the one that is there, or a new one in its place.

        pool: Where a new job queues; shared by all sessions of the server.
        page: Which page asks. New work makes way for itself: what other pages are waiting for there, or began
            a moment ago, is stopped and starts again when its page is opened again.
        """
        job = self._jobs.get(kind)
        if job is None or job.key != key:
            self.drop(kind)
            self._make_way(pool, page)
            job = self._jobs[kind] = Job(key, work)
            job.submit(pool, owner=id(self))
        job.page = page
        return job

    def _make_way(self, pool: Executor, page: str | None) -> None:
        for kind, job in list(self._jobs.items()):
            left = job.pool is pool and job.page != page and not job.ended
            if left and job.seconds < LITTLE_LOST_S:
                self.drop(kind)

    def ahead_of(self, kind: str) -> Job[object] | None:
        """The earlier job of this session that has to end first: waiting for this one would be in vain."""
        if kind not in self._jobs:
            return None
        mine = self._jobs[kind]
        earlier = takewhile(lambda job: job is not mine, self._jobs.values())
        return next((job for job in earlier if job.pool is mine.pool and not job.ended), None)

    def still_stopping(self, kind: str) -> bool:
        """Whether cancelled work of this session still keeps the worker busy for a moment."""
        self._stopping = [job for job in self._stopping if job.working]
        mine = self._jobs.get(kind)
        return mine is not None and any(job.pool is mine.pool for job in self._stopping)

    def drop(self, kind: str) -> None:
        """Cancel and forget the job of one kind."""
        job = self._jobs.pop(kind, None)
        if job is not None:
            job.cancel()
            self._stopping = [one for one in (*self._stopping, job) if one.working]

    def close(self) -> None:
        """Cancel and forget everything: the session has ended or its data is to be forgotten."""
        for kind in list(self._jobs):
            self.drop(kind)
