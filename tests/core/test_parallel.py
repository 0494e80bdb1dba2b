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
from nlpstat_core.board.pairs import columns, sharing_out
from nlpstat_core.engine.columns import pairing
from nlpstat_core.engine.resampling.threads import in_order, using_threads


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(400, 1)) + rng.normal(size=(400, 24)) + 0.05 * np.arange(24)
    values[rng.random(values.shape) < 0.01] = np.nan
    return ns.ScoreMatrix(values=np.round(values, 2), systems=tuple(f"s{i}" for i in range(24)))


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


def test_dask_cluster_of_two_processes(scores, alone):
    distributed = pytest.importorskip("distributed", reason="the optional Dask is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        assert json.dumps(ns.analyse(scores, workers=2).to_dict()) == alone


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
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
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
    monkeypatch.setattr(sharing_out, "MOST_CELLS", 1_000)
    assert _chosen(monkeypatch, scores) == (["threads"], alone)


def blas_threads(batch, config, effect_intervals):
    """In place of the columns of a chunk: how many threads BLAS has where they would be computed."""
    pools = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {"pools": np.full(batch.n_pairs, len(pools)), "threads": np.full(batch.n_pairs, max(pools))}


@pytest.mark.filterwarnings("ignore:.*A worker stopped while some jobs.*:UserWarning")
def test_blas_has_one_thread_in_processes_that_may_use_several(scores, monkeypatch):
    monkeypatch.setattr(columns, "chunk_columns", blas_threads)
    config = ns.AnalysisConfig(block_column=None)
    work = columns.work_of(scores, config, *pairing.pair_indices(24))
    with joblib.parallel_config(backend="loky", inner_max_num_threads=3):
        found = columns.all_columns(work, config, 276, effect_intervals=False, workers=2)
    assert found["pools"].min() > 0
    assert set(found["threads"].tolist()) == {1}


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
