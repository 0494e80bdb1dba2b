"""Intervals of shares: published examples, the definition, and agreement with McNemar's test."""

import numpy as np
import pytest
from core.oracles import one_pair, run
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.proportion import proportion_confint

import nlpstat_core as ns
from nlpstat_core.board.ranking.system_scores import board_scores
from nlpstat_core.engine.samples.paired_shares import score_interval
from nlpstat_core.engine.samples.shares import counted_share_interval, estimated_share_interval


def tango(b, c, n, level=0.95, alternative="two-sided", continuity=False):
    return score_interval(np.array([b]), np.array([c]), n, level, alternative, continuity=continuity)[0]


# Tango's interval as printed: PropCIs::scoreci.mp(0, 7, 14) and (25, 28, 618) at 90 %; airway
# hyper-responsiveness before and after transplantation, Fagerland, Lydersen and Laake (2014), table VI.
@pytest.mark.parametrize(
    ("b", "c", "n", "level", "low", "high", "digits"),
    [
        (7, 0, 14, 0.95, 0.177034, 0.732008, 5e-7),
        (28, 25, 618, 0.90, -0.0148, 0.0247, 5e-5),
        (1, 7, 21, 0.95, -0.517, -0.026, 5e-4),
    ],
)
def test_published_examples(b, c, n, level, low, high, digits):
    np.testing.assert_allclose(tango(b, c, n, level), [low, high], rtol=0, atol=digits)


def by_definition(b, c, n, level, step):
    """Limits where (b − c − nδ ∓ step)/sd(δ) is the quantile, the cells at their likelihood's maximum."""

    def score(delta, moved):
        def minus_log_likelihood(only_b):
            cells = [only_b + delta, only_b, 1 - 2 * only_b - delta]
            counts = [b, c, n - b - c]
            return -sum(k * np.log(max(p, 1e-300)) for k, p in zip(counts, cells, strict=True) if k)

        room = (max(0.0, -delta), (1 - delta) / 2)
        only_b = optimize.minimize_scalar(
            minus_log_likelihood, bounds=room, method="bounded", options={"xatol": 1e-13}
        ).x
        return (b - c - n * delta - moved) / np.sqrt(n * (2 * only_b + delta - delta**2))

    quantile, estimate = stats.norm.isf((1 - level) / 2), (b - c) / n
    edge = 1e-9
    low = optimize.brentq(lambda d: score(d, step) - quantile, -1 + edge, estimate - step / n - edge)
    high = optimize.brentq(lambda d: score(d, -step) + quantile, estimate + step / n + edge, 1 - edge)
    return low, high


@pytest.mark.parametrize(("b", "c", "n"), [(7, 2, 30), (12, 12, 40), (3, 0, 25), (0, 0, 18), (1, 9, 200)])
@pytest.mark.parametrize("step", [0, 1])
def test_the_definition(b, c, n, step):
    found = tango(b, c, n, continuity=bool(step))
    np.testing.assert_allclose(found, by_definition(b, c, n, 0.95, step), atol=2e-6)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 300), st.booleans())
def test_properties(b, c, tied, continuity):
    n = b + c + tied
    if n == 0:
        assert np.isnan(tango(b, c, n)).all()
        return
    low, high = tango(b, c, n, continuity=continuity)
    assert -1 <= low <= (b - c) / n <= high <= 1
    np.testing.assert_allclose(tango(c, b, n, continuity=continuity), [-high, -low], atol=1e-12)
    chi_square = max(abs(b - c) - continuity, 0) ** 2 / max(b + c, 1)
    if abs(chi_square - stats.chi2.isf(0.05, 1)) > 1e-6:
        assert (low > 0 or high < 0) == (chi_square > stats.chi2.isf(0.05, 1))
    greater = tango(b, c, n, 0.975, "greater", continuity)
    np.testing.assert_allclose(greater, [low, np.inf], atol=1e-12)


def test_the_interval_never_contradicts_the_exact_test():
    """Over all tables of up to 120 untied units: 0 is never excluded while the exact p is above 0.05."""
    tables = mismatches = 0
    for untied in range(1, 121):
        b = np.arange(untied + 1)
        p = np.minimum(1, 2 * stats.binom.sf(np.maximum(b, untied - b) - 1, untied, 0.5))
        interval = score_interval(b, untied - b, 500, 0.95, "two-sided", continuity=True)
        excludes = (interval[:, 0] > 0) | (interval[:, 1] < 0)
        assert not np.any(excludes & (p > 0.05))
        mismatches += np.count_nonzero(~excludes & (p <= 0.05))
        tables += b.size
    assert mismatches / tables < 0.002  # all of them between 0.048 and 0.05


