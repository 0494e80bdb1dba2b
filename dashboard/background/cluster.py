"""Long work on a Dask cluster, where the operator names one: the same tasks, the same digits.

The scheduler decides where work goes; only bytes are sent, so that the cluster needs to know nothing of what
is in them but this package, in the same version.
"""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from dashboard.background.cores import using_cores
from dashboard.background.failures import failure_of, raised_again
from dashboard.background.packets import pack, unpack
from nlpstat_core.engine.resampling.dask_workers import LOST, on_worker
from nlpstat_core.errors import AnalysisError, Cancelled
from nlpstat_core.stopping import stoppable

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop
    from dashboard.background.workers import Task

Result = TypeVar("Result")
ADDRESS = "NLPSTAT_DASK"
AT_ONCE = 64  # pieces of work that are handed to the cluster at a time; what it can't do yet waits there
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_BETWEEN_NEWS = 0.2
SECONDS_TO_CONNECT = 10
UNREACHABLE = "The cluster for long work can't be reached: try again, or tell whoever runs this server."
MISSING = (
    "A worker of the cluster can't find the app ({error}): tell whoever runs this server that workers need "
    "its path in PYTHONPATH, and the libraries it uses (docs/deploy.md, A cluster)."
)
UNFORESEEN = (
    "This ended with an unexpected error ({error}): tell whoever runs this server, whose log says "
    "where it happened."
)
OTHER = "The cluster couldn't do this ({error}): its workers need the same version of this package."


def address() -> str | None:
    """Where the scheduler is, None where there is none."""
    return os.environ.get(ADDRESS) or None


@cache
def _client() -> Any:
    """The connection of this server, made when somebody first needs it; made again by itself when lost."""
    from distributed import Client

    make: Any = Client
    return make(address(), timeout=SECONDS_TO_CONNECT, set_as_default=False, name="nlpstat")


class ClusterWorker:
    """What a `Worker` is to a process of this machine, to one piece of work on the cluster."""

    def __init__(self) -> None:
        self.taken = threading.Lock()
        self.pid: int | None = None

    def start(self) -> None:
        """Nothing: workers are the cluster's."""

    def close(self) -> None:
        """Nothing, likewise."""

    def do(self, task: Task[Result], progress: Progress, should_stop: ShouldStop) -> Result:
        """Have one piece of work done on the cluster.

        Raises Cancelled.
        Raises AnalysisError: The cluster is out of reach, or two workers were lost over this.
        Raises Exception: Whatever the work raised.
        """
        from distributed.scheduler import KilledWorker

        packed = io.BytesIO()
        pack((task.function, task.arguments), packed)
        topic = f"nlpstat-{os.urandom(16).hex()}"
        try:
            client = _client()
            client.subscribe_topic(topic, lambda event: progress(*event[1]))
        except (OSError, TimeoutError) as error:
            _client.cache_clear()
            raise AnalysisError(UNREACHABLE) from error
        future = client.submit(_sent(), packed.getvalue(), topic, key=topic, pure=False)
        try:
            kind, value = unpack(io.BytesIO(_waited(future, client, should_stop)), task.arguments)
        except KilledWorker as error:
            raise AnalysisError(LOST) from error
        finally:
            client.unsubscribe_topic(topic)
            future.release()
        if kind == "failed":
            raise raised_again(value, UNFORESEEN)
        found: Result = value
        return found


def _waited(future: Any, client: Any, should_stop: ShouldStop) -> bytes:
    """What the work wrote; raises Cancelled as soon as nobody wants it."""
    from distributed.scheduler import KilledWorker

    silent = 0.0
    while not future.done():
        if should_stop():
            future.cancel(reason="cancelled by its visitor")
            raise Cancelled("The work was cancelled.")
        silent = silent + SECONDS_BETWEEN_LOOKS if client.status != "running" else 0.0
        if silent > SECONDS_TO_CONNECT:
            raise AnalysisError(UNREACHABLE)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    if future.cancelled():  # the scheduler has gone, and what it knew with it
        raise AnalysisError(UNREACHABLE)
    try:
        written: bytes = future.result()
    except KilledWorker:
        raise
    except ImportError as error:
        raise AnalysisError(MISSING.format(error=error)) from error
    except Exception as error:
        raise AnalysisError(OTHER.format(error=type(error).__name__)) from error
    return written


@contextmanager
def _using_free_cores() -> Iterator[None]:
    """On a worker: let the work inside be shared out among half of the threads that nobody uses by now.

    Half of them rounded up: pieces are short, so that whoever comes next needn't wait.
    """
    from distributed import get_client

    ask: Any = get_client
    client = ask()
    threads = sum(client.nthreads().values())
    busy = sum(len(tasks) for tasks in client.processing().values())  # this work is among them
    cores = 1 + (max(0, threads - busy) + 1) // 2
    if cores == 1:
        yield
        return
    import joblib

    with joblib.parallel_config(backend="dask", client=client), using_cores(cores):
        yield


def _sent() -> Callable[[bytes, str], bytes]:
    """What is sent to a worker. As a function inside another it goes there as code, not by its name: a
    scheduler or worker that can't import the name would end, and the work wait for ever.
    """

    def begun(given: bytes, topic: str) -> bytes:
        from dashboard.background.cluster import worked

        return worked(given, topic)

    return begun


def worked(given: bytes, topic: str) -> bytes:
    """On a worker: the work that is told, and what came of it as `packing` writes it.

    given: Function and arguments.
    topic: Where progress is told.
    Returns: ("done", result) or ("failed", Failure).
    """
    from distributed import get_worker

    worker, should_stop = get_worker(), on_worker()
    function, arguments = unpack(io.BytesIO(given))
    reported_at = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at >= SECONDS_BETWEEN_NEWS or done == total:
            reported_at = time.monotonic()
            worker.log_event(topic, (done, total))

    try:
        with _using_free_cores(), stoppable(should_stop):
            answer = ("done", function(*arguments, progress, should_stop))
    except Exception as error:  # raised again by the server, where the result is asked for
        answer = ("failed", failure_of(error))
    written = io.BytesIO()
    pack(answer, written, arguments)
    return written.getvalue()
