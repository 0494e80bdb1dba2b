"""Tests of whole documents and their intervals: few and many documents, alike and unlike in size."""

from __future__ import annotations

from collections.abc import Container, Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.pairs.columns import with_interval
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.methods.significance import TESTS
from tests.calibration.interval_designs import scores_of_board
from tests.calibration.populations import batch_of
from tests.calibration.rows import Measure, Row, measured, share
from tests.calibration.trials import RESAMPLES, TOGETHER

REPLICATIONS = 2_000
COUNTS = (5, 6, 8, 12, 30)
SIZES = ("equal", "mild", "geometric", "one big")
CORRELATIONS = (0.0, 0.3)
# The default is block permutation; `board-score` is the interval of a system's own mean.
KEYS = ("block-permutation", "block-t", "block-bootstrap")


def sizes_of(kind: str, count: int) -> IntArray:
    """Units of each document: 10; from 6 to 14; 60 and each 0.6 times the one before; one of 60 among 6."""
    if kind == "equal":
        return np.full(count, 10)
    if kind == "mild":
        return np.rint(np.linspace(6, 14, count)).astype(np.int64)
    if kind == "geometric":
        return np.maximum(np.rint(60 * 0.6 ** np.arange(count)), 1).astype(np.int64)
    return np.append(60, np.full(count - 1, 6))


def drawn(rng: np.random.Generator, many: int, sizes: IntArray, correlation: float) -> PairBatch:
    """Normal differences of mean 0 with an intraclass correlation by document."""
    ids = np.repeat(np.arange(sizes.size), sizes)
    z = np.sqrt(correlation) * rng.normal(size=(sizes.size, many))[ids]
    z += np.sqrt(1 - correlation) * rng.normal(size=(ids.size, many))
    return batch_of(z, np.zeros_like(z), 10, block_ids=ids)


def judged(key: str, batch: PairBatch, seed: int) -> tuple[FloatArray, FloatArray]:
    """p-values and 95 % intervals of a test; fresh resamples for every few replications."""
    p_value, interval = np.empty(batch.n_pairs), np.empty((batch.n_pairs, 2))
    together = TOGETHER if TESTS[key].resampled else batch.n_pairs
    for start in range(0, batch.n_pairs, together):
        part = np.arange(start, min(start + together, batch.n_pairs))
        config = AnalysisConfig(resamples=RESAMPLES, seed=(seed + start) % 2**31)
        found = with_interval(TESTS[key], batch.take(part), config)
        assert found.interval is not None
        p_value[part], interval[part] = found.p_value, found.interval
    return p_value, interval


def cell(kind: str, count: int, correlation: float) -> Measure:
    """How often the tests reject what is true at 5 %, and how often the intervals at 95 % hold it."""

    def measure(many: int, seed: int, only: Container[str] | None) -> list[Row]:
        batch = drawn(np.random.default_rng(seed), many, sizes_of(kind, count), correlation)
        row = Row.blank(
            "documents", f"{kind} documents, correlation {correlation:g}", f"G = {count}", many, seed
        )
        rows = []

        def covered(subject: str, interval: FloatArray) -> None:
            known: BoolArray = ~np.isnan(interval).any(axis=1)
            holds = known & (interval[:, 0] <= 0) & (interval[:, 1] >= 0)
            if known.any():
                figure = share("95 %", 0.95, holds.sum(), int(known.sum()))
                rows.append(row.of(subject, "at-least", (figure,)))

        for key in KEYS:
            if only is None or key in only or f"{key} (interval)" in only:
                p_value, interval = judged(key, batch, seed)
                hits = np.count_nonzero(p_value <= 0.05)
                rows.append(row.of(key, "at-most", (share("two-sided", 0.05, hits, many),)))
                covered(f"{key} (interval)", interval)
        if only is None or "board-score" in only:
            covered("board-score", scores_of_board(batch, AnalysisConfig()))
        return rows

    return measure


def rows(replications: int = REPLICATIONS) -> Iterator[list[Row]]:
    """Numbers of documents by sizes by intraclass correlation."""
    for kind in SIZES:
        for count in COUNTS:
            for correlation in CORRELATIONS:
                name = f"documents|{kind}|{count}|{correlation:g}"
                yield measured(name, replications, cell(kind, count, correlation))
