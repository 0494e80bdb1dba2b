"""The same digits from one worker, threads, processes and a Dask cluster."""

import json
import logging
import os
import platform
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pytest
from threadpoolctl import threadpool_info

import nlpstat_core as ns
from nlpstat_core.engine.columns import pairing
from nlpstat_core.engine.resampling import dask_workers, sharing_out
from nlpstat_core.engine.resampling.threads import in_order, using_threads


def with_gaps():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(400, 1)) + rng.normal(size=(400, 24)) + 0.05 * np.arange(24)
    values[rng.random(values.shape) < 0.01] = np.nan
    return ns.ScoreMatrix(values=np.round(values, 2), systems=tuple(f"s{i}" for i in range(24)))


@pytest.fixture(scope="module")
def scores():
    return with_gaps()


@pytest.fixture(scope="module")
def alone(scores):
    return json.dumps(ns.analyse(scores).to_dict())


def test_the_board_is_cut_into_several_chunks(scores):
    assert sum(1 for _ in pairing.chunks(scores, *pairing.pair_indices(24))) > 20


@pytest.mark.parametrize("workers", [2, 3])
def test_threads(scores, alone, workers):
    assert json.dumps(ns.analyse(scores, workers=workers).to_dict()) == alone


@pytest.mark.parametrize(
    ("test", "correction"),
    [("bootstrap-mean", "max-t"), ("permutation-mean", "max-t"), ("permutation-mean", "holm")],
)
def test_threads_inside_one_chunk(test, correction):
    rng = np.random.default_rng(4)
    values = rng.normal(size=(900, 1)) + rng.normal(size=(900, 21)) + 0.05 * np.arange(21)
    board = ns.ScoreMatrix(values=values, systems=tuple(f"s{i}" for i in range(21)))
    assert sum(1 for _ in pairing.chunks(board, *pairing.pair_indices(21))) == 1
    config = ns.AnalysisConfig(test=test, correction=correction, effects=(), resamples=1_500)
    one, three = (json.dumps(ns.analyse(board, config, workers=k).to_dict()) for k in (1, 3))
    assert one == three


def test_results_come_in_order_from_as_many_threads_as_allowed():
    running, most, lock = [0], [0], threading.Lock()

    def slow(number):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.02 if number % 3 else 0.05)
        with lock:
            running[0] -= 1
        return number, threading.get_ident()

    with using_threads(3):
        found = list(in_order(slow, range(12)))
    assert [number for number, _ in found] == list(range(12))
    assert most[0] == 3
    assert threading.get_ident() not in {thread for _, thread in found}
    assert {thread for _, thread in in_order(slow, range(3))} == {threading.get_ident()}


def test_an_error_in_a_thread_is_raised_and_ends_the_work():
    asked = []

    def fails(number):
        asked.append(number)
        raise ValueError(f"number {number}")

    with using_threads(2), pytest.raises(ValueError, match="number 0"):
        list(in_order(fails, range(100)))
    assert len(asked) < 10


@pytest.mark.filterwarnings("ignore:.*A worker stopped while some jobs.*:UserWarning")
def test_processes(scores, alone):
    with joblib.parallel_config(backend="loky", max_nbytes=None):
        assert json.dumps(ns.analyse(scores, workers=2).to_dict()) == alone


def test_processes_write_nothing_to_disk(scores, tmp_path):
    with joblib.parallel_config(backend="loky", max_nbytes=None, temp_folder=str(tmp_path)):
        ns.analyse(scores, workers=2)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.fixture(scope="module")
