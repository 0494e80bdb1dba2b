"""Threads: one for BLAS, so that last digits don't depend on load; several for chunks, in a fixed order."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

from nlpstat_core.arrays import keep_freed_memory
from nlpstat_core.stopping import Asked, stoppable

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_threads: ContextVar[int] = ContextVar("threads", default=1)


class _Holder:
    """Holds the process-wide limit while any caller needs it.

    threadpoolctl lets only one thread change OpenBLAS's process-wide limit at a time, and only that thread
    can lift it again. Callers come and go in any order, so a thread of its own sets and lifts it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callers = 0
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def enter(self) -> None:
        with self._lock:
            self._callers += 1
            if self._callers == 1:
                ready, self._done = threading.Event(), threading.Event()
                self._thread = threading.Thread(target=_hold, args=(ready, self._done), daemon=True)
                self._thread.start()
                ready.wait()

    def leave(self) -> None:
        with self._lock:
            self._callers -= 1
            if self._callers == 0 and self._thread is not None:
                self._done.set()
                self._thread.join()
                self._thread = None


@cache
def _controller() -> Any:
    """The BLAS libraries, looked up once: NumPy's is there from the start, and no other is used here."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _hold(ready: threading.Event, done: threading.Event) -> None:
    try:
        with _controller().limit(limits=1, user_api="blas"):
            ready.set()
            done.wait()
    finally:
        ready.set()


_holder = _Holder()
_inside = threading.local()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread for the whole process while any caller is inside; may be nested.

    The limit of OpenBLAS belongs to the process: it is lifted when the last caller leaves, so analyses that
    run side by side don't free each other's limit. A BLAS on OpenMP has a limit per thread, which is set too.
    """
    if getattr(_inside, "yes", False):
        yield
        return
    _holder.enter()
    _inside.yes = True
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _inside.yes = False
        _holder.leave()


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


def in_order(function: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
    """Results in the order of the items, computed by as many threads as the running work may use.

    function: NumPy's large operations leave the interpreter free for another thread; its results may not
        depend on the order of the calls.
    items: Taken only a little ahead of the results.
    """
    keep_freed_memory()
    threads = _threads.get()
    if threads == 1:
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
