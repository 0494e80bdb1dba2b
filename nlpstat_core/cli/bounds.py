"""Bounds of a command: reading ends in time and memory, and SIGTERM leaves nothing half written."""

import argparse
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from nlpstat_core.cli.options import whole_number
from nlpstat_core.errors import BoundsExceeded, Remedy

MOST_SECONDS = 600  # a file that takes longer is one that was made for it
LONGEST = 10**6


@contextmanager
def reading_bounds(options: argparse.Namespace) -> Iterator[None]:
    """Let reading take so much memory and time as the options say. Raises BoundsExceeded: It takes more."""
    from nlpstat_core.readers.open.limits import MOST
    from nlpstat_core.readers.open.memory import MOST_MEMORY, memory_at_most

    limit = options.max_memory
    memory = MOST_MEMORY if limit is None else whole_number("--max-memory", limit, MOST)
    limit = options.max_seconds
    seconds = MOST_SECONDS if limit is None else whole_number("--max-seconds", limit, LONGEST)

    def too_long(*_: object) -> None:
        text = f"reading takes more than {seconds:,} seconds; split the file or "
        raise BoundsExceeded(text, Remedy("max_seconds"), ".")

    with ExitStack() as stack:
        if hasattr(signal, "setitimer"):  # elsewhere reading takes as long as it takes
            stack.enter_context(_calling("SIGALRM", too_long))
            signal.setitimer(signal.ITIMER_REAL, seconds)
            stack.callback(signal.setitimer, signal.ITIMER_REAL, 0)
        stack.enter_context(memory_at_most(memory))
        yield


def tidy_end() -> Any:
    """A context in which SIGTERM is an exception: what is being written is taken back before the end."""

    def ended(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    return _calling("SIGTERM", ended)


@contextmanager
def _calling(name: str, do: Any) -> Iterator[None]:
    """Have a signal call this, where it has no other meaning yet and this is the main thread."""
    number = getattr(signal, name)
    try:
        before = signal.signal(number, do)
    except ValueError:  # another thread: signals are the main one's
        yield
        return
    try:
        yield
    finally:
        signal.signal(number, before)
