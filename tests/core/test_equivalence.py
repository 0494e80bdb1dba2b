"""Two one-sided tests: statsmodels as golden value, the interval rule as oracle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import ttost_paired

import nlpstat_core as ns
from nlpstat_core.distributions.tails import student_interval
from nlpstat_core.pairs.batch import PairBatch, UnitBlock
from nlpstat_core.pairs.equivalence import equivalence_p


def batch_of(u, v):
    values = np.column_stack([u, v])
    return PairBatch(UnitBlock(values, 10, np.zeros(2, bool)), np.array([0]), np.array([1]))


@given(st.integers(0, 10_000), st.floats(0.05, 1.0))
def test_p_is_statsmodels_and_agrees_with_the_interval(seed, margin):
    rng = np.random.default_rng(seed)
    u, v = rng.normal(0.1, 1, 30), rng.normal(0, 1, 30)
    batch = batch_of(u, v)
    p_value = equivalence_p(batch, margin)[0]
    np.testing.assert_allclose(p_value, ttost_paired(u, v, -margin, margin)[0], rtol=1e-9)
    low, high = student_interval(batch.mean, batch.sd, 30, 0.9, "two-sided")[0]
    assert (p_value <= 0.05) == (low > -margin and high < margin)


def test_verdict_has_three_states():
    rng = np.random.default_rng(4)
    item = rng.normal(size=(400, 1))
    values = item + rng.normal(size=(400, 3)) * [0.1, 0.1, 3.0] + [0.0, 0.0, 0.1]
    scores = ns.ScoreMatrix(values=np.column_stack([values, item - 1]), systems=("a", "b", "noisy", "low"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="t", equivalence_margin=0.05))
    verdicts = {
        (a, b): v
        for a, b, v in zip(*(analysis.pairs[k] for k in ("system_a", "system_b", "verdict")), strict=True)
    }
    assert verdicts["a", "b"] == "equivalent"
    assert verdicts["a", "low"] == "better"
    assert verdicts["a", "noisy"] == "undecided"


@pytest.mark.parametrize(("shift", "equivalent"), [(0.0, True), (0.5, False)])
def test_without_spread_the_difference_decides(shift, equivalent):
    batch = batch_of(np.arange(5.0) + shift, np.arange(5.0))
    assert (equivalence_p(batch, 0.1)[0] < 0.05) == equivalent


def test_one_unit_is_undefined():
    assert np.isnan(equivalence_p(batch_of([1.0], [0.5]), 1.0)[0])
