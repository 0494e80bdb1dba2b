"""Diagnosis: R's summary, skewness and shapiro.test; the rules, the three lists and their reasons."""

import itertools

import numpy as np
import pytest
from core.oracles import board, differences_batch, one_pair, skewness
from golden.golden import agree, load, pair
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.diagnosis.advice import RULES, lists, reason
from nlpstat_core.methods.diagnosis.lists import (
    central_tendency,
    diagnose,
    diagnosis_dict,
    pair_diagnosis,
    recommended_tests,
)
from nlpstat_core.methods.diagnosis.normality import normality_tests, shapiro_wilk_p
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.records import QUESTIONS

EACH_PAIR = AnalysisConfig(question="each-pair")


def rule_of(batch, **settings):
    return RULES[diagnose(batch, AnalysisConfig(**settings)).rule[0]]


@pytest.mark.parametrize("golden", load("diagnosis", "summary"), ids=str)
def test_summary_in_r(golden):
    batch = one_pair(*pair(golden.case))
    found = pair_diagnosis(batch, AnalysisConfig()).summaries
    z = found["difference"]
    agree(
        golden,
        n=z.n,
        mean=z.mean,
        median=z.median,
        sd=z.sd,
        min=z.min,
        max=z.max,
        lower_quartile=z.lower_quartile,
        upper_quartile=z.upper_quartile,
        share_zero=z.zeros,
        mean_u=found["a"].mean,
        mean_v=found["b"].mean,
    )


@pytest.mark.parametrize("golden", load("diagnosis", "skewness"), ids=str)
def test_skewness_in_r(golden):
    batch = one_pair(*pair(golden.case))
    agree(golden, g1=batch.skewness[0], rel=1e-6)
    agree(golden, g1=pair_diagnosis(batch, AnalysisConfig()).summaries["difference"].skewness)


@pytest.mark.parametrize("golden", load("diagnosis", "shapiro.test"), ids=str)
def test_shapiro_wilk_in_r(golden):
    u, v = pair(golden.case)
    z = np.round(u - v, 6)
    first = normality_tests(z)[0]
    assert first.test == "shapiro-wilk"
    agree(golden, statistic=first.statistic, p_value=first.p_value)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 12, 50, 2001])
def test_shapiro_wilk_in_scipy(n):
    rows = np.sort(np.random.default_rng(n).exponential(size=(5, n)), axis=1)
    # SciPy rounds its normal quantiles to seven digits
    wanted = [stats.shapiro(row).pvalue for row in rows]
    np.testing.assert_allclose(shapiro_wilk_p(rows), wanted, rtol=2e-4, atol=1e-12)


def test_shapiro_wilk_needs_three_values():
    assert np.isnan(shapiro_wilk_p(np.array([[1.0, 2.0]]))).all()


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30).filter(lambda z: len(set(z)) > 1))
def test_skewness_from_exact_moments(whole):
    found = differences_batch(np.array(whole) / 8).skewness[0]
    assert found == pytest.approx(skewness(whole), rel=1e-9, abs=1e-12)


def test_skewness_of_binary_scores_comes_from_counts():
    scores = (np.random.default_rng(3).random((50, 4)) < 0.7).astype(float)
    batch = board(scores)
    wanted = stats.skew(batch.differences, axis=0)
    np.testing.assert_allclose(PairBatch(batch.units, batch.left, batch.right).skewness, wanted, rtol=1e-9)


def test_skewness_is_undefined_for_constants():
    for z in ([1.0], [0.0, 0.0], [0.7, 0.7, 0.7]):
        assert np.isnan(differences_batch(z).skewness[0])
    tenths = one_pair([0.3, 0.5, 0.9], [0.2, 0.4, 0.8])  # 0.1 with different rounding errors
    assert np.isnan(tenths.skewness[0])


def with_skewness(target):
    """Whole numbers 0 and k: share p of k has skewness (1 − 2p)/√(p(1 − p))."""
    # g1 = ½ needs (1 − 2p)² = ¼·p(1 − p)
    counts = [(a, b) for a, b in itertools.product(range(1, 80), repeat=2) if a > b]
    return min(counts, key=lambda ab: abs((ab[0] - ab[1]) / np.sqrt(ab[0] * ab[1]) - target))


def test_skewness_at_the_limit_counts_as_skewed():
    z = np.array([0.0, 0.0, 0.0, 2.0])
    g1 = skewness(z)
    assert rule_of(differences_batch(z), skewness_limits=(g1, 9.0)) == "skewed"
    assert rule_of(differences_batch(z), skewness_limits=(g1 + 1e-6, 9.0)) != "skewed"
    zeros, ones = with_skewness(0.5)
    near = differences_batch(np.repeat([0.0, 2.0], [zeros, ones]))
    assert near.skewness[0] == pytest.approx(0.5, abs=1e-3)


