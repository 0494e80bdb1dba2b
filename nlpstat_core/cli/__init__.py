"""The command line: `python -m nlpstat_core`."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # to a checker of types it is true; until Ctrl-C is in hand nothing else is loaded
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; Ctrl-C ends it in one line even while its parts are still being loaded."""
    before = _interrupts(_stopped)
    from nlpstat_core.cli.program import main as run

    if before is not None:
        _interrupts(before)
    return run(arguments)


def _interrupts(do: Any) -> Any:
    """Have Ctrl-C call this; what it called before, None where it is none of this program's business."""
    try:
        if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
            return None
        return signal.signal(signal.SIGINT, do)
    except ValueError:  # not the main thread
        return None


def _stopped(*_: object) -> None:
    """Nothing has been opened yet: the process may end where it stands, also amid a compiled module."""
    os.write(2, b"Stopped.\n")
    os._exit(130)


__all__ = ["main"]
