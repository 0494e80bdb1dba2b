"""Runs work in helper processes: pages keep the server's interpreter to themselves, stopping is certain."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Literal

from dashboard.packing import STOP, pack, unpack
from nlpstat_core.errors import AnalysisError, Cancelled

Progress = Callable[[int, int], None]
ShouldStop = Callable[[], bool]
Sort = Literal["quick", "long", "files"]

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = (sys.executable, "-m", "dashboard.helper_process")
# Work is computed on one BLAS thread anyway: others would only wait for a core.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
LESS_URGENT = 10  # pages and quick work come first
SECONDS_BETWEEN_LOOKS = 0.05
SECONDS_TO_STOP = 0.8
DIED = (
    "The helper process died while it worked on this (code {code}), most likely for lack of memory: try "
    "fewer systems, fewer resamples or a quicker test."
)


@dataclass(frozen=True)
class Task:
    """Work that can be sent to another process.

    Attributes
    ----------
    function : callable
        Of a module that does without Streamlit; called with the arguments, `progress(done, total)` and
        `should_stop()`.
    arguments : tuple
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Helper:
    """One helper process, started when it is first needed and again after it had to be killed.

    Parameters
    ----------
    niceness : int
        How far the system prefers other processes to it.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> subprocess.Popen[bytes]:
        """The process; a new one has its imports before it where nobody waits yet.

        Returns
        -------
        subprocess.Popen
        """
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                (*PROGRAM, str(self._niceness)),
                cwd=ROOT,
                env=os.environ | ONE_THREAD,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process

    def do(self, task: Task, progress: Progress, should_stop: ShouldStop) -> Any:
        """Have one piece of work done; other threads wait outside.

        Parameters
        ----------
        task : Task
        progress : callable
            Told about ten times a second at most.
        should_stop : callable
            Work that doesn't stop within a second of it is killed.

        Returns
        -------
        object

        Raises
        ------
        Cancelled
        AnalysisError
            The process has died.
        Exception
            Whatever the work raised.
        """
        process = self.start()
        try:
            kind, value = _replied(process, task, progress, should_stop)
        except (EOFError, OSError, UnpicklingError) as error:
            code = process.wait()
            self.start()
            if should_stop():
                raise Cancelled("The work was cancelled.") from error
            raise AnalysisError(DIED.format(code=code)) from error
        if kind == "failed":
            raise value
        return value

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _replied(
    process: subprocess.Popen[bytes], task: Task, progress: Progress, should_stop: ShouldStop
) -> tuple[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    pack((task.function, task.arguments), process.stdin)
    ended = threading.Event()
    guard = threading.Thread(target=_guard, args=(process, should_stop, ended), daemon=True)
    guard.start()
    try:
        while True:
            kind, value = unpack(process.stdout, task.arguments)
            if kind != "progress":
                return kind, value
            progress(*value)
    finally:
        ended.set()
        guard.join()


def _guard(process: subprocess.Popen[bytes], should_stop: ShouldStop, ended: threading.Event) -> None:
    """Stop the work of the process when asked to: it is told first, then killed."""
    while not ended.wait(SECONDS_BETWEEN_LOOKS):
        if should_stop():
            assert process.stdin is not None
            try:
                pack(STOP, process.stdin)
            except OSError:  # it has ended meanwhile
                return
            if not ended.wait(SECONDS_TO_STOP):
                process.kill()
            return


@dataclass(frozen=True)
class Lane:
    """Work that waits for each other: one thread that hands it on, one helper process that does it.

    Attributes
    ----------
    pool : ThreadPoolExecutor
        Of one thread.
    helper : Helper
    """

    pool: ThreadPoolExecutor
    helper: Helper


@cache
def lane(sort: Sort) -> Lane:
    """One lane of each sort for the whole server: heavy work queues instead of slowing everybody down, and
    what takes a moment never waits behind it, nor does a file behind either.

    Parameters
    ----------
    sort : {"quick", "long", "files"}

    Returns
    -------
    Lane
    """
    helper = Helper(0 if sort == "quick" else LESS_URGENT)
    atexit.register(helper.close)
    return Lane(ThreadPoolExecutor(1, thread_name_prefix=sort), helper)
