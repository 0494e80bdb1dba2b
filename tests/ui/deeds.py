"""Work for worker processes that behaves in every way work can behave."""

from __future__ import annotations

import os
import sys
import time

from dashboard.background.cores import cores_here
from nlpstat_core.errors import AnalysisError, Cancelled
from nlpstat_core.stopping import stop_if_asked


def count(n, progress, should_stop):
    """Tell the progress of nothing."""
    for done in range(n):
        progress(done + 1, n)
    print("a library's greeting")
    return n


def same(thing, progress, should_stop):
    """Give back what came, and where."""
    return {"thing": thing, "process": os.getpid()}


def share_out(then_ignore, progress, should_stop):
    """Which processes do a part of this work, and how many cores it was given; or go on for ever."""
    from joblib import Parallel, delayed

    cores = cores_here()
    parts = Parallel(n_jobs=cores, prefer="processes", return_as="generator")(
        delayed(_slowly)(60.0 if then_ignore else 0.2) for _ in range(2 * cores)
    )
    return cores, set(parts)


def _slowly(seconds):
    time.sleep(seconds)
    return os.getpid()


def refuse(progress, should_stop):
    """What users are told in one sentence."""
    raise AnalysisError("Not with these scores.")


def fail(progress, should_stop):
    """A mistake in the program."""
    return 1 / 0


def die(progress, should_stop):
    """As if the system had killed it."""
    os._exit(9)


def obey(progress, should_stop):
    """Go on until told to stop."""
    while not should_stop():
        progress(1, 4)
        time.sleep(0.002)
    raise Cancelled("stopped")


def never_planned(asked, progress, should_stop):
    """A plan that takes as long as nobody stops it."""
    return obey(progress, should_stop)


def never_known(analysis, target, most, progress, should_stop):
    """What a board could detect, without an end."""
    never_planned(None, progress, should_stop)


def never_analysed(given, config, progress, should_stop):
    """Several boards, without an end."""
    return obey(progress, should_stop)


def never_judged(given, settings, progress, should_stop):
    """Metrics judged by people, without an end."""
    return obey(progress, should_stop)


def never_compared(earlier, analysis, progress, should_stop):
    """A comparison that takes as long as nobody stops it."""
    return obey(progress, should_stop)


def obey_deep_inside(progress, should_stop):
    """Go on until a loop several calls deeper finds out."""
    while True:
        stop_if_asked()


def ignore(progress, should_stop):
    """Work that never asks."""
    progress(1, 4)
    while True:
        time.sleep(1)


def unpicklable(progress, should_stop):
    """A result that can't be sent."""
    return lambda: None


class InPartsError(Exception):
    """An error that can be sent, and not be made again from what was sent."""

    def __init__(self, first, second):
        super().__init__("sec" + f"ret {first} {second}")


def fail_with_parts(progress, should_stop):
    """An error with a signature of its own."""
    raise InPartsError(os.getpid(), 2)


def fail_unpicklably(progress, should_stop):
    """An error that holds what can't be sent."""
    error = KeyError("sec" + "ret")
    error.thing = lambda: None
    raise error


def fail_in_a_library(progress, should_stop):
    """An error of a compiled library's own class."""
    import pyarrow as pa

    raise pa.ArrowInvalid("sec" + "ret")


class Untakeable:
    """A result that fails where it is taken."""

    def __reduce__(self):
        """The server finds no such module."""
        return _nowhere, (os.getpid(),)


def _nowhere(process):
    if process != os.getpid():
        raise KeyError("not here")
    return process


def untakeable(progress, should_stop):
    """The same."""
    return Untakeable()


def modules(progress, should_stop):
    """What is imported there."""
    return set(sys.modules)


def take_memory(gibibytes, progress, should_stop):
    """Ask for more memory than there may be."""
    return len(bytearray(int(gibibytes * 2**30)))


def ask_for_roles(progress, should_stop):
    """A file whose columns may be anything."""
    from nlpstat_core.readers.roles.record import RolesNeeded

    raise RolesNeeded("which?", ["a"], [["1"]], None)


def read_for_ever(file, choices, progress, should_stop):
    """A file whose reading never ends."""
    while True:
        time.sleep(1)


def read_outputs_for_ever(file, choices, files, progress, should_stop):
    """The same of gold and outputs."""
    read_for_ever(file, choices, progress, should_stop)


def read_earlier_for_ever(file, bounds, board, told, instead, progress, should_stop):
    """The same of an earlier board's file."""
    read_for_ever(file, told, progress, should_stop)


def look_for_ever(file, choices, bounds, problem, progress, should_stop):
    """A second look that never ends."""
    read_for_ever(file, choices, progress, should_stop)


def die_reading(file, choices, progress, should_stop):
    """A file that ends its reader."""
    os._exit(9)


def fail_reading(file, choices, progress, should_stop):
    """A file that meets a mistake in a reader."""
    return file[0].nowhere


def read_too_much(file, choices, progress, should_stop):
    """A file that takes all memory there is."""
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        return len(bytearray(64 * 2**30))
