"""Worker processes: results, failures, stopping, and what they leave behind."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dashboard.background import power_tasks, tasks
from dashboard.background.failures import UnforeseenError
from dashboard.background.fair_queue import FairQueue
from dashboard.background.packets import pack, unpack
from dashboard.background.workers import Task, Worker, WorkQueue
from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
from nlpstat_core.errors import AnalysisError, Cancelled
from tests.ui import deeds

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.fixture(scope="module")
def scores() -> ScoreMatrix:
    rng = np.random.default_rng(3)
    labels = {"doc": tuple(f"d{i // 4}" for i in range(48))}
    values = rng.normal(np.array([50, 51, 52, 52]), 5, (48, 4))
    return ScoreMatrix(values=values, systems=("A", "B", "C", "D"), labels=labels)


def never() -> bool:
    return False


def quietly(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def done(worker: Worker, function, *arguments, progress=quietly, should_stop=never, cores=1):
    return worker.do(Task(function, arguments, cores), progress, should_stop)


def test_result_progress_and_another_process(worker) -> None:
    lines = []
    assert done(worker, deeds.count, 1000, progress=lambda *at: lines.append(at)) == 1000
    assert lines[0] == (1, 1000)
    assert lines[-1] == (1000, 1000)
    assert len(lines) < 100  # not one message for each
    here = done(worker, deeds.same, 1)["process"]
    assert here != os.getpid()
    assert done(worker, deeds.same, 2)["process"] == here


def test_what_was_sent_comes_back_as_itself(worker, scores) -> None:
    assert done(worker, deeds.same, scores)["thing"] is scores
    analysis = done(worker, tasks.analysed, scores, AnalysisConfig())
    assert analysis.scores is scores
    assert analysis.fingerprint == analyse(scores).fingerprint
    np.testing.assert_array_equal(analysis.pairs.p_value, analyse(scores).pairs.p_value)


def test_failures_are_raised_here(worker) -> None:
    with pytest.raises(AnalysisError, match="Not with these scores"):
        done(worker, deeds.refuse)
    with pytest.raises(AnalysisError, match=r"an unexpected error \(ZeroDivisionError\): tell") as caught:
        done(worker, deeds.fail)
    assert isinstance(caught.value, UnforeseenError)
    with pytest.raises(
        UnforeseenError, match=r"unexpected error \((AttributeError|PicklingError|TypeError)\)"
    ):
        done(worker, deeds.unpicklable)
    assert done(worker, deeds.count, 3) == 3


def test_errors_of_any_kind_come_as_sentences(capfd) -> None:
    """An exception that can't be sent, or not made again here, or that is a compiled library's."""
    worker = Worker()
    before = done(worker, deeds.same, 1)["process"]
    for work in (deeds.fail_with_parts, deeds.fail_unpicklably, deeds.fail_in_a_library):
        with pytest.raises(UnforeseenError, match=r"unexpected error \(\w+\): tell whoever runs this server"):
            done(worker, work)
    assert done(worker, deeds.same, 1)["process"] == before
    worker.close()
    said = capfd.readouterr().err
    assert said.count("deeds.py") == 3  # where it happened
    assert "secret" not in said  # and nothing of what a file holds


def test_a_result_that_cant_be_taken_here_is_a_sentence(worker) -> None:
    with pytest.raises(UnforeseenError, match="an unexpected error"):
        done(worker, deeds.untakeable)
    assert done(worker, deeds.count, 3) == 3


def test_a_dead_process_is_told_and_replaced(worker) -> None:
    before = done(worker, deeds.same, 1)["process"]
    with pytest.raises(AnalysisError, match=r"died .*code 9.*: try fewer systems"):
        done(worker, deeds.die)
    assert done(worker, deeds.same, 1)["process"] != before


@pytest.mark.parametrize("work", [deeds.obey, deeds.obey_deep_inside, deeds.ignore])
def test_it_stops_within_a_second(worker, work) -> None:
    before = done(worker, deeds.same, 1)["process"]
    asked: list[float] = []
    begun = time.monotonic()

    def should_stop() -> bool:
        if not asked and time.monotonic() - begun > 0.3:
            asked.append(time.monotonic())
        return bool(asked)

    with pytest.raises(Cancelled):
        done(worker, work, should_stop=should_stop)
    assert time.monotonic() - asked[0] < 1.5  # one second, and half a second for a busy machine
    after = done(worker, deeds.same, 1)["process"]
    assert (after == before) == (work is not deeds.ignore)  # who listens need not be killed


def _children(process: int) -> set[int]:
    """Processes that work for another one; the one that takes away what they leave isn't among them."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = [line.split(None, 2) for line in listed]
    return {
        int(pid) for pid, parent, what in rows if int(parent) == process and "resource_tracker" not in what
    }


def _gone(processes: set[int]) -> bool:
    until = time.monotonic() + 5.0
    while time.monotonic() < until and any(Path(f"/proc/{one}").exists() for one in processes):
        time.sleep(0.05)
    return not any(Path(f"/proc/{one}").exists() for one in processes)


def test_work_is_shared_out_among_the_cores_it_is_given_and_nothing_is_left_of_it(capfd) -> None:
    worker = Worker()
    here = done(worker, deeds.same, 1)["process"]
    if not Path(f"/proc/{here}").exists():
        worker.close()
        pytest.skip("This system has no /proc to look for processes.")
    assert done(worker, deeds.share_out, False)[0] == 1
    cores, helpers = done(worker, deeds.share_out, False, cores=2)
    assert cores == 2
    assert helpers
    assert here not in helpers
    assert _gone(helpers)
    begun = time.monotonic()
    begins: list[set[int]] = []

    def should_stop() -> bool:
        if time.monotonic() - begun > 2.0 and not begins:
            begins.append(_children(here))
        return bool(begins)

    with pytest.raises(Cancelled):
        done(worker, deeds.share_out, True, should_stop=should_stop, cores=2)
    assert begins[0]
    assert _gone(begins[0])
    worker.close()
    time.sleep(0.5)
    assert "leaked" not in capfd.readouterr().err


