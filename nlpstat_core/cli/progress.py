"""How far a command is, said on standard error."""

import argparse
import sys
from collections.abc import Callable
from time import perf_counter

SECONDS_OF_A_LINE = 10.0  # between two lines of progress


def progress_of(options: argparse.Namespace, what: str = "pairs") -> Callable[[int, int], None] | None:
    """Progress on standard error when somebody is watching it, and lines of it where they are asked for."""
    if not is_watched(options):
        return None
    if not sys.stderr.isatty():
        return _lines(what)

    def tell(done: int, total: int) -> None:
        end = "\n" if done >= total else ""
        print(f"\r{done:,} of {total:,} {what}", end=end, file=sys.stderr, flush=True)

    return tell


def announce(text: str) -> None:
    """A sentence on standard error, before what it speaks of begins."""
    print(text, file=sys.stderr, flush=True)


def is_watched(options: argparse.Namespace) -> bool:
    """Whether somebody watches standard error, or asked for lines of progress on it."""
    asked = getattr(options, "progress", False)
    quiet = getattr(options, "quiet", False)
    return sys.stderr is not None and not quiet and (asked or sys.stderr.isatty())


def _lines(what: str) -> Callable[[int, int], None]:
    """A line every ten seconds; none of what takes less."""
    last = perf_counter()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if perf_counter() - last >= SECONDS_OF_A_LINE:
            last = perf_counter()
            print(f"{done:,} of {total:,} {what}", file=sys.stderr, flush=True)

    return tell
