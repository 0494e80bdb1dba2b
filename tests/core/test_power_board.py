"""What a board could tell apart: closed forms, curves, plain loops, the smallest p of each test."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestIndPower, TTestPower

import nlpstat_core as ns
from nlpstat_core import AnalysisConfig, ConfigError, ScoreMatrix, analyse
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.power import board_power, neighbours, plan, power_curve, required_units
from nlpstat_core.power.binomial import detectable_surplus, sign_power
from nlpstat_core.power.ranks import _chances, wilcoxon_detectable

WMT = Path(__file__).parents[3] / "shared" / "data" / "wmt24_ende_chrf.csv"
RNG = np.random.default_rng(5)
VALUES = (RNG.normal(50, 8, (90, 1)) + RNG.normal(0, 4, (90, 5)) + [0, 0.2, 1, 2.5, 6]).round(2)
VALUES[:, 1] = np.where(RNG.random(90) < 0.3, VALUES[:, 0], VALUES[:, 1])
BOARD = ScoreMatrix(
    values=VALUES, systems=tuple("ABCDE"), labels={"doc": tuple(f"d{i // 5}" for i in range(90))}
)


def of(test, scores=BOARD, **settings):
    if TESTS[test].design == "blocks":
        settings["block_column"] = "doc"
    return analyse(scores, AnalysisConfig(test=test, **settings))


@pytest.mark.parametrize("correction", ["none", "holm", "max-t"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_detectable_difference_of_t_by_statsmodels(correction, alternative):
    baseline = None if alternative == "two-sided" else "C"
    analysis = of("t", correction=correction, alternative=alternative, baseline=baseline)
    found = board_power(analysis, 0.8)
    level = 0.05 if correction == "none" else 0.05 / len(analysis.pairs)
    words = {"two-sided": "two-sided", "greater": "larger"}[alternative]
    d = TTestPower().solve_power(nobs=90, alpha=level, power=0.8, alternative=words)
    for row, (a, b) in enumerate(zip(analysis.pairs.left, analysis.pairs.right, strict=True)):
        z = VALUES[:, a] - VALUES[:, b]
        if np.mean(z == 0) > 0.05:
            assert found.model[row] == "swap-means"
        else:
            assert found.model[row] in ("noncentral-t", "resampled-shift")
            close = 1e-5 if found.model[row] == "noncentral-t" else 0.05
            assert found.detectable[row] == pytest.approx(d * z.std(ddof=1), rel=close)
    assert np.count_nonzero(found.model == "noncentral-t") >= len(analysis.pairs) // 2
    assert found.comparison_alpha == level
    assert not found.unreachable.any()


@pytest.mark.parametrize("test", ["t", "wilcoxon", "permutation-mean", "block-t"])
def test_the_detectable_difference_has_that_power_on_the_curve(test):
    """The closed form against simulated test sets of the same size, run through the test itself."""
    analysis = of(test, correction="none")
    row = analysis.pairs.find(2, 3)
    size = board_power(analysis, 0.8).detectable[row]
    blocks = {"block_column": "doc"} if test == "block-t" else {}
    method = "normal" if test in ("t", "permutation-mean") else "bootstrap"
    curves = [
        power_curve(
            BOARD, "C", "D", test=test, sizes=[90], iterations=800, method=method, shift=turn * size, **blocks
        )
        for turn in ((1, -1) if method == "bootstrap" else (1,))
    ]
    assert min(float(curve.power[0]) for curve in curves) == pytest.approx(0.8, abs=0.06)


def test_heavy_tails_need_a_smaller_shift_of_signed_ranks():
    """Normal differences agree with the normal closed form, heavy-tailed ones with the curve."""
    p = (np.arange(300) + 0.5) / 300
    for z, sharp in ((stats.norm.ppf(p), False), (stats.t.ppf(p, 2), True)):
        size = wilcoxon_detectable(z, 0.8, 0.01, True)
        normal = plan(units=300, power=0.8, alpha=0.01, test="wilcoxon").effect * z.std(ddof=1)
        assert (size < 0.75 * normal) if sharp else (size == pytest.approx(normal, rel=0.02))
        scores = ScoreMatrix(values=np.stack([z + 5, 0 * z + 5], 1), systems=("A", "B"))
        curve = power_curve(
            scores, "A", "B", test="wilcoxon", sizes=[300], iterations=1000, shift=size, alpha=0.01
        )
        assert curve.power[0] == pytest.approx(0.8, abs=0.05)
    assert wilcoxon_detectable(np.array([-1.0, 0.5, 1.0]), 0.8, 0.05, True) == np.inf


def test_the_chances_of_signed_ranks_are_counts():
    z, shift = np.sort(np.random.default_rng(0).normal(size=9)), 0.3
    n, moved = 9, z + 0.3
    pairs = [[moved[i] + moved[j] > 0 for j in range(n)] for i in range(n)]
    p2 = np.mean([pairs[i][j] for i in range(n) for j in range(n) if i != j])
    triples = [(i, j, k) for i in range(n) for j in range(n) for k in range(n) if len({i, j, k}) == 3]
    p3 = np.mean([pairs[i][j] and pairs[i][k] for i, j, k in triples])
    assert _chances(z, shift) == pytest.approx((np.mean(moved > 0), p2, p3))


def test_detectable_difference_of_signs():
    analysis = of("sign", correction="none")
    row = analysis.pairs.find(0, 1)
    size = board_power(analysis, 0.8).detectable[row]
    z = VALUES[:, 0] - VALUES[:, 1]
    z = z[np.round(z, 2) != 0]
    wins = np.mean(z - np.median(z) + size > 0)
    assert sign_power(z.size, wins - 0.5, 0.05) == pytest.approx(0.8, abs=0.06)


def test_detectable_surpluses_are_solutions():
    for two_sided in (True, False):
        side = "two-sided" if two_sided else "greater"
        for units, decided in ((3, 3), (20, 6), (97, 20), (97, 97), (1000, 400)):
            surplus = detectable_surplus(units, decided, 0.8, 0.01, two_sided)
            if np.isfinite(surplus):
                power = sign_power(units, surplus / 2, 0.01, side, decided / units)
                assert power == pytest.approx(0.8, rel=1e-9)
            else:
                assert sign_power(units, 0.5, 0.01, side, decided / units) < 0.8


def test_mcnemar_in_shares_of_units():
    values = (np.random.default_rng(1).random((200, 3)) < [0.5, 0.6, 0.8]).astype(float)
    analysis = of("mcnemar", ScoreMatrix(values=values, systems=tuple("ABC")), correction="bonferroni")
    found = board_power(analysis, 0.9)
    for row in range(3):
        a, b = values[:, analysis.pairs.left[row]], values[:, analysis.pairs.right[row]]
        k = int(np.sum(a != b))
        g = found.detectable[row] * 200 / k / 2
        assert sign_power(200, g, 0.05 / 3, decided=k / 200) == pytest.approx(0.9, rel=1e-6)
    assert set(found.model) == {"exact-binomial"}


@pytest.mark.parametrize(
    "test", [method.key for method in TESTS if method.design not in ("unpaired", "runs", "measure")]
)
def test_the_smallest_p_is_reached_and_not_passed(test):
    """A pair in which one system wins every unit, against what is said to be possible."""
    n = 12
    a = np.arange(1.0, n + 1)
    labels = {"doc": tuple(str(i // 2) for i in range(n))}
    if test == "accuracy-exact":
        scores = ns.accuracy_matrix(np.stack([a + 3, np.ones(n)], 1), 20 * np.ones((n, 1)), tuple("AB"))
    elif test == "f1-exact":
        scores = ns.f1_matrix(np.stack([a, a], 1), np.stack([0 * a, a], 1), np.zeros((n, 2)), tuple("AB"))
    else:
        v = np.stack([np.ones(n), np.zeros(n)], 1) if test == "mcnemar" else np.stack([50 + a**0.1, 0 * a], 1)
        scores = ScoreMatrix(values=v.round(6), systems=tuple("AB"), labels=labels)
    analysis = of(test, scores, correction="none", resamples=999)
    least = board_power(analysis).smallest_p[0]
    real = analysis.pairs.p_value[0]
    if test == "permutation-median":
        assert least <= real <= 4 * least
    elif least > 0:
        assert least == pytest.approx(real, rel=1e-9)


def test_pairs_that_can_never_be_significant():
    values = np.zeros((40, 3))
    values[:4, 1] = 1.0
    values[:9, 2] = 1.0
    values[20, 0] = 0.0
    scores = ScoreMatrix(values=np.hstack([values, values[:, :1]]), systems=tuple("ABCD"))
    analysis = of("mcnemar", scores, correction="holm")
    found = board_power(analysis)
    pairs = list(zip(analysis.pairs.system_a, analysis.pairs.system_b, strict=True))
    unreachable = {pair for pair, hit in zip(pairs, found.unreachable, strict=True) if hit}
    impossible = {pair for pair, hit in zip(pairs, found.impossible, strict=True) if hit}
    assert ("A", "D") in impossible  # identical
    assert ("A", "B") in impossible  # four decided units: 0.125
    assert ("B", "C") in impossible  # five: 0.0625
    assert ("A", "C") not in unreachable  # nine: 0.0039, below 0.05/6
    assert impossible <= unreachable
    assert not (analysis.pairs.significant & found.unreachable).any()
    few = board_power(of("t", correction="max-t", resamples=9))
    assert few.unreachable.all()


def test_few_documents():
    labels = {"doc": tuple("abcde"[i // 18] for i in range(90))}
    scores = ScoreMatrix(values=VALUES, systems=tuple("ABCDE"), labels=labels)
    found = board_power(of("block-permutation", scores))
    assert found.smallest_p[0] == 2.0**-4
    assert found.impossible.all()


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "block-t"])
def test_units_needed_to_separate_neighbours(test):
    analysis = of(test, correction="holm")
    found = neighbours(analysis, 0.8)
    order = analysis.leaderboard.system
    assert list(found.upper) == list(order[:-1])
    assert list(found.lower) == list(order[1:])
    assert (np.isinf(found.needed_most) == (found.interval[:, 0] <= 0)).all()
    finite = np.isfinite(found.needed_most)
    assert finite.any()
    assert (found.needed_least <= found.needed).all()
    assert (found.needed <= found.needed_most).all()
    for i, (a, b) in enumerate(zip(found.upper, found.lower, strict=True)):
        z = VALUES[:, "ABCDE".index(a)] - VALUES[:, "ABCDE".index(b)]
        if test == "t":
            d = abs(z.mean()) / z.std(ddof=1)
            assert found.effect[i] == pytest.approx(d)
            assert found.needed[i] == required_units(d, 0.8, 0.05 / 10)
            low = found.interval[i, 0] * np.sqrt(90)
            if np.isfinite(found.needed_most[i]):
                assert stats.nct.sf(d * np.sqrt(90), 89, low) == pytest.approx(0.025, rel=1e-6)
                assert found.needed_most[i] == required_units(found.interval[i, 0], 0.8, 0.05 / 10)
        if test == "sign":
            wins, losses = int(np.sum(np.round(z, 2) > 0)), int(np.sum(np.round(z, 2) < 0))
            g = abs(wins / (wins + losses) - 0.5)
            assert found.effect[i] == pytest.approx(g)
            if g and found.needed[i] < 3000:
                share = (wins + losses) / 90
                expected = required_units(g, 0.8, 0.05 / 10, test="sign", decided=share)
                assert found.needed[i] == expected


def test_large_numbers_of_signs_by_the_normal_approximation():
    from nlpstat_core.power.binomial import normal_units

    for g in (0.03, 0.04):
        assert normal_units(g, 0.8, 0.01, "two-sided") == pytest.approx(
            required_units(g, 0.8, 0.01, test="sign"),
            rel=0.03,  # the exact number is the last tooth of a saw
        )


def test_one_sided_boards_find_nothing_in_the_wrong_direction():
    found = neighbours(of("t", alternative="greater", baseline="C"), 0.8)
    analysis = of("t", alternative="greater", baseline="C")
    wrong = analysis.pairs.difference[found.rows] < 0
    assert wrong.any()
    assert np.isinf(found.needed[wrong]).all()


def test_large_boards_take_normal_differences(monkeypatch):
    from nlpstat_core.power import detectable

    monkeypatch.setattr(detectable, "MOST_OWN_SHAPES", 5)
    analysis = of("wilcoxon")
    found = board_power(analysis)
    expected = plan(units=90, power=0.8, alpha=0.005, test="wilcoxon").effect
    sd = (VALUES[:, 0] - VALUES[:, 1]).std(ddof=1)
    assert found.detectable[0] == pytest.approx(expected * sd)
    assert set(found.model) == {"signed-rank-beta"}


def test_unpaired_boards_go_by_independent_means():
    analysis = of("welch-t", correction="none")
    found = board_power(analysis)
    a, b = VALUES[:, 0], VALUES[:, 1]
    error = np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 90)
    assert found.detectable[0] / error == pytest.approx(2.82, abs=0.03)
    assert not found.unreachable.any()


def test_cancelled():
    for work in (board_power, neighbours):
        with pytest.raises(ns.Cancelled):
            work(of("t"), should_stop=lambda: True)


def test_against_a_baseline():
    found = neighbours(of("t", baseline="C"), 0.8)
    assert len(found.rows) == 4
    assert found.comparison_alpha == 0.05 / 4


def test_identical_neighbours_are_undefined_or_never():
    values = np.hstack([VALUES[:, :2], VALUES[:, :1]])
    scores = ScoreMatrix(values=values, systems=tuple("ABC"))
    for test in ("t", "wilcoxon", "sign", "recommended"):
        analysis = analyse(scores, AnalysisConfig(test=test))
        row = analysis.pairs.find(0, 2)
        found = board_power(analysis)
        assert np.isnan(found.detectable[row])
        assert found.impossible[row]


def test_refusals():
    for power in (0.05, 1.0, float("nan")):
        with pytest.raises(ConfigError, match="power must be above"):
            board_power(of("t"), power)
        with pytest.raises(ConfigError, match="power must be above"):
            neighbours(of("t"), power)


@pytest.mark.skipif(not WMT.exists(), reason="the shared data are not here")
def test_a_board_of_26_systems_in_a_few_seconds():
    import time

    scores = ns.read_scores(WMT)
    for test in ("recommended", "t"):
        analysis = analyse(scores, AnalysisConfig(test=test))
        start = time.process_time()
        found, near = board_power(analysis), neighbours(analysis)
        # By document 2 to 5 s, as fast as the machine is; the saddlepoint for every resample took 6 to 9.
        assert time.process_time() - start < 10
        assert len(found.detectable) == 325
        assert len(near.rows) == 25
        assert np.isfinite(found.detectable).sum() == 324


@pytest.mark.parametrize("test", ["welch-t", "student-t"])
def test_neighbours_that_share_no_unit_are_independent_samples(test):
    """Effect and interval by SciPy, units by statsmodels' power of two samples of one size."""
    values = VALUES[:, [2, 4]].copy()
    values[:45, 0] = values[45:, 1] = np.nan
    found = neighbours(of(test, ScoreMatrix(values=values, systems=("A", "B")), correction="none"), 0.8)
    a, b = values[45:, 0], values[:45, 1]
    seen = stats.ttest_ind(a, b, equal_var=test == "student-t")
    d = abs(seen.statistic) * np.sqrt(2 / 45)
    assert (found.n_a.tolist(), found.n_b.tolist()) == ([45], [45])
    assert found.effect[0] == pytest.approx(d)
    for end, mass in zip(found.interval[0], (0.975, 0.025), strict=True):
        t = end / np.sqrt(2 / 45)
        assert stats.nct.cdf(abs(seen.statistic), seen.df, t) == pytest.approx(mass, rel=1e-6)
    expected = TTestIndPower().solve_power(effect_size=d, alpha=0.05, power=0.8)
    assert found.needed[0] == pytest.approx(np.ceil(expected), abs=0 if test == "student-t" else 1)


def test_independent_samples_in_the_wrong_direction_are_never_enough():
    values = VALUES[:, [2, 4]].copy()
    values[:45, 0] = values[45:, 1] = np.nan
    scores = ScoreMatrix(values=values, systems=("A", "B"))
    assert np.isinf(neighbours(of("welch-t", scores, alternative="greater"), 0.8).needed[0])
    assert np.isfinite(neighbours(of("welch-t", scores, alternative="less"), 0.8).needed[0])
