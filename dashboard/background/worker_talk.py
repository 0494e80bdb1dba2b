"""How a worker process is started, spoken with through its pipes, and ended with all that it has started."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from dashboard.background.packets import STOP, pack, unpack

Progress = Callable[[int, int], None]
ShouldStop = Callable[[], bool]
# What is to be called with what, and how many cores it may use.
Message = tuple[Callable[..., object], tuple[object, ...], int]

POSIX = os.name == "posix"
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "dashboard.background.worker_process")
# Work is computed on one BLAS thread anyway: others would only wait for a core.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# What a killed process shared with joblib's processes is taken away by a tracker of theirs, with a warning.
UNTRACKED = "ignore:resource_tracker:UserWarning"
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_TO_STOP = 0.8


def started(niceness: int, prepares: str) -> subprocess.Popen[bytes]:
    """A new worker process, which leads a group of its own: those that it starts are ended with it.

    niceness: How far the system prefers other processes to it.
    prepares: What it imports before the first work.
    """
    return subprocess.Popen(
        (*PROGRAM, str(niceness), prepares),
        cwd=ROOT,
        env=os.environ | ONE_THREAD | {"PYTHONWARNINGS": _with_untracked()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0 if POSIX else None,
    )


def _with_untracked() -> str:
    """The warnings that are wanted, without those about what a killed process left."""
    return ",".join(filter(None, (os.environ.get("PYTHONWARNINGS"), UNTRACKED)))


def resident(process: int) -> int:
    """The memory of a process in bytes; 0 when it has ended or the system doesn't tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def ended(process: subprocess.Popen[bytes]) -> int:
    """How a process ended that can't be talked with any more; one that goes on all the same is killed."""
    try:
        return process.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        kill(process)
        return process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it has started, which would work on until they look for it."""
    if POSIX and process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):  # it ends by itself just now
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def replied(
    process: subprocess.Popen[bytes], message: Message, progress: Progress, should_stop: ShouldStop
) -> tuple[str, Any]:
    """What came of a piece of work: ("done", result) or ("failed", Failure).

    message: Function, arguments and cores.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    sent, ended = threading.Event(), threading.Event()
    guard = threading.Thread(target=_guard, args=(process, should_stop, sent, ended), daemon=True)
    guard.start()
    try:
        pack(message, process.stdin)
        sent.set()
        while True:
            kind, value = unpack(process.stdout, message[1])
            if kind != "progress":
                return kind, value
            progress(*value)
    finally:
        ended.set()
        guard.join()


def _guard(
    process: subprocess.Popen[bytes], should_stop: ShouldStop, sent: threading.Event, ended: threading.Event
) -> None:
    """Stop the work of the process when asked to: it is told first, then killed."""
    while not ended.wait(SECONDS_BETWEEN_LOOKS):
        if should_stop():
            assert process.stdin is not None
            if not sent.is_set():  # the pipe is in use, and its other end may never read the rest
                kill(process)
                return
            try:
                pack(STOP, process.stdin)
            except OSError:  # it has ended meanwhile
                return
            if not ended.wait(SECONDS_TO_STOP):
                kill(process)
            return