def test_a_long_piece_gets_half_of_the_cores_that_nobody_needs(monkeypatch) -> None:
    given = []

    class Noted(Worker):
        def do(self, task, progress, should_stop):
            given.append(task.cores)
            if len(given) < 4:
                queue.do(task, progress, should_stop)
            return

    queue = WorkQueue(FairQueue(7, "long"), tuple(Noted() for _ in range(7)), long=True)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    queue.do(Task(deeds.same, (1,)), quietly, never)
    assert given == [4, 3, 3, 2]
    given[:] = [0, 0, 0]
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    queue.do(Task(deeds.same, (1,)), quietly, never)
    assert given[-1] == 2
    given[:] = [0, 0, 0]
    WorkQueue(queue.pool, queue.workers).do(Task(deeds.same, (1,)), quietly, never)
    assert given[-1] == 1


def test_stopping_too_late_stops_nothing_else(worker) -> None:
    for _ in range(20):
        assert done(worker, deeds.count, 1, should_stop=lambda: True) == 1


def test_scores_may_be_looked_at_while_they_are_sent() -> None:
    class File(io.BytesIO):
        def write(self, part) -> int:
            thing.__dict__.setdefault(f"computed {len(thing.__dict__)}", 1)  # as a cached property does
            return super().write(part)

    values = np.random.default_rng(1).normal(size=(9_000, 2))  # more than one write
    thing = ScoreMatrix(values=values, systems=("A", "B"), units=tuple(f"u{i}" for i in range(9_000)))
    file = File()
    pack((thing,), file)
    assert len(thing.__dict__) > len(ScoreMatrix(values=values, systems=("A", "B")).__dict__)
    file.seek(0)
    assert unpack(file)[0].fingerprint == thing.fingerprint


def test_every_task_of_the_pages_can_be_sent(worker, scores) -> None:
    config = AnalysisConfig(block_column=None)
    analysis = analyse(scores, config)
    assert done(worker, tasks.pair, analysis, "A", "B")[1].system_a == "A"
    assert len(done(worker, tasks.other_tests, analysis, "A", "B")) > 3
    assert len(done(worker, tasks.other_corrections, analysis, "A", "B")) > 3
    assert done(worker, tasks.left_out, analysis, 0, "doc").name
    assert done(worker, tasks.robustness, analysis).variants
    board, neighbours = done(worker, power_tasks.board_power, analysis, 0.8, None)
    assert board.detectable.shape == (6,)
    assert len(neighbours.upper) == 3
    curve = done(worker, power_tasks.power_curve, analysis, ("A", "B"), config, 100, "bootstrap", None)
    assert (np.diff(curve.sizes) > 0).all()
    sizes, documents = done(worker, power_tasks.unit_sizes, scores, "A", "B", None, config, ["doc"])
    assert len(sizes.sizes) > 1
    assert set(documents) == {"doc"}
    assert done(worker, tasks.ranks, analysis).best.sum() == pytest.approx(1)
    assert done(worker, tasks.average_ranks, scores, 0.05).critical_difference > 0
    assert "Holm" in done(worker, tasks.methods, analysis, ())[0]
    assert done(worker, tasks.file, analysis, "analysis.xlsx", ()).startswith(b"PK")
    for kind, begins in (("html", "<!"), ("markdown", "#"), ("latex", "\\")):
        assert done(worker, tasks.report, analysis, kind, ()).lstrip("%\n ").startswith(begins)


def test_the_process_ends_with_the_server() -> None:
    program = (
        "import os\nfrom dashboard.background.workers import Worker\n"
        "print(Worker().start().pid, flush=True)\nos._exit(0)  # without any tidying up\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    process = int(ran.stdout)
    for _ in range(600):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("The worker process goes on without its server.")


INTERRUPTED = """
import contextlib, os, signal, sys, threading
from dashboard.background.workers import Worker, Task
from nlpstat_core.errors import AnalysisError
from tests.ui import deeds

worker, begun = Worker(), threading.Event()

def ask(work, *arguments):
    with contextlib.suppress(AnalysisError):
        worker.do(Task(work, arguments), lambda done, total: begun.set(), lambda: False)

ask(deeds.same, 1)
process = worker.start()
if sys.argv[1] == "busy":
    threading.Thread(target=ask, args=(deeds.ignore,), daemon=True).start()
    begun.wait()
os.kill(process.pid, signal.SIGINT)
print(process.wait(timeout=20), flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_interrupting_the_terminal_ends_it_in_silence(state) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, state],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("0\n", "")


def test_scores_stay_off_the_disk(scores) -> None:
    worker = Worker()
    folder = Path(f"/proc/{done(worker, deeds.same, 1)['process']}/fd")
    if not folder.exists():
        worker.close()
        pytest.skip("This system has no /proc to look at open files.")
    before = {os.readlink(entry) for entry in folder.iterdir()}
    assert len(done(worker, tasks.analysed, scores, AnalysisConfig()).pairs) == 6
    after = {os.readlink(entry) for entry in folder.iterdir()}
    worker.close()
    assert after <= before
