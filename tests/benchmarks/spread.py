"""Speed-ups of analyses, audits and power curves by threads, processes and Dask workers of this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import nlpstat_core as ns
from tests.benchmarks import boards
from tests.benchmarks.clock import typical

# joblib's backend for pieces of work, and how many workers.
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


Work = Callable[[int], object]


def _works() -> dict[str, tuple[ns.ScoreMatrix, Work]]:
    """Of every task the board, and what takes a number of workers."""
    large, small, medium = (boards.real_board(*shape) for shape in ((1000, 400), (2001, 60), (1000, 40)))
    settings = {
        "diagnosis, permutation test, effect sizes": {},
        "permutation test, no effect sizes": {"test": "permutation-mean", "effects": ()},
        "t, effect sizes": {"test": "t"},
        "t, max-T over 10,000 flips, no effect sizes": {"test": "t", "correction": "max-t", "effects": ()},
        "Wilcoxon, no effect sizes": {"test": "wilcoxon", "effects": ()},
    }
    works = {task: _analysis(large, **chosen) for task, chosen in settings.items()}
    works["bootstrap of the mean, no effect sizes"] = _analysis(small, test="bootstrap-mean", effects=())
    own, pair = ns.analyse(medium), (medium.systems[0], medium.systems[5])
    curve = partial(ns.power_curve, medium, *pair, test="wilcoxon", iterations=20_000)
    works["an audit of the default by 100 boards"] = medium, lambda n: ns.audit(own, boards=100, workers=n)
    works["a power curve, Wilcoxon, 20,000 test sets of 10 sizes"] = medium, lambda n: curve(workers=n)
    return works


def _analysis(scores: ns.ScoreMatrix, **chosen: Any) -> tuple[ns.ScoreMatrix, Work]:
    config = ns.AnalysisConfig(**chosen)
    return scores, lambda workers: ns.analyse(scores, config, workers=workers)


def all_spreads() -> Iterator[Spread]:
    """Every row; the digits are the same however the work is spread (tests/core/test_parallel.py)."""
    import joblib  # the programs that measure memory do without it

    works = _works()
    here: dict[str, list[float]] = {task: [] for task in works}
    for backend, n in LOCAL.values():
        with joblib.parallel_config(backend=backend):
            for task, (_, work) in works.items():
                here[task].append(typical(partial(work, n)))
    by_dask: dict[str, list[float]] = {task: [] for task in works}
    for n in DASK_WORKERS:
        with _dask(n):
            for task, (_, work) in works.items():
                by_dask[task].append(typical(partial(work, max(2, n))))
    for task, (scores, _) in works.items():
        yield Spread(task, f"{scores.n_systems} × {scores.n_units:,}", here[task], by_dask[task])


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
