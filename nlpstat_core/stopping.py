"""Asking in the middle of long work whether it is still wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Self

from nlpstat_core.errors import Cancelled

ShouldStop = Callable[[], bool]

_asked: ContextVar[ShouldStop | None] = ContextVar("should_stop", default=None)
_ends: ContextVar[bool] = ContextVar("process_ends", default=False)


class Asked:
    """Who is asked here, to be taken along to another thread; in another process nobody is asked.

    process_ends: Whether somebody ends this process where the work goes on all the same.
    """

    def __init__(self, should_stop: ShouldStop | None = None, process_ends: bool = False) -> None:
        self.should_stop = should_stop
        self.process_ends = process_ends

    @classmethod
    def here(cls) -> Self:
        """Who is asked in the running work."""
        return cls(_asked.get(), _ends.get())

    def __reduce__(self) -> tuple[type[Asked], tuple[()]]:
        return Asked, ()

    def stop_if_asked(self) -> None:
        """Raise `Cancelled` where the work is no longer wanted."""
        if self.should_stop is not None and self.should_stop():
            raise Cancelled("The work was cancelled.")


@contextmanager
def stoppable(should_stop: ShouldStop | None, *, process_ends: bool = False) -> Iterator[None]:
    """Let every long loop inside ask `should_stop`; with None whoever was asked outside is asked on.

    A test is a function of pairs and settings, and its loops lie several calls deeper: what is asked belongs
    to the running work, not to any of their signatures.

    should_stop: Quick, and safe to call from the thread that works.
    process_ends: Whether somebody ends this process where the work inside doesn't stop by itself.
    """
    before = _asked.set(should_stop if should_stop is not None else _asked.get())
    ends_before = _ends.set(process_ends or _ends.get())
    try:
        yield
    finally:
        _ends.reset(ends_before)
        _asked.reset(before)


def stop_if_asked() -> None:
    """To be called at least every few tenths of a second by work that may take longer.

    Raises Cancelled: The running work is no longer wanted.
    """
    Asked.here().stop_if_asked()
