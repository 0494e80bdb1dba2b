"""Queues of work: nobody's many pieces keep another's first one waiting; settings of the environment."""

import threading
import time

import pytest

from dashboard.background.fair_queue import FairQueue
from dashboard.background.workers import check_settings, worker_count
from nlpstat_core.errors import ConfigError


def test_owners_take_turns():
    queue, gate, done = FairQueue(1, "test"), threading.Event(), []
    queue.submit(gate.wait)
    while not queue.running:
        time.sleep(0.001)
    for number in range(3):
        queue.submit_for("a", lambda number=number: done.append(f"a{number}"))
    dropped = queue.submit_for("b", lambda: done.append("never"))
    last = [queue.submit_for(owner, lambda owner=owner: done.append(owner)) for owner in ("b", "c")][-1]
    assert dropped.cancel()
    assert (queue.waiting, queue.running) == (5, 1)
    gate.set()
    last.result(5)
    queue.shutdown()
    assert done == ["a0", "b", "c", "a1", "a2"]
    assert (queue.waiting, queue.running) == (0, 0)


def test_who_has_nothing_under_way_comes_first():
    queue, gates, begun = FairQueue(2, "test"), [threading.Event() for _ in range(4)], []

    def work(name, gate):
        begun.append(name)
        gate.wait(5)

    for name, gate in zip(("a1", "a2", "a3", "b1"), gates, strict=True):
        queue.submit_for(name[0], lambda name=name, gate=gate: work(name, gate))
    while len(begun) < 2:
        time.sleep(0.001)
    gates[0].set()
    gates[1].set()
    while len(begun) < 3:
        time.sleep(0.001)
    for gate in gates:
        gate.set()
    queue.shutdown()
    assert "b1" in begun[:3]


def test_failures_are_raised_where_the_result_is_asked_for():
    queue = FairQueue(1, "test")
    with pytest.raises(ZeroDivisionError):
        queue.submit_for("a", lambda: 1 // 0).result(5)
    assert queue.submit(max, 2, 3).result(5) == 3
    queue.shutdown()


def test_how_many_workers(monkeypatch):
    monkeypatch.delenv("NLPSTAT_WORKERS", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert worker_count() == 7
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert worker_count() == 1
    monkeypatch.setenv("NLPSTAT_WORKERS", "4")
    assert worker_count() == 4
    for wrong in ("0", "-1", "4.5", "many", "1000", "٣", "9" * 5000):
        monkeypatch.setenv("NLPSTAT_WORKERS", wrong)
        with pytest.raises(ConfigError, match="whole number from 1 to 256"):
            check_settings()
    monkeypatch.delenv("NLPSTAT_WORKERS")
    monkeypatch.setenv("NLPSTAT_WORKER_MEMORY", "much")
    with pytest.raises(ConfigError, match="GiB from 1 to 4096"):
        check_settings()
