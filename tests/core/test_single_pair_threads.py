"""What is computed for one pair uses one BLAS thread, as the analysis does: the same digits everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from nlpstat_core import ScoreMatrix, analyse
from nlpstat_core.analysis.other_tests import other_tests
from nlpstat_core.board.pairs.influence import leave_one_out, slices
from nlpstat_core.engine.columns.batch import PairBatch

LOOKS = {
    "the pair": lambda analysis: analysis.pair("A", "B"),
    "its other tests": lambda analysis: other_tests(analysis, 0),
    "by document": lambda analysis: slices(analysis, 0, "doc"),
    "without a document": lambda analysis: leave_one_out(analysis, 0, "doc"),
}


@pytest.mark.parametrize("what", LOOKS)
def test_one_blas_thread_for_one_pair(monkeypatch, two_blas_threads, what: str) -> None:
    values = np.random.default_rng(4).normal(size=(60, 3))
    labels = {"doc": tuple(f"d{i // 10}" for i in range(60))}
    analysis = analyse(ScoreMatrix(values=values, systems=("A", "B", "C"), labels=labels))
    seen: set[int] = set()
    mean = PairBatch.mean.fget

    def looked_at(batch: PairBatch):
        seen.update(two_blas_threads())
        return mean(batch)

    monkeypatch.setattr(PairBatch, "mean", property(looked_at))
    LOOKS[what](analysis)
    assert seen == {1}
