"""How much faster analyses are by threads, processes, and the workers of a Dask cluster on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nlpstat_core as ns
from tests.benchmarks import boards
from tests.benchmarks.clock import typical

# joblib's backend for the chunks of pairs, and how many workers.
LOCAL = {"1 thread": ("threading", 1), "2 threads": ("threading", 2), "2 processes": ("loky", 2)}
DASK_WORKERS = (1, 2, 4)
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Spread:
    """Seconds of one analysis by workers of this program (`LOCAL`) and Dask workers (`DASK_WORKERS`)."""

    task: str
    board: str
    local: list[float]
    dask: list[float]


def _works() -> dict[str, tuple[ns.ScoreMatrix, ns.AnalysisConfig]]:
    large, small = boards.real_board(1000, 400), boards.real_board(2001, 60)
    return {
        "diagnosis, permutation test, effect sizes": (large, ns.AnalysisConfig()),
        "permutation test, no effect sizes": (large, ns.AnalysisConfig(test="permutation-mean", effects=())),
        "t, effect sizes": (large, ns.AnalysisConfig(test="t")),
        "t, max-T over 10,000 flips, no effect sizes": (
            large,
            ns.AnalysisConfig(test="t", correction="max-t", effects=()),
        ),
        "Wilcoxon, no effect sizes": (large, ns.AnalysisConfig(test="wilcoxon", effects=())),
        "bootstrap of the mean, no effect sizes": (
            small,
            ns.AnalysisConfig(test="bootstrap-mean", effects=()),
        ),
    }


def all_spreads() -> Iterator[Spread]:
    """Every row; the digits are the same however the work is spread (tests/core/test_parallel.py)."""
    import joblib  # the programs that measure memory do without it

    works = _works()
    here: dict[str, list[float]] = {task: [] for task in works}
    for backend, n in LOCAL.values():
        with joblib.parallel_config(backend=backend):
            for task, work in works.items():
                here[task].append(typical(_run(*work, n)))
    by_dask: dict[str, list[float]] = {task: [] for task in works}
    for n in DASK_WORKERS:
        with _dask(n):
            for task, work in works.items():
                by_dask[task].append(typical(_run(*work, max(2, n))))
    for task, (scores, _) in works.items():
        yield Spread(task, f"{scores.n_systems} × {scores.n_units:,}", here[task], by_dask[task])


def _run(scores: ns.ScoreMatrix, config: ns.AnalysisConfig, workers: int) -> Callable[[], object]:
    return partial(ns.analyse, scores, config, workers=workers)


@contextmanager
def _dask(n: int) -> Iterator[None]:
    """A cluster of processes with a thread each."""
    import joblib
    from distributed import Client, LocalCluster

    os.environ["PYTHONPATH"] = str(ROOT)  # its processes begin elsewhere
    with (
        LocalCluster(n_workers=n, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        yield
