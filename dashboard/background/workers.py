"""Runs work in worker processes: pages keep the server's interpreter to themselves, stopping is certain."""

import atexit
import os
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pickle import UnpicklingError
from typing import Generic, Literal, TypeVar

from dashboard.background.cluster import ADDRESS, AT_ONCE, UNFORESEEN, ClusterWorker, address
from dashboard.background.failures import failure_of, raised_again
from dashboard.background.fair_queue import FairQueue
from dashboard.background.journal import noted
from dashboard.background.worker_talk import Progress, ShouldStop, ended, kill, replied, resident, started
from nlpstat_core.errors import AnalysisError, BoundsExceeded, Cancelled, ConfigError, shown
from nlpstat_core.installed import packages_problem
from nlpstat_core.saved_boards import VARIABLE, configured

Result = TypeVar("Result")
Returned = TypeVar("Returned", covariant=True)
Sort = Literal["quick", "long", "files", "reading", "plans"]

AT_A_TIME = 2
WORKERS = "NLPSTAT_WORKERS"
MOST_WORKERS = 256
MEMORY = "NLPSTAT_WORKER_MEMORY"
MOST_GIB = 4096
LESS_URGENT = 10  # pages and quick work come first
DIED = (
    "The worker process died while it worked on this (code {code}), most likely for lack of memory: try "
    "fewer systems, fewer resamples or a quicker test."
)
READER_DIED = (
    "Reading this file ended the process that read it (code {code}), most likely for lack of memory: split "
    "the file, or write it as CSV."
)
READER_UNFORESEEN = (
    "Reading this file ended with an unexpected error ({error}): write it as plain CSV, or tell "
    "whoever runs this server, whose log says where it happened."
)
# What a reader keeps when a file is done with: above this it is replaced, so that the server stays small.
MOST_KEPT = 400 * 1024 * 1024


@dataclass(frozen=True)
class Task(Generic[Returned]):
    """Work that can be sent to another process.

    function: Of a module that does without Streamlit; called with the arguments, `progress(done, total)` and
        `should_stop()`.
    cores: How many it may use.
    """

    function: Callable[..., Returned]
    arguments: tuple[object, ...]
    cores: int = 1


class Worker:
    """One worker process, started when it is first needed and again after it had to be killed.

    niceness: How far the system prefers other processes to it.
    prepares: What it imports before the first work.
    """

    def __init__(self, niceness: int = 0, prepares: str = "all") -> None:
        self._niceness = niceness
        self._prepares = prepares
        reads = prepares == "reading"
        self._died = READER_DIED if reads else DIED
        self._death = BoundsExceeded if reads else AnalysisError
        self._unforeseen = READER_UNFORESEEN if reads else UNFORESEEN
        self._process: subprocess.Popen[bytes] | None = None
        self.taken = threading.Lock()

    def start(self) -> subprocess.Popen[bytes]:
        """The process; a new one has its imports before it where nobody waits yet."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = started(self._niceness, self._prepares)
        return self._process

    def do(self, task: Task[Result], progress: Progress, should_stop: ShouldStop) -> Result:
        """Have one piece of work done; other threads wait outside.

        progress: Told about ten times a second at most.
        should_stop: Work that doesn't stop within a second of it is killed.
        Raises Cancelled.
        Raises AnalysisError, of reading BoundsExceeded: The process has died.
        Raises AnalysisError: The work met an unexpected error.
        Raises NlpstatError: What the work raised.
        """
        process = self.start()
        try:
            kind, value = replied(process, (task.function, task.arguments, task.cores), progress, should_stop)
        except Exception as error:
            code = ended(process)
            self.start()
            if should_stop():
                raise Cancelled("The work was cancelled.") from error
            if isinstance(error, EOFError | OSError | UnpicklingError):
                raise self._death(self._died.format(code=code)) from error
            raise raised_again(failure_of(error), self._unforeseen) from error
        self._stay_small(process)
        if kind == "failed":
            raise raised_again(value, self._unforeseen)
        found: Result = value
        return found

    @property
    def pid(self) -> int | None:
        """The id of the process, None where none has been started."""
        return None if self._process is None else self._process.pid

    def _stay_small(self, process: subprocess.Popen[bytes]) -> None:
        """Replace a process that hasn't given back what a piece of work took."""
        if resident(process.pid) > MOST_KEPT:
            self.close()
            self.start()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            kill(process)
            process.communicate()