def test_rules():
    rng = np.random.default_rng(1)
    normal = stats.norm.ppf((np.arange(60) + 0.5) / 60)
    assert rule_of(differences_batch(normal)) == "normal"
    assert rule_of(differences_batch(np.sign(normal) * normal**4)) == "not-normal"
    assert rule_of(differences_batch(np.exp(normal))) == "skewed"
    assert rule_of(one_pair(rng.random(30) < 0.5, rng.random(30) < 0.5)) == "binary"
    assert rule_of(differences_batch(np.full(9, 0.4))) == "constant"
    assert rule_of(differences_batch([0.4])) == "constant"
    assert rule_of(differences_batch([-1.0, 1.5])) == "not-normal"  # two values: normality can't be checked
    sample = differences_batch(np.sign(normal) * np.abs(normal) ** 1.2)
    p_value = diagnose(sample, AnalysisConfig()).normality_p[0]
    assert rule_of(sample, normality_alpha=p_value) == "not-normal"
    assert rule_of(sample, normality_alpha=p_value * 0.999) == "normal"


def test_hypothesised_difference_leaves_the_shape_alone():
    normal = stats.norm.ppf((np.arange(60) + 0.5) / 60)
    assert rule_of(differences_batch(normal, delta=0.3), delta=0.3) == "normal"
    shifted = one_pair([1, 0, 1, 1], [0, 0, 1, 0], delta=0.1)
    assert rule_of(shifted, delta=0.1) != "binary"


def test_recommended_tests_of_a_mixed_board():
    rng = np.random.default_rng(2)
    normal = stats.norm.ppf((np.arange(80) + 0.5) / 80)
    columns = [
        np.zeros(80),
        normal,
        np.exp(rng.permutation(normal)),
        rng.random(80) < 0.5,
        rng.random(80) < 0.6,
    ]
    batch = board(np.stack(columns, axis=1))
    found = diagnose(batch, EACH_PAIR)
    by_pair = dict(zip(zip(batch.left, batch.right, strict=True), recommended_tests(found), strict=True))
    assert by_pair[0, 1] == "t"
    assert by_pair[0, 2] == "sign"
    assert by_pair[3, 4] == "mcnemar"
    assert [TESTS.keys[code] for code in found.recommended] == recommended_tests(found)
    assert np.isnan(found.normality_p[found.rule == RULES.index("skewed")]).all()
    assert np.isnan(found.normality_p[found.rule == RULES.index("binary")]).all()
    means = recommended_tests(diagnose(batch, AnalysisConfig()))
    assert [means.count(key) for key in ("mcnemar", "permutation-mean")] == [3, 7]
    assert {TESTS[key].hypothesis for key in set(means) - {"mcnemar"}} == {"mean"}


def test_constant_differences_are_noted_and_still_tested():
    pair = one_pair([1.5, 2.5, 3.5], [1.5, 2.5, 3.5])
    copy = diagnose(pair, EACH_PAIR)
    assert copy.notes["constant-differences"][0]
    assert recommended_tests(copy) == ["sign"]
    assert recommended_tests(diagnose(pair, AnalysisConfig())) == ["permutation-mean"]
    assert central_tendency("constant") is None


def test_no_units_and_one_unit_are_diagnosed_too():
    for n in (0, 1):
        found = diagnose(one_pair(np.ones(n) / 3, np.zeros(n)), EACH_PAIR)
        assert recommended_tests(found) == ["sign"]
        assert not found.notes["constant-differences"][0]
        assert diagnosis_dict(found, 0, "each-pair")["skewness"] is None


def test_many_units_are_noted():
    z = np.random.default_rng(0).normal(size=5001)
    assert diagnose(differences_batch(z), AnalysisConfig()).notes["shapiro-many-units"][0]
    assert not diagnose(differences_batch(z[:5000]), AnalysisConfig()).notes["shapiro-many-units"][0]


def test_blocks_take_over_where_their_tests_exist():
    z = np.random.default_rng(0).normal(size=(12, 2))
    for n_blocks, name in ((6, "blocks"), (4, "few-blocks")):
        units = UnitBlock(z, 10, np.zeros(2, dtype=bool), block_ids=np.arange(12) % n_blocks)
        batch = PairBatch(units, np.array([0]), np.array([1]))
        assert rule_of(batch) == name


