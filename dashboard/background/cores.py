"""How many cores a piece of work uses: one, and half of those that nobody needs as it begins."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_cores: ContextVar[int] = ContextVar("cores", default=1)


def cores_here() -> int:
    """How many cores the running work may use."""
    return _cores.get()


@contextmanager
def using_cores(cores: int) -> Iterator[None]:
    """Let the work inside use several cores."""
    before = _cores.set(cores)
    try:
        yield
    finally:
        _cores.reset(before)


def end_processes() -> None:
    """End the processes that work was shared out among: they wait for more with what they had of it."""
    if "joblib" in sys.modules:
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=False, kill_workers=True)