@dataclass(frozen=True)
class WorkQueue:
    """Work that waits for each other: threads that hand it on, each to a worker process of its own.

    workers: As many as the pool has threads.
    long: Whether pieces take long enough to be shared out among cores that are free.
    """

    pool: FairQueue
    workers: tuple[Worker | ClusterWorker, ...]
    long: bool = False

    @property
    def worker(self) -> Worker | ClusterWorker:
        """The first process, which is the one that is started before anybody asks."""
        return self.workers[0]

    def do(self, task: Task[Result], progress: Progress, should_stop: ShouldStop) -> Result:
        """Have one piece of work done by a process that is free; called on a thread of the pool."""
        worker = self._take()
        try:
            with noted(task.function.__name__, task.arguments):
                return worker.do(replace(task, cores=self._free_cores()), progress, should_stop)
        finally:
            worker.taken.release()

    def _free_cores(self) -> int:
        """One, and half of those of the processes that have nothing to do: the next piece finds some, too."""
        idle = sum(not worker.taken.locked() for worker in self.workers) if self.long else 0
        return min(1 + idle // 2, os.cpu_count() or 1)

    def _take(self) -> Worker | ClusterWorker:
        """A free process, the earliest that there is; at least one is as long as threads are no more."""
        for worker in self.workers:
            if worker.taken.acquire(blocking=False):
                return worker
        self.workers[-1].taken.acquire()
        return self.workers[-1]


def worker_count() -> int:
    """How many long analyses are under way at once: NLPSTAT_WORKERS, else one core less than there are.

    Raises ConfigError: An environment variable that is no such number.
    """
    text = os.environ.get(WORKERS)
    if text is None:
        return max(1, (os.cpu_count() or 1) - 1)
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MOST_WORKERS):
        raise ConfigError(f"{WORKERS} must be a whole number from 1 to {MOST_WORKERS}, not {shown(text)}.")
    return int(text)


def check_settings() -> None:
    """Refuse settings of the environment that can't be used, before the first visitor comes.

    Raises ConfigError.
    """
    worker_count()
    text = os.environ.get(MEMORY)
    if text and not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MOST_GIB):
        raise ConfigError(f"{MEMORY} must be a whole number of GiB from 1 to {MOST_GIB}, not {shown(text)}.")
    if address() and find_spec("distributed") is None:
        raise ConfigError(f"{ADDRESS} needs Dask: pip install distributed.")
    if configured() is not None and (problem := packages_problem(f"{VARIABLE} needs", "boards")):
        raise ConfigError(problem)


_started: dict[Sort, WorkQueue] = {}


def lanes_in_use() -> Mapping[Sort, WorkQueue]:
    """The work_queues that somebody has needed, for the operator's figures."""
    return dict(_started)


@cache
def work_queue(sort: Sort) -> WorkQueue:
    """One queue of each sort for the whole server: heavy work queues instead of slowing everybody down, and
    what takes a moment never waits behind it, nor does a file behind either. As many analyses are under way
    as there are workers; two uploads, or two downloads, so that a long one of one user doesn't keep those of
    all others waiting. Processes start when they are first needed. Where there is a cluster, long work goes
    there.
    """
    workers: tuple[Worker | ClusterWorker, ...]
    niceness = 0 if sort in ("quick", "reading") else LESS_URGENT
    if sort in ("long", "plans") and address():
        workers = tuple(ClusterWorker() for _ in range(AT_ONCE))
    elif sort == "reading":
        workers = tuple(Worker(niceness, "reading") for _ in range(AT_A_TIME))
    else:
        many = {"quick": worker_count(), "long": worker_count(), "files": AT_A_TIME}.get(sort, 1)
        workers = tuple(Worker(niceness) for _ in range(many))
    for worker in workers:
        atexit.register(worker.close)
    _started[sort] = WorkQueue(FairQueue(len(workers), sort), workers, sort == "long")
    return _started[sort]
