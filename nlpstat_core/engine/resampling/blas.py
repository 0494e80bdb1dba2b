"""One thread for BLAS, so that last digits don't depend on load."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


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
