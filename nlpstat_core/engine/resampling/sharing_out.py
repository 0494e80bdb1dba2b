"""Independent pieces of work, in turn or shared out among threads, processes or a Dask cluster."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from threading import get_ident
from typing import Self, TypeVar

from nlpstat_core.arrays import keep_freed_memory
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.dask_workers import cluster, done_by_cluster, on_worker
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.stopping import Asked, stoppable

# Differences (pairs times items) to be computed from which processes pay for their start, some half a second.
WORTH_PROCESSES = 50_000_000
# Scores that a piece takes along to a process; with more of them that may cost more than its work.
MOST_SENT = 2**22
MOST_WORKERS = 1_024

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def shared_out(
    function: Callable[[Piece], Result],
    pieces: Iterable[Piece],
    workers: int,
    worth_processes: Callable[[Piece], bool] = lambda first: False,
) -> Iterator[Result]:
    """Results in the order of the pieces, by one worker or by several threads, processes or Dask workers.

    function: Without side effects: it may be called in another process.
    pieces: Taken only a little ahead of the results.
    worth_processes: From the first piece, whether processes are preferred, which share out long work better
        than threads do: these wait for each other between NumPy's shorter calls. Threads take it all the same
        where they alone can be asked to stop in the midst of a piece (other processes end with this one).

    joblib's active backend decides where there is one, such as a Dask cluster.
    """
    asked = Asked.here()

    def wanted() -> Iterator[Piece]:
        for piece in pieces:
            asked.stop_if_asked()
            yield piece

    here = partial(done_here, function)
    waiting, client = wanted(), cluster() if workers > 1 else None
    fewest = 2 if client is not None else max(2, workers)
    first = list(islice(waiting, fewest)) if workers > 1 else []
    if len(first) < fewest:  # too few to share out: the threads go to the loops inside a piece
        yield from map(here, chain(first, waiting))
        return
    if client is not None:
        yield from done_by_cluster(client, here, chain(first, waiting), workers)
        return
    from joblib import Parallel, cpu_count, delayed

    processes = _may_use_processes(asked) and worth_processes(first[0])
    parallel = Parallel(
        n_jobs=min(workers, cpu_count()) if processes else workers,
        prefer="processes" if processes else "threads",
        max_nbytes=None,  # scores must not reach the disk
        return_as="generator",
        pre_dispatch="2*n_jobs",
    )
    yield from parallel(delayed(here)(piece, asked) for piece in chain(first, waiting))


def done_here(function: Callable[[Piece], Result], piece: Piece, asked: Asked | None = None) -> Result:
    """One piece of work, in whatever thread or process this is.

    asked: Who is asked whether it is still wanted; another thread does not know.
    """
    keep_freed_memory()  # of another process, too
    should_stop = on_worker() if asked is None else asked.should_stop
    with one_blas_thread(), stoppable(should_stop):
        return function(piece)


def check_workers(workers: int) -> None:
    """Refuse what is no number of threads or processes. Raises ConfigError."""
    if not 1 <= workers <= MOST_WORKERS or workers != int(workers):
        raise ConfigError(f"workers must be a whole number from 1 to {MOST_WORKERS:,}, not {shown(workers)}.")


class Told:
    """Who is told of progress inside a piece of work: nobody from another thread or process."""

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._progress = progress
        self._caller = get_ident()

    def __reduce__(self) -> tuple[type[Self], tuple[None]]:
        return type(self), (None,)

    def tell(self, done: int, total: int) -> None:
        """So much of all is done."""
        if self._progress is not None and get_ident() == self._caller:
            self._progress(done, total)


def is_long(differences: int, sent: int) -> bool:
    """Whether work is long enough for processes, and what a piece takes along to one small enough.

    differences: That are computed in all: pairs times items.
    sent: Scores that every piece takes along.
    """
    return differences >= WORTH_PROCESSES and sent <= MOST_SENT


def _may_use_processes(asked: Asked) -> bool:
    """Whether nobody has to be asked in the midst of a piece; a process of a pool can't have its own."""
    from multiprocessing import current_process

    return (asked.should_stop is None or asked.process_ends) and not current_process().daemon
