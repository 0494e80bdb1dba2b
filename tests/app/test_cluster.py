"""Long work on a real Dask cluster: a scheduler and two workers, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from app.driver import ROOT, running_server
from app.visitor import Visitor, completed

from dashboard.background import cluster
from dashboard.background.jobs import Job
from dashboard.background.power_tasks import power_curve
from dashboard.background.tasks import analysed, audit, robustness
from dashboard.background.workers import Task
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.resampling.dask_workers import _problem
from nlpstat_core.errors import AnalysisError, Cancelled
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.version import VERSION

distributed = pytest.importorskip("distributed", reason="Dask isn't installed")
CONFIG = AnalysisConfig(test="bootstrap-mean", resamples=2_500, effects=())
pytestmark = pytest.mark.timeout(240)


def board(systems: int = 120, units: int = 900) -> ScoreMatrix:
    rng = np.random.default_rng(8)
    values = rng.normal(size=(units, 1)) + rng.normal(size=(units, systems)) + 0.05 * np.arange(systems)
    return ScoreMatrix(values=np.round(values, 3), systems=tuple(f"s{i}" for i in range(systems)))


@dataclass
class Running:
    """A scheduler and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]
    folder: Path

    def hire(self) -> subprocess.Popen[bytes]:
        """One more worker, without a nanny that would start it again."""
        arguments = ("worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard")
        started = dask(self.folder, *arguments, "--local-directory", str(self.folder))
        self.workers.append(started)
        return started


def dask(folder: Path, *arguments: str, path: str = str(ROOT)) -> subprocess.Popen[bytes]:
    once = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    environment = {**os.environ, **once, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    with (folder / f"{arguments[0]}.log").open("ab") as log:
        command = [sys.executable, "-m", "dask", *arguments]
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("dask")
    scheduler, address = scheduling(folder)
    made = Running(address, [], folder)
    try:
        yield made
    finally:
        for process in (*made.workers, scheduler):
            process.kill()
            process.wait(30)


def scheduling(folder: Path, path: str = str(ROOT)) -> tuple[subprocess.Popen[bytes], str]:
    """A scheduler and its address."""
    text = folder / "scheduler.json"
    place = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(text))
    scheduler = dask(folder, "scheduler", *place, path=path)
    while not (text.exists() and text.stat().st_size):
        assert scheduler.poll() is None, (folder / "scheduler.log").read_text()
        time.sleep(0.1)
    return scheduler, json.loads(text.read_text())["address"]


@pytest.fixture
def two(running: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """The cluster with two workers, which this server is told of."""
    monkeypatch.setenv("NLPSTAT_DASK", running.address)
    cluster._client.cache_clear()
    while sum(worker.poll() is None for worker in running.workers) < 2:
        running.hire()
    cluster._client().wait_for_workers(2, timeout=90)
    yield running
    cluster._client().close()
    cluster._client.cache_clear()


def begun(scores: ScoreMatrix, config: AnalysisConfig = CONFIG) -> Job:
    """The analysis under way, as the app begins it."""
    from concurrent.futures import ThreadPoolExecutor

    task = Task(analysed, (scores, config))
    job = Job("key", lambda *how: cluster.ClusterWorker().do(task, *how))
    job.submit(ThreadPoolExecutor(1))
    return job


def leading(running: Running) -> list[subprocess.Popen[bytes]]:
    """The workers that have work whose pieces are shared out, once there is one."""
    while not (found := working(running, "nlpstat-piece")):
        time.sleep(0.02)
    return found


def working(running: Running, besides: str) -> list[subprocess.Popen[bytes]]:
    """The workers that have tasks of other names."""
    client = cluster._client()
    at_work = {
        at
        for at, keys in client.processing().items()
        if any(not (besides and str(key).startswith(besides)) for key in keys)
    }
    pids = {pid for at, pid in client.run(os.getpid, on_error="ignore").items() if at in at_work}
    return [worker for worker in running.workers if worker.pid in pids]


def sharing() -> set[str]:
    """The workers that have pieces of an analysis."""
    found = cluster._client().processing()
    return {at for at, keys in found.items() if any("nlpstat-piece" in str(key) for key in keys)}


@pytest.mark.parametrize("leads", [True, False], ids=["that shares out", "of pieces"])
def test_same_digits_with_progress_and_after_a_killed_worker(two: Running, leads: bool) -> None:
    scores, config = board(200), replace(CONFIG, resamples=1_000)  # five pieces
    alone = analyse(scores, config)
    job = begun(scores, config)
    while not (job.progress[0] and len(sharing()) == 2):
        assert not job.wait(0.01)
    assert 0 < job.share_done < 1
    leaders = leading(two)
    assert len(leaders) == 1
    for worker in working(two, ""):
        if (worker in leaders) == leads:
            worker.send_signal(signal.SIGKILL)
    assert job.wait(120)
    found = job.result()
    assert found.pairs.p_value.tolist() == alone.pairs.p_value.tolist()
    assert found.to_dict() == alone.to_dict()
    assert found.scores is scores  # sent back as its place, not as a second copy


def test_pieces_of_one_analysis_go_to_every_worker(two: Running) -> None:
    scores, at_work = board(), set[str]()
    job = begun(scores)
    while not job.wait(0.05):
        at_work |= sharing()
    assert len(at_work) == 2
    assert job.result().pairs.p_value.tolist() == analyse(scores, CONFIG).pairs.p_value.tolist()


@pytest.mark.parametrize("what", ["audit", "curve", "robustness"])
def test_other_long_work_is_shared_out_with_the_same_digits(two: Running, what: str) -> None:
    analysis = analyse(board(14, 300), AnalysisConfig(test="bootstrap-mean", resamples=400))
    tasks = {
        "audit": Task(audit, (analysis, "resampled", 40, ("t",))),
        "curve": Task(
            power_curve, (analysis, ("s0", "s9"), replace(analysis.config), 150, "bootstrap", None)
        ),
        "robustness": Task(robustness, (analysis,)),
    }
    task = tasks[what]
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    found = cluster.ClusterWorker().do(task, progress, lambda: False)
    alone = task.function(*task.arguments, lambda done, total: None, lambda: False)
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]
    if what == "robustness":
        assert list(map(vars, found.variants)) == list(map(vars, alone.variants))
    else:
        assert found.to_dict() == alone.to_dict()


