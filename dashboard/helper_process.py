"""The program of a helper process: does the work it is sent, one piece after the other. No Streamlit in here.

`python -m dashboard.helper_process NICENESS` reads (function, arguments) and STOP from its input; it writes
("progress", (done, total)) now and then, at last ("done", result) or ("failed", exception).
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import threading
import time
import traceback
from queue import SimpleQueue
from typing import IO, Any

from dashboard.packing import STOP, pack, unpack
from nlpstat_core.stopping import stoppable

# What nearly all work needs, imported while nobody waits for it.
PREPARED = (
    "dashboard.tasks",
    "nlpstat_core.analysis",
    "nlpstat_core.pairs.pair",
    "scipy.stats",
    "statsmodels.stats.diagnostic",
    "statsmodels.stats.multitest",
)
SECONDS_BETWEEN_NEWS = 0.1


def main() -> None:
    """Work until the server ends."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))  # Ctrl-C ends the server, and this in silence
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get among the replies
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    for name in PREPARED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # modules stay for good
    waiting: SimpleQueue[tuple[Any, tuple[Any, ...]]] = SimpleQueue()
    stop = threading.Event()
    threading.Thread(target=_listen, args=(waiting, stop), daemon=True).start()
    while True:
        _do(*waiting.get(), stop, replies)


def _listen(waiting: SimpleQueue[tuple[Any, tuple[Any, ...]]], stop: threading.Event) -> None:
    """Take what the server sends; STOP is about the work sent before it."""
    while True:
        try:
            message = unpack(sys.stdin.buffer)
        except EOFError:  # the server has ended
            os._exit(0)
        except Exception:  # nothing can be made of it: the server learns from the end of this process
            traceback.print_exc()
            os._exit(1)
        if message == STOP:
            stop.set()
        else:
            stop.clear()
            waiting.put(message)


def _do(function: Any, arguments: tuple[Any, ...], stop: threading.Event, replies: IO[bytes]) -> None:
    """One piece of work; afterwards nothing of it is left here."""
    told_at = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= SECONDS_BETWEEN_NEWS or done == total:
            told_at = time.monotonic()
            pack(("progress", (done, total)), replies)

    try:
        with stoppable(stop.is_set):  # loops deep inside ask too
            result = function(*arguments, progress, stop.is_set)
        pack(("done", result), replies, arguments)
    except Exception as error:  # raised again by the server, where the result is asked for
        error.add_note(traceback.format_exc())
        pack(("failed", error.with_traceback(None)), replies)


if __name__ == "__main__":
    main()
