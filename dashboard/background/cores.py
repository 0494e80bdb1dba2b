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
    """Let the work inside use several cores; processes that it starts for that end with it.

    They would wait for more work with what they had of this one in their memory.
    """
    before = _cores.set(cores)
    try:
        yield
    finally:
        _cores.reset(before)
        if cores > 1 and "joblib" in sys.modules:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(wait=False, kill_workers=True)