def two_dask_workers():
    distributed = pytest.importorskip("distributed", reason="the optional Dask is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def graded(systems, units=900):
    rng = np.random.default_rng(4)
    values = rng.normal(size=(units, 1)) + rng.normal(size=(units, systems)) + 0.05 * np.arange(systems)
    return ns.ScoreMatrix(values=np.round(2 * values), systems=tuple(f"s{i}" for i in range(systems)))


def _macro_f1(workers):
    rng = np.random.default_rng(3)
    gold = rng.choice(["a", "b", "c"], 300).tolist()
    outputs = {
        f"s{i}": [own if rng.random() < 0.6 + 0.01 * i else "b" for own in gold] for i in range(18)
    }  # 153 pairs: more than are done together
    submitted = ns.Submissions(
        kind="labels", items=list(map(str, range(300))), gold=gold, outputs=outputs, measures=("macro-f1",)
    )
    return ns.analyse(submitted, workers=workers).to_dict()


def _analysed(systems, **settings):
    config = ns.AnalysisConfig(effects=(), **settings)
    return lambda workers: ns.analyse(graded(systems), config, workers=workers).to_dict()


def _audited(config, **choices):
    analysis = ns.analyse(graded(9, 200), config)
    return lambda workers: ns.audit(analysis, boards=40, workers=workers, **choices).to_dict()


def _curve(**choices):
    scores = graded(4, 120)
    return lambda workers: ns.power_curve(
        scores, "s0", "s3", iterations=300, workers=workers, **choices
    ).to_dict()


SHARED = {
    "pairs": lambda workers: ns.analyse(with_gaps(), workers=workers).to_dict(),
    "max-t": _analysed(120, test="t", correction="max-t"),
    "max-t with delta": _analysed(40, test="permutation-mean", correction="max-t", delta=1, resamples=20_000),
    "bootstrap of one chunk": _analysed(12, test="bootstrap-mean", correction="max-t", resamples=9_000),
    "measure": _macro_f1,
    "audit": _audited(ns.AnalysisConfig(), null="permuted"),
    "audit with another test": _audited(ns.AnalysisConfig(test="t"), also=("wilcoxon",)),
    "curve": _curve(test="wilcoxon"),
    "curve of swaps": _curve(test="permutation-mean", shift=0.2),
    "unpaired curve": _curve(test="welch-t"),
    "normal curve": _curve(method="normal", sizes=[40, 1_000, 7]),
}


@pytest.mark.filterwarnings("ignore:.*A worker stopped while some jobs.*:UserWarning")
@pytest.mark.parametrize("what", SHARED)
def test_every_kind_of_work_has_the_same_digits_wherever_it_is_done(what, two_dask_workers):
    work = SHARED[what]
    alone = json.dumps(work(1))
    assert json.dumps(work(3)) == alone
    with joblib.parallel_config(backend="loky"):
        assert json.dumps(work(2)) == alone
    before = _pieces(two_dask_workers)
    with joblib.parallel_config(backend="dask"):
        assert json.dumps(work(2)) == alone
    assert _pieces(two_dask_workers) > before


def _pieces(client):
    """How many pieces of work the workers have done."""

    def log(dask_worker):
        return sum("nlpstat-piece" in str(event[0]) for event in dask_worker.state.log)

    return sum(client.run(log).values())


def test_cancel_reaches_pieces_on_dask_workers(two_dask_workers):
    stopped_at = []

    def under_way():
        if any(two_dask_workers.processing().values()):
            stopped_at.append(time.monotonic())
        return bool(stopped_at)

    long = ns.AnalysisConfig(test="bootstrap-mean", resamples=1_000_000, effects=())
    with joblib.parallel_config(backend="dask"), pytest.raises(ns.Cancelled):
        ns.analyse(graded(120), long, workers=2, should_stop=under_way)
    while any(two_dask_workers.processing().values()):
        assert time.monotonic() - stopped_at[0] < 10
        time.sleep(0.05)


def test_a_piece_of_many_scores_is_sent_without_a_warning(two_dask_workers):
    board = graded(14, units=120_000)  # 13 MB
    config = ns.AnalysisConfig(test="t", effects=())
    with joblib.parallel_config(backend="dask"):
        spread = ns.analyse(board, config, workers=2)
    assert spread.pairs.p_value.tolist() == ns.analyse(board, config).pairs.p_value.tolist()


def test_a_cluster_without_workers_is_told(monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the optional Dask is not installed")
    monkeypatch.setattr(dask_workers, "SECONDS_FOR_A_WORKER", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
        pytest.raises(ns.AnalysisError, match="The Dask cluster has no workers"),
    ):
        ns.analyse(graded(120), workers=2)


def test_chunks_of_a_lost_dask_worker_are_repeated(scores, alone):
    distributed = pytest.importorskip("distributed", reason="the optional Dask is not installed")
    seen, killed = [], []

    def progress(done, total):
        seen.append((done, total))
        if len(seen) == 3:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        assert json.dumps(ns.analyse(scores, workers=2, progress=progress).to_dict()) == alone
        assert len(killed) == 1
        assert killed[0] not in client.run(os.getpid).values()
    assert len(seen) > 3
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1] == (24 * 23 // 2, 24 * 23 // 2)


def _chosen(monkeypatch, scores, **arguments):
    """What is preferred for the chunks of an analysis by two workers, and the analysis."""
    chosen, parallel = [], joblib.Parallel

    def noted(*, prefer, **others):
        chosen.append(prefer)
        return parallel(prefer=prefer, **others)

    monkeypatch.setattr(joblib, "Parallel", noted)
    analysis = ns.analyse(scores, workers=2, **arguments)
    return chosen, json.dumps(analysis.to_dict())


@pytest.mark.filterwarnings("ignore:.*A worker stopped while some jobs.*:UserWarning")
def test_long_work_goes_to_processes_that_compute_the_same_digits(scores, alone, monkeypatch):
    monkeypatch.setattr(sharing_out, "WORTH_PROCESSES", 276 * 300)
    assert _chosen(monkeypatch, scores) == (["processes"], alone)


def test_threads_share_what_is_short_may_be_cancelled_is_counted_or_has_far_more_scores_than_work(
    scores, alone, monkeypatch
):
    assert _chosen(monkeypatch, scores) == (["threads"], alone)
    monkeypatch.setattr(sharing_out, "WORTH_PROCESSES", 1)
    assert _chosen(monkeypatch, scores, should_stop=lambda: False) == (["threads"], alone)
    of_counts = ns.ScoreMatrix(
        values=np.where(np.isnan(scores.values), np.nan, scores.values > 0), systems=scores.systems
    )
    assert _chosen(monkeypatch, of_counts)[0] == ["threads"]
    monkeypatch.setattr(sharing_out, "MOST_SENT", 1_000)
    assert _chosen(monkeypatch, scores) == (["threads"], alone)


def blas_threads(_: int) -> list[int]:
    """How many threads BLAS has where a piece of work is done."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.filterwarnings("ignore:.*A worker stopped while some jobs.*:UserWarning")
def test_blas_has_one_thread_in_processes_that_may_use_several():
    with joblib.parallel_config(backend="loky", inner_max_num_threads=3):
        found = list(sharing_out.shared_out(blas_threads, range(8), workers=2))
    assert len(found) == 8
    assert all(found)
    assert {threads for pools in found for threads in pools} == {1}


def test_cancel_stops_between_chunks(scores):
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 5

    with pytest.raises(ns.Cancelled):
        ns.analyse(scores, should_stop=stop)
    assert len(asked) == 6
    with pytest.raises(ns.Cancelled):
        ns.analyse(scores, should_stop=lambda: True, workers=2)


ALLOCATING = """
import resource, sys
import numpy as np
from nlpstat_core.arrays import keep_freed_memory
if sys.argv[1] == "kept":
    keep_freed_memory()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(200):
    np.ones(1 << 17)  # 1 MB
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator: nothing is set there")
def test_freed_arrays_are_kept_where_dask_sets_a_threshold():
    def faults(how: str) -> int:
        environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": "65536"}
        command = [sys.executable, "-c", ALLOCATING, how]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return int(done.stdout)

    assert faults("kept") < 0.1 * faults("given back")