PAPER = {
    "normal": ({"t"}, {"sign", "wilcoxon", "permutation-mean", "permutation-median"}, set()),
    "not-normal": ({"wilcoxon"}, {"sign", "permutation-mean", "permutation-median"}, {"t"}),
    "skewed": ({"sign"}, {"permutation-median", "permutation-mean"}, {"t", "wilcoxon"}),
}


@pytest.mark.parametrize("rule", PAPER)
def test_lists_of_the_manual(rule):
    bootstrap = {"bootstrap-mean", "bootstrap-median"} & set(TESTS.keys)
    recommended, non_preferred, inappropriate = PAPER[rule]
    found = lists(rule, "each-pair")
    known = set().union(bootstrap, *itertools.chain(*PAPER.values()))
    assert set(found.recommended) & known == recommended
    assert set(found.non_preferred) & known == non_preferred | bootstrap
    assert set(found.inappropriate) & known == inappropriate


@pytest.mark.parametrize("rule", RULES)
def test_one_question_recommends_tests_of_the_mean_only(rule):
    found = lists(rule, "mean")
    about = {TESTS[key].hypothesis for key in found.recommended}
    assert about <= ({"win-probability"} if rule == "binary" else {"mean", "accuracy", "f1", "measure"})
    assert bool(about) == (rule not in ("no-shared-units", "unpaired-blocks"))
    for key in (*found.recommended, *found.non_preferred):
        asks = TESTS[key].hypothesis
        if asks in ("median", "symmetric-about-zero") and rule in ("normal", "not-normal", "skewed"):
            assert "It asks about" in reason(rule, key, "mean")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("rule", RULES)
def test_every_listed_test_is_in_one_list_with_one_sentence(rule, question):
    found = lists(rule, question)
    listed = [*found.recommended, *found.non_preferred, *found.inappropriate]
    assert len(listed) == len(set(listed))
    assert len(found.recommended) <= 1
    assert set(listed) <= set(TESTS.keys)
    for test in listed:
        assert reason(rule, test, question).endswith(".")
    order = list(TESTS.keys)
    for keys in (found.recommended, found.non_preferred, found.inappropriate):
        assert sorted(keys, key=order.index) == list(keys)


def test_one_pair_in_full():
    rng = np.random.default_rng(4)
    u, v = rng.normal(size=(2, 40))
    found = pair_diagnosis(one_pair(u, v), AnalysisConfig())
    assert set(found.to_dict()) == {
        "skewness",
        "normality_p",
        "central_tendency",
        "recommended",
        "non_preferred",
        "inappropriate",
    }
    assert set(found.reasons) == {
        *found.lists.recommended,
        *found.lists.non_preferred,
        *found.lists.inappropriate,
    }
    assert found.summaries["a"].mean == pytest.approx(u.mean())
    assert [test.test for test in found.normality] == [
        "shapiro-wilk",
        "anderson-darling",
        "dagostino-pearson",
        "lilliefors",
        "cramer-von-mises",
    ]


def test_normality_tests_hold_their_level():
    rng = np.random.default_rng(11)
    p_values = np.array([[t.p_value for t in normality_tests(rng.normal(size=40))] for _ in range(400)])
    rates = (p_values <= 0.05).mean(axis=0)
    np.testing.assert_allclose(rates, 0.05, atol=0.035)
    against = np.array([[t.p_value for t in normality_tests(rng.exponential(size=60))] for _ in range(20)])
    assert (against < 0.05).mean() > 0.9


def test_cramer_von_mises_statistic_is_scipys():
    z = np.random.default_rng(0).normal(3, 2, 25)
    found = normality_tests(z)[-1].statistic
    assert found == pytest.approx(stats.cramervonmises(z, "norm", (z.mean(), z.std(ddof=1))).statistic)


@pytest.mark.parametrize("z", [np.zeros(0), np.ones(30), np.array([1.0, 2.0])])
def test_normality_tests_of_small_or_constant_samples(z):
    assert all(np.isnan(test.p_value) for test in normality_tests(z))


def test_summary_of_nothing_and_of_one_value():
    config = AnalysisConfig()
    empty = pair_diagnosis(one_pair([], []), config).summaries["difference"]
    assert empty.n == 0
    assert np.isnan([empty.mean, empty.sd, empty.zeros]).all()
    single = pair_diagnosis(one_pair([2.0], [2.0]), config).summaries["difference"]
    assert (single.mean, single.zeros, single.repeated) == (0.0, 1.0, 0.0)
    assert np.isnan(single.sd)
