"""The program of a worker process: does the work it is sent, one piece after the other. No Streamlit in here.

`python -m dashboard.background.worker_process NICENESS WHAT` imports what such work needs; then it reads
(function, arguments, cores) and STOP from its input and writes ("progress", (done, total)) now and then, at
last ("done", result) or ("failed", Failure).
"""

import gc
import importlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO

from dashboard.background.cores import end_processes, using_cores
from dashboard.background.failures import failure_of
from dashboard.background.packets import STOP, pack, unpack
from dashboard.background.worker_talk import Message
from nlpstat_core.errors import AnalysisError
from nlpstat_core.memory import GIB
from nlpstat_core.readers.open.memory import memory_limited
from nlpstat_core.stopping import stoppable

# What nearly all work needs, imported while nobody waits for it.
PREPARED = {
    "all": (
        "dashboard.background.power_tasks",
        "dashboard.background.tasks",
        "nlpstat_core.analysis.analyse",
        "nlpstat_core.analysis.pair",
        "scipy.stats",
        "statsmodels.stats.diagnostic",
        "statsmodels.stats.multitest",
    ),
    "reading": ("dashboard.background.readings", "nlpstat_core.readers", "pyarrow.csv", "pyarrow.parquet"),
}
SECONDS_BETWEEN_NEWS = 0.1
MEMORY = "NLPSTAT_WORKER_MEMORY"
MOST_MEMORY = int(os.environ.get(MEMORY) or 8) * GIB  # of any work, beyond what the process has


def main() -> None:
    """Work until the server ends."""
    _end_in_silence()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get among the replies
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    for name in PREPARED[sys.argv[2]]:
        importlib.import_module(name)
    _end_in_silence()  # polars, which statsmodels loads where it is installed, has taken Ctrl-C over
    gc.collect()
    gc.freeze()  # modules stay for good
    waiting: SimpleQueue[Message] = SimpleQueue()
    stop = threading.Event()
    threading.Thread(target=_listen, args=(waiting, stop), daemon=True).start()
    while True:
        _do(*waiting.get(), stop, replies)


def _end_in_silence() -> None:
    """Ctrl-C ends the server, and this without a word."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))


def _end() -> None:
    """End this process and those that it has started: on POSIX it leads a group of its own."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


def _listen(waiting: SimpleQueue[Message], stop: threading.Event) -> None:
    """Take what the server sends; STOP is about the work sent before it."""
    while True:
        try:
            message = unpack(sys.stdin.buffer)
        except EOFError:  # the server has ended
            _end()
        except Exception:  # nothing can be made of it: the server learns from the end of this process
            traceback.print_exc()
            os._exit(1)
        if message == STOP:
            stop.set()
        else:
            stop.clear()
            waiting.put(message)
        del message  # else it would stay here until the next comes


def _do(
    function: Callable[..., object],
    arguments: tuple[object, ...],
    cores: int,
    stop: threading.Event,
    replies: IO[bytes],
) -> None:
    """One piece of work; afterwards nothing of it is left here."""
    reported_at = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at >= SECONDS_BETWEEN_NEWS or done == total:
            reported_at = time.monotonic()
            pack(("progress", (done, total)), replies)

    try:
        # Loops deep inside ask too; the server ends this process where they take too long.
        with stoppable(stop.is_set, process_ends=True), using_cores(cores):
            result = _bounded(function, (*arguments, progress, stop.is_set))
        pack(("done", result), replies, arguments)
    except Exception as error:  # raised again by the server, where the result is asked for
        pack(("failed", failure_of(error)), replies)
    finally:
        if cores > 1:
            end_processes()


def _bounded(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    """The work within the memory it may take; a file that is read has a bound of its own inside."""
    try:
        with memory_limited(MOST_MEMORY):
            return function(*arguments)
    except MemoryError as error:
        raise AnalysisError(
            f"This takes more than {MOST_MEMORY / GIB:.3g} GiB of memory: try fewer systems, fewer "
            "resamples or a quicker test."
        ) from error


if __name__ == "__main__":
    main()