def binary_board(b, c, n):
    u, v = np.zeros(n), np.zeros(n)
    u[:b], v[b : b + c] = 1, 1
    return u, v


def test_the_pair_shows_the_interval_of_its_test():
    u, v = binary_board(20, 9, 100)
    exact, asymptotic = (ns.compare(u, v, test="mcnemar", mcnemar=kind) for kind in ("exact", "asymptotic"))
    assert exact.p_value > 0.05 > asymptotic.p_value
    assert exact.interval == pytest.approx(tango(20, 9, 100, continuity=True))
    assert asymptotic.interval == pytest.approx(tango(20, 9, 100))
    assert exact.interval[0] < 0 < asymptotic.interval[0]
    for test in ("sign", "permutation-mean"):
        assert ns.compare(u, v, test=test).interval == exact.interval
    student = stats.ttest_rel(u, v).confidence_interval()
    assert ns.compare(u, v, test="t").interval == pytest.approx((student.low, student.high))


@pytest.mark.parametrize("variant", ["exact", "mid-p", "asymptotic", "continuity"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_equal_systems_give_one_in_every_variant(variant, alternative):
    u, _ = binary_board(20, 0, 50)
    found = run("mcnemar", one_pair(u, u), mcnemar=variant, alternative=alternative)
    assert found.p_value[0] == 1.0


@given(st.integers(0, 80), st.integers(1, 80))
def test_wilson_is_that_of_statsmodels(right, n):
    right = min(right, n)
    found = counted_share_interval(np.array([right / n]), np.array([n]), 0.95)[0]
    wanted = proportion_confint(right, n, method="wilson")
    np.testing.assert_allclose(found, np.clip(wanted, 0, 1), atol=1e-12)


def assert_inside(interval):
    assert interval.min() >= 0
    assert interval.max() <= 1
    assert np.diff(interval).min() > 0


def test_the_leaderboard_stays_inside():
    values = np.ones((30, 3))
    values[:3, 1], values[:, 2] = 0, 0
    board = ns.analyse(ns.ScoreMatrix(values=values, systems=["all", "most", "none"])).leaderboard
    np.testing.assert_allclose(board.interval[0], [0.886487, 1.0], atol=1e-6)  # 30 of 30
    np.testing.assert_allclose(board.interval[2], [0.0, 0.113513], atol=1e-6)
    counted = ns.accuracy_matrix(values * 4, np.full((30, 3), 4.0), ["all", "most", "none"])
    interval = board_scores(counted, 0.95).interval
    assert_inside(interval)
    blocks = board_scores(
        ns.ScoreMatrix(values=values, systems=list("abc")), 0.95, np.arange(30) // 5
    ).interval
    assert_inside(blocks)


def test_a_constant_column_among_real_scores_is_no_share():
    values = np.random.default_rng(0).normal(size=(20, 2))
    values[:, 1] = 1.0
    interval = board_scores(ns.ScoreMatrix(values=values, systems=list("ab")), 0.95).interval
    np.testing.assert_array_equal(interval[1], [1.0, 1.0])


def test_shares_by_document_cover():
    """Accuracy 0.9 over 25 documents of 8, correlated within: 95 % covers 94 %, Student's t 91 %."""
    rng, documents, size, boards, truth = np.random.default_rng(5), 25, 8, 4_000, 0.9
    strength = 1 / 0.2 - 1  # beta-binomial with intraclass correlation 0.2
    chances = rng.beta(truth * strength, (1 - truth) * strength, (documents, boards))
    values = (rng.random((documents, size, boards)) < chances[:, None]).reshape(-1, boards).astype(float)
    share = values.mean(axis=0)
    sums = (values - share).reshape(documents, size, boards).sum(axis=1)
    errors = np.sqrt(documents / (documents - 1) * (sums**2).sum(axis=0)) / (documents * size)
    interval = estimated_share_interval(share, errors, np.full(boards, documents), 0.95)
    covered = ((interval[:, 0] <= truth) & (truth <= interval[:, 1])).mean()
    margin = stats.t.isf(0.025, documents - 1) * errors
    by_t = (np.abs(share - truth) <= margin).mean()
    assert abs(covered - 0.94) < 0.012
    assert by_t < covered - 0.01