def test_work_is_stopped_and_its_worker_free_again(two: Running) -> None:
    def executing(dask_worker: Any) -> int:
        return len(dask_worker.state.executing)

    job = begun(board(150, 1_500))
    while not sharing():
        assert not job.wait(0.05)
    job.cancel()
    with pytest.raises(Cancelled):
        job.result()
    since = time.monotonic()
    client = cluster._client()
    while any(client.processing().values()) or any(client.run(executing).values()):
        assert time.monotonic() - since < 30
        time.sleep(0.1)


def test_what_the_work_refuses_and_workers_that_are_lost_are_told(two: Running) -> None:
    wrong = Task(analysed, (board(2, 3), AnalysisConfig(block_column="document")))
    with pytest.raises(Exception, match="document") as error:
        cluster.ClusterWorker().do(wrong, lambda done, total: None, lambda: False)
    assert isinstance(error.value, (AnalysisError, ValueError))
    two.hire()
    job = begun(board())
    for _ in range(2):
        (worker,) = leading(two)
        worker.kill()
        worker.wait(30)
    assert job.wait(150)
    with pytest.raises(AnalysisError, match="lost again and again"):
        job.result()


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPSTAT_DASK", "tcp://127.0.0.1:9")
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    cluster._client.cache_clear()
    with pytest.raises(AnalysisError, match="can't be reached"):
        cluster.ClusterWorker().do(Task(analysed, ()), lambda done, total: None, lambda: False)


@pytest.mark.parametrize("path", [str(ROOT), ""])
def test_a_worker_without_the_path_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """It would end, or say nothing, and the work wait for ever."""
    scheduler, address = scheduling(tmp_path, path)
    options = ("--no-nanny", "--nthreads", "2", "--no-dashboard", "--local-directory", str(tmp_path))
    worker = dask(tmp_path, "worker", address, *options, path="")
    monkeypatch.setenv("NLPSTAT_DASK", address)
    cluster._client.cache_clear()
    try:
        scores, config = board(), AnalysisConfig(test="t")
        task = Task(analysed, (scores, config))
        with pytest.raises(AnalysisError, match=r"can't find the app \(No module named 'dashboard'\)"):
            cluster.ClusterWorker().do(task, lambda done, total: None, lambda: False)
        with (
            distributed.Client(address),
            joblib.parallel_config(backend="dask"),
            pytest.raises(
                AnalysisError, match=r"^The Dask worker tcp://[\d.:]+ can't import nlpstat_core \(No module"
            ),
        ):
            analyse(scores, config, workers=2)
    finally:
        cluster._client().close()
        cluster._client.cache_clear()
        for process in (worker, scheduler):
            process.kill()
            process.wait(30)


def test_a_scheduler_that_goes_is_told(tmp_path: Path) -> None:
    scheduler, address = scheduling(tmp_path)
    options = ("--no-nanny", "--nthreads", "2", "--no-dashboard", "--local-directory", str(tmp_path))
    worker = dask(tmp_path, "worker", address, *options)
    try:
        with distributed.Client(address) as client, joblib.parallel_config(backend="dask"):

            def goes() -> bool:
                if scheduler.poll() is None and any(client.processing().values()):
                    scheduler.kill()
                    scheduler.wait(30)
                return False

            with pytest.raises(AnalysisError, match="The cluster no longer answers"):
                analyse(board(), CONFIG, workers=2, should_stop=goes)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait(30)


def test_another_version_is_told() -> None:
    assert _problem({"tcp://x:1": (VERSION, "")}) is None
    found = _problem({"tcp://x:1": (VERSION, ""), "tcp://x:2": ("0.0.9", "")})
    assert found == "The Dask worker tcp://x:2 has nlpstat_core of version 0.0.9"


def test_the_app_sends_its_long_work_there(two: Running, tmp_path: Path) -> None:
    answers = replace(board(110), values=np.random.default_rng(1).integers(0, 2, (900, 110)) * 1.0)

    async def visit(address: str) -> list[str]:
        async with Visitor(address) as visitor:
            await visitor.upload(csv_of(answers))
            await visitor.until_answered(seconds=120)
            return visitor.words

    def text() -> set[str]:
        return {topic for topic in cluster._client().get_events() if topic.startswith("nlpstat-")}

    before = text()
    with running_server(tmp_path / "log.txt") as address:
        assert any("differ" in word for word in completed(visit(address)))
    assert text() - before


def csv_of(scores: ScoreMatrix) -> bytes:
    rows = [",".join(map(str, row)) for row in scores.values.tolist()]
    head = ",".join(["item", *scores.systems])
    return "\n".join([head, *(f"u{i},{row}" for i, row in enumerate(rows))]).encode()
