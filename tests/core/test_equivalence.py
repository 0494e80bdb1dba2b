"""Two one-sided tests: statsmodels and Tango as golden values, interval and likelihood as oracles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.weightstats import ttost_paired

import nlpstat_core as ns
from nlpstat_core.board.pairs.designs import equivalence_p
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.distributions.tails import student_interval
from nlpstat_core.engine.samples.paired_shares import score_equivalence_log_p, score_interval


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


# --- 0/1 scores -------------------------------------------------------------------------------------------


def score_p(only_a, only_b, n, margin, continuity=False):
    counts = np.array([only_a]), np.array([only_b])
    return float(np.exp(score_equivalence_log_p(*counts, n, margin, continuity=continuity)[0]))


def test_score_p_is_the_published_one():
    # Tango (1998), crossover trial of soft contact lenses: Z = 1.709 for 43, 0, 1, 0 and a margin of 0.1.
    assert score_p(0, 1, 44, 0.1) == pytest.approx(stats.norm.sf(1.709), rel=2e-3)


def constrained_score(only_a, only_b, n, delta):
    """T(δ) with the likeliest trinomial of that difference found by search."""

    def unlikely(q):
        shares = np.array([q + delta, q, 1 - 2 * q - delta])
        counts = np.array([only_a, only_b, n - only_a - only_b])
        return -float(np.sum(counts[counts > 0] * np.log(np.maximum(shares[counts > 0], 1e-300))))

    low, high = max(0.0, -delta), (1 - delta) / 2
    q = optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    return (only_a - only_b - n * delta) / np.sqrt(n * (2 * q + delta - delta**2))


@pytest.mark.parametrize(("only_a", "only_b", "n"), [(5, 3, 60), (12, 1, 40), (1, 9, 200), (30, 25, 100)])
def test_score_p_is_that_of_the_constrained_likelihood(only_a, only_b, n):
    for margin in (0.05, 0.2, 0.6):
        z = min(constrained_score(only_a, only_b, n, -margin), -constrained_score(only_a, only_b, n, margin))
        assert score_p(only_a, only_b, n, margin) == pytest.approx(stats.norm.sf(z), rel=1e-5)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 200), st.floats(0.01, 1.0), st.booleans())
def test_score_p_agrees_with_the_interval(only_a, only_b, tied, margin, continuity):
    n = only_a + only_b + tied
    if n == 0:
        return
    p_value = score_p(only_a, only_b, n, margin, continuity)
    counts = np.array([only_a]), np.array([only_b])
    low, high = score_interval(*counts, n, 0.9, "two-sided", continuity=continuity)[0]
    if min(abs(low + margin), abs(high - margin)) > 1e-9:
        assert (p_value <= 0.05) == (low > -margin and high < margin)
    assert p_value == score_p(only_b, only_a, n, margin, continuity)


def board_of_shares(n=40, wrong=2):
    right = np.ones((n, 3))
    right[:wrong, 1] = 0.0
    return ns.ScoreMatrix(values=right, systems=("a", "b", "same"))


def test_equal_answers_to_few_questions_are_no_proof():
    # Student's t has no spread to go by and called 40 equal answers equivalent within any margin.
    analysis = ns.analyse(board_of_shares(), ns.AnalysisConfig(equivalence_margin=0.05, correction="none"))
    row = analysis.pairs.find(0, 2)
    assert analysis.pairs["verdict"][row] == "undecided"
    assert analysis.pairs.p_equivalence[row] == pytest.approx(score_p(0, 0, 40, 0.05, True))


@pytest.mark.parametrize("test", ["mcnemar", "permutation-mean", "t"])
@pytest.mark.parametrize("variant", ["exact", "mid-p"])
def test_equivalence_follows_the_interval_shown(test, variant):
    for n, wrong, margin in ((40, 2, 0.2), (40, 2, 0.11), (200, 9, 0.1), (200, 30, 0.2)):
        config = ns.AnalysisConfig(
            test=test, mcnemar=variant, alpha=0.1, equivalence_margin=margin, correction="none"
        )
        pairs = ns.analyse(board_of_shares(n, wrong), config).pairs
        low, high = pairs.interval[0]
        assert (pairs.p_equivalence[0] <= 0.05) == (low > -margin and high < margin)


def test_margins_beyond_all_differences():
    assert score_p(3, 0, 10, 1.5) == 0.0
    assert np.isnan(score_p(0, 0, 0, 0.1))
    assert 0 < score_p(3, 0, 10, 1.0) < 1e-9 or score_p(3, 0, 10, 1.0) == 0.0
