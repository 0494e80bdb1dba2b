"""Pieces inside a chunk of pairs, or of resamples of all pairs: by several threads, in a fixed order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from typing import TypeVar

from nlpstat_core.arrays import keep_freed_memory
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.dask_workers import cluster, on_worker
from nlpstat_core.engine.resampling.sharing_out import shared_out
from nlpstat_core.stopping import Asked, stoppable

# Numbers that a piece may take along to a Dask cluster (8 MB).
_MOST_TO_CLUSTER = 2**20
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_threads: ContextVar[int] = ContextVar("threads", default=1)


@contextmanager
def using_threads(threads: int) -> Iterator[None]:
    """Let the chunks of the work inside be computed by several threads.

    threads: At least 1; 1 is the default everywhere.
    """
    before = _threads.set(threads)
    try:
        yield
    finally:
        _threads.reset(before)


def in_order(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    sent: int | None = None,
    together: int = 1,
) -> Iterator[_Result]:
    """Results in the order of the items, computed by as many threads as the running work may use.

    function: Without side effects. NumPy's large operations leave the interpreter free for another thread.
    items: Taken only a little ahead of the results.
    sent: Numbers that a piece of work would take along to a Dask cluster; its workers compute them instead
        of threads where joblib's backend is one and these are few. None stays here.
    together: Items of such a piece.
    """
    keep_freed_memory()
    threads = _threads.get()
    if threads > 1 and sent is not None and sent <= _MOST_TO_CLUSTER and cluster() is not None:
        left = iter(items)
        pieces = iter(lambda: list(islice(left, together)), [])
        yield from chain.from_iterable(shared_out(partial(_each, function), pieces, threads))
        return
    if threads == 1 or on_worker() is not None:  # of which a Dask worker gives every task one
        yield from map(function, items)
        return
    asked = Asked.here()

    def one(item: _Item) -> _Result:
        with one_blas_thread(), stoppable(asked.should_stop):
            return function(item)

    waiting: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(one, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _each(function: Callable[[_Item], _Result], items: list[_Item]) -> list[_Result]:
    return [function(item) for item in items]
