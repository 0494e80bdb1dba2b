"""Pieces of work on the workers of a Dask cluster, where that is joblib's active backend."""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar
from uuid import uuid4

from nlpstat_core.errors import AnalysisError
from nlpstat_core.stopping import Asked, ShouldStop
from nlpstat_core.version import VERSION

Piece = TypeVar("Piece")
Result = TypeVar("Result")

SECONDS_BETWEEN_LOOKS = 0.1
SECONDS_FOR_A_WORKER = 10
# Pieces beyond those under way that wait on the cluster, so that no worker waits for the next one; and
# finished ones that wait for an earlier piece.
_READY, _FINISHED = 2, 64
# Pieces looked at ahead, for each worker; of those left every worker gets so many shares.
_AHEAD, _SHARES = 16, 3
# A piece takes its scores along: from 10 MB on Dask would advise against it in a warning.
_LARGE = {"distributed.admin.large-graph-warning-threshold": "1GB"}
LOST = (
    "Workers of the cluster were lost again and again over this, most likely for lack of memory: try "
    "fewer systems, fewer resamples or a quicker test."
)
GONE = "The cluster no longer answers: see whether its scheduler is running, and try again."


def cluster() -> Any:
    """The connection to the Dask cluster that is joblib's backend here, None without one."""
    if "distributed" not in sys.modules:
        return None
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return getattr(backend, "client", None)  # Dask's alone has one


def on_worker() -> ShouldStop | None:
    """Inside a task of a Dask worker: whether the task is no longer wanted; None elsewhere.

    The worker knows: its scheduler tells it what has been released.
    """
    dask = sys.modules.get("distributed")  # a worker has imported it
    if dask is None:
        return None
    try:
        worker: Any = dask.get_worker()
        key = worker.get_current_task()
    except ValueError:  # not on a worker
        return None

    def should_stop() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return should_stop


def done_by_cluster(
    client: Any, function: Callable[[Piece], Result], pieces: Iterator[Piece], at_once: int
) -> Iterator[Result]:
    """Results in the order of the pieces, by as many workers of a cluster at once.

    client: The connection to the cluster.
    Raises AnalysisError: Workers that lack this package or are lost again and again; a cluster that has gone.
    Raises Cancelled: Pieces under way are told, too.

    A lost worker's pieces are repeated by others. A piece that shares out work of its own leaves its worker
    free for others while it waits. Several pieces are sent together where many are left: they often take the
    same scores along.
    """
    import distributed
    from dask import config
    from distributed.scheduler import KilledWorker

    _check(client)
    dask: Any = distributed
    dumps = dask.protocol.pickle.dumps  # which knows functions inside functions
    asked, sent, waiting, left = Asked.here(), _sent(), deque[Any](), deque[Piece]()

    def under_way() -> list[Any]:
        return [future for future in waiting if not future.done()]

    def send_on() -> None:
        while len(waiting) < at_once + _FINISHED and len(under_way()) < at_once + _READY:
            left.extend(islice(pieces, _AHEAD * at_once - len(left)))
            if not left:
                return
            together = [left.popleft() for _ in range(-(-len(left) // (_SHARES * at_once)))]
            given, key = dumps((function, together)), f"nlpstat-piece-{uuid4().hex}"
            with config.set(_LARGE):
                waiting.append(client.submit(sent, given, key=key, pure=False))

    with _seceded():
        try:
            send_on()
            while waiting:
                while not waiting[0].done():
                    asked.stop_if_asked()
                    try:
                        dask.wait(under_way(), timeout=SECONDS_BETWEEN_LOOKS, return_when="FIRST_COMPLETED")
                    except TimeoutError:
                        continue
                    send_on()
                yield from waiting.popleft().result()
                send_on()
        except KilledWorker as error:
            raise AnalysisError(LOST) from error
        except distributed.CancelledError as error:
            raise AnalysisError(GONE) from error
        finally:
            if waiting:
                client.cancel(list(waiting))


def _sent() -> Callable[[bytes], list[Any]]:
    """What is sent to a worker: as code, since a scheduler needn't have this package."""

    def done(given: bytes) -> list[Any]:
        import distributed

        dask: Any = distributed
        function, pieces = dask.protocol.pickle.loads(given)
        return [function(piece) for piece in pieces]

    return done


@contextmanager
def _seceded() -> Iterator[None]:
    """Inside a task of a worker: let another one have its thread meanwhile, or none might ever be free."""
    if on_worker() is None:
        yield
        return
    import distributed

    dask: Any = distributed
    dask.secede()
    try:
        yield
    finally:
        dask.rejoin()


def _check(client: Any) -> None:
    """Refuse workers that lack this package, and a cluster that has none."""
    try:
        client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
    except TimeoutError as error:
        raise AnalysisError("The Dask cluster has no workers: start some (docs/parallel.md).") from error
    if problem := _problem(client.run(_asks())):
        raise AnalysisError(
            f"{problem}: start all workers with this package of version {VERSION} in their PYTHONPATH "
            "(docs/parallel.md)."
        )


def _asks() -> Callable[[], tuple[str | None, str]]:
    """What is asked, as code: the version that is found there, else why there is none."""

    def version() -> tuple[str | None, str]:
        try:
            from nlpstat_core.version import VERSION as THERE
        except ImportError as error:
            return None, str(error)
        return THERE, ""

    return version


def _problem(found: Mapping[str, Any]) -> str | None:
    for address, (version, why) in found.items():
        who = f"The Dask worker {address}"
        if version is None:
            return f"{who} can't import nlpstat_core ({why})"
        if version != VERSION:
            return f"{who} has nlpstat_core of version {version}"
    return None
