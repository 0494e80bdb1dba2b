"""The same digits from one worker, threads, processes and a Dask cluster."""

import json

import joblib
import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.pairs import pairing


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
