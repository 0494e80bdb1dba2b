"""One BLAS thread around matrix products, so that their last digits don't depend on the machine's load."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_running = 0
_limits: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread for the whole process while any caller is inside.

    Yields
    ------
    None

    Notes
    -----
    The number of BLAS threads belongs to the process, not to a thread: the first caller sets it and the
    last one to leave restores it, so analyses that run side by side don't free each other's limit.
    """
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _running, _limits
    from threadpoolctl import threadpool_limits

    with _lock:
        if _running == 0:
            _limits = threadpool_limits(1, user_api="blas")
        _running += 1


def _leave() -> None:
    global _running, _limits
    with _lock:
        _running -= 1
        if _running == 0:
            _limits.restore_original_limits()
            _limits = None
