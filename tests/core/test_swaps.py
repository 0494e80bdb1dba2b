"""The swap test of measures: every swap counted, plain draws, the exact engine, and symmetries."""

import itertools
import math

import numpy as np
import pytest
from core.measure_examples import examples, options_of
from core.swap_draws import tilted_tail
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.engine.swaps.pair import swapped_pair
from nlpstat_core.engine.swaps.routes import pair_tail, pair_tails
from nlpstat_core.engine.swaps.values import exchanged_of
from nlpstat_core.measures import MEASURES


def comparable(key, outputs):
    """Outputs on one scale, by the definition."""
    if key == "pearson":
        return [stats.zscore(one).tolist() for one in outputs]
    if key in ("spearman", "kendall", "roc-auc"):
        return [stats.rankdata(one).tolist() for one in outputs]
    return outputs


def value_of_exchanged(key, gold, output):
    if key == "spearman":  # exchanged mid-ranks are not ranked again
        return stats.pearsonr(stats.rankdata(gold), output).statistic
    return ns.measure(gold, output, key, **options_of(key))


def differences_by_definition(key, gold, a, b):
    """Differences of all swaps, the first as observed."""
    a, b = comparable(key, [a, b])
    found = []
    for swaps in itertools.product([False, True], repeat=len(gold)):
        left = [y if swap else x for x, y, swap in zip(a, b, swaps, strict=True)]
        right = [x if swap else y for x, y, swap in zip(a, b, swaps, strict=True)]
        found.append(value_of_exchanged(key, gold, left) - value_of_exchanged(key, gold, right))
    return np.array(found)


def p_by_definition(found, alternative):
    observed = found[0]
    if alternative == "two-sided":
        return np.mean(np.abs(found) >= abs(observed) - 1e-12)
    return np.mean(found >= observed - 1e-12 if alternative == "greater" else found <= observed + 1e-12)


# Libraries are asked for every swap; ROUGE is a mean like others.
@pytest.mark.parametrize("key", [key for key in MEASURES if not key.startswith("rouge-")])
def test_p_counts_every_swap(key):
    n = 4 if MEASURES[key].kind == "texts" else 6
    gold, a, b = (side[:n] for side in examples(key))
    differences = differences_by_definition(key, gold, a, b)
    for alternative in ("two-sided", "greater", "less"):
        expected = p_by_definition(differences, alternative)
        found = ns.measure_p_value(gold, a, b, key, alternative, **options_of(key))
        assert found == pytest.approx(expected, rel=1e-9), alternative


def labelled(n, share_a, share_b, seed=0):
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, n, p=[0.6, 0.35, 0.05])
    other = rng.integers(0, 3, (2, n))
    a, b = (
        np.where(rng.random(n) < share, gold, wrong)
        for share, wrong in zip([share_a, share_b], other, strict=True)
    )
    return gold, a, b


def swapped(key, gold, a, b, groups=None):
    measured = MEASURES[key].measured(list(gold), [list(a), list(b)])[0]
    return swapped_pair(exchanged_of(measured), 0, 1, np.arange(len(gold)) if groups is None else groups)


@pytest.mark.parametrize(("n_right", "n_wrong"), [(30, 21), (70, 30), (60, 5), (45, 1)])
def test_tilted_draws_reach_far_tails_of_an_exact_law(n_right, n_wrong):
    """Accuracy is a binomial: the draws must find its p from 0.3 to 1e-12, within their error."""
    gold = np.zeros(n_right + n_wrong, dtype=int)
    b = np.repeat([1, 0], [n_right, n_wrong])
    pair = swapped("accuracy", gold, 1 - b, b)
    exact = stats.binomtest(n_right, n_right + n_wrong).pvalue
    for alternative, p in (("two-sided", exact), ("greater", exact / 2)):
        observed = (n_right - n_wrong) / gold.size
        tail = tilted_tail(pair, observed, alternative, seed=1, draws=20_480, units=pair.moved)
        assert tail.error < 0.03
        assert math.exp(tail.log_p) == pytest.approx(p, rel=4 * tail.error)
    less = tilted_tail(pair, observed, "less", seed=1, draws=20_480, units=pair.moved)
    assert math.exp(less.log_p) == pytest.approx(stats.binom.cdf(n_right, gold.size, 0.5), rel=0.02)


@pytest.mark.parametrize("key", ["macro-f1", "mcc", "qwk", "pearson", "spearman", "roc-auc"])
def test_tilted_draws_agree_with_plain_ones(key):
    gold, a, b = labelled(120, 0.8, 0.68, seed=4)
    if key == "roc-auc":
        gold = np.minimum(gold, 1)
    rng = np.random.default_rng(7)
    if key in ("pearson", "spearman", "roc-auc"):
        a, b = a + rng.normal(size=120), 100 * (b + rng.normal(size=120))
    pair = swapped(key, gold, a, b)
    observed = float(pair.differences(np.ones((pair.moved.size, 1)))[0])
    reached = [
        np.abs(pair.differences(rng.choice([-1.0, 1.0], (pair.moved.size, 1000)))) >= abs(observed) - 1e-12
        for _ in range(20)
    ]
    plain = np.mean(reached)
    tail = pair_tail(pair, False, "two-sided", seed=3, draws=10_240)
    error = math.hypot(tail.error, math.sqrt((1 - plain) / plain / 20_000))
    assert math.exp(tail.log_p) == pytest.approx(plain, rel=4.5 * error)


@pytest.mark.parametrize(
    ("key", "share_b"), [("macro-f1", 0.74), ("macro-f1", 0.45), ("mcc", 0.6), ("pearson", 0.7)]
)
def test_few_draws_beside_the_linear_tail_are_right_within_their_errors(key, share_b):
    """Against 82,000 draws alone: no bias, smaller errors, and errors that are as large as they say."""
    gold, a, b = labelled(400, 0.8, share_b, seed=2)
    rng = np.random.default_rng(3)
    if key == "pearson":
        a, b = a + rng.normal(size=400), b + 1.05 * rng.normal(size=400)
    pair = swapped(key, gold, a, b)
    alone = tilted_tail(pair, pair.observed, "two-sided", seed=9, draws=81_920, units=pair.moved)
    few = [pair_tails([pair], False, "two-sided", seed=seed, draws=256)[0] for seed in range(60)]
    ratios = np.array([math.expm1(tail.log_p - alone.log_p) for tail in few])
    errors = np.array([tail.error for tail in few])
    plain = tilted_tail(pair, pair.observed, "two-sided", seed=0, draws=256, units=pair.moved).error
    assert np.median(errors) < plain / 1.5
    assert abs(ratios.mean()) < 4 * math.hypot(alone.error, ratios.std() / math.sqrt(60))
    assert ratios.std() < 1.3 * math.sqrt(np.mean(errors**2))


def test_drawing_ends_when_the_error_is_small_enough_and_pairs_do_not_matter_to_each_other():
    gold, a, b = labelled(400, 0.8, 0.7)
    c = np.where(np.arange(400) % 3 > 0, a, b)
    pairs = [swapped("macro-f1", gold, a, b), swapped("macro-f1", gold, a, c)]
    together = pair_tails(pairs, False, "two-sided", seed=1, draws=1_024, enough=0.12)
    assert together == [
        pair_tails([pair], False, "two-sided", seed=1, draws=1_024, enough=0.12)[0] for pair in pairs
    ]
    every = pair_tails(pairs, False, "two-sided", seed=1, draws=1_024)
    assert every != together
    for soon, late in zip(together, every, strict=True):
        assert late.error <= soon.error <= 0.12
        assert soon.log_p == pytest.approx(late.log_p, abs=4 * soon.error)


def test_a_measure_out_of_reach_of_its_slope_still_has_its_p():
    """RMSE bends: where all signs alike are needed, p is nearly 2^(1 − n)."""
    rng = np.random.default_rng(0)
    gold = rng.normal(size=60)
    a, b = gold + rng.normal(size=60), gold + 50 + rng.normal(size=60)
    assert ns.measure_p_value(gold, a, b, "rmse") == pytest.approx(2.0**-59, rel=0.05)


def test_scales_of_systems_do_not_matter_where_the_measure_ignores_them():
    rng = np.random.default_rng(2)
    gold = rng.normal(size=50)
    a, b = gold + rng.normal(size=50), gold + 2 * rng.normal(size=50)
    for key in ("pearson", "spearman"):
        one = ns.measure_p_value(gold, a, b, key)
        assert ns.measure_p_value(gold, 100 * a + 7, b, key) == pytest.approx(one, rel=1e-6)


PAIRS = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=10)


@settings(max_examples=20)
@given(PAIRS, st.sampled_from(["macro-f1", "mcc", "qwk"]), st.randoms(use_true_random=False))
def test_systems_and_items_in_any_order(items, key, rng):
    gold, a, b = zip(*items, strict=True)
    p = ns.measure_p_value(gold, a, b, key)
    assert ns.measure_p_value(gold, b, a, key) == pytest.approx(p, rel=1e-12, nan_ok=True)
    greater = ns.measure_p_value(gold, a, b, key, "greater")
    assert ns.measure_p_value(gold, b, a, key, "less") == pytest.approx(greater, rel=1e-12, nan_ok=True)
    shuffled = list(items)
    rng.shuffle(shuffled)
    assert ns.measure_p_value(*zip(*shuffled, strict=True), key) == pytest.approx(p, rel=1e-12, nan_ok=True)
    if not math.isnan(p):
        assert 2.0 ** -len(items) <= p <= 1.0
        assert greater + ns.measure_p_value(gold, a, b, key, "less") >= 1 - 1e-12


def test_documents_are_exchanged_whole():
    """Each item twice in a document of its own is the board of these items once."""
    gold, a, b = labelled(30, 0.8, 0.6)
    documents = np.repeat(np.arange(30), 2)
    doubled = [np.repeat(side, 2) for side in (gold, a, b)]
    for key in ("macro-f1", "mcc", "accuracy", "balanced-accuracy"):
        alone = ns.measure_p_value(gold, a, b, key)
        assert ns.measure_p_value(*doubled, key, documents=documents) == pytest.approx(alone, rel=0.05)
    with pytest.raises(ns.AnalysisError, match="documents"):
        ns.measure_p_value(gold, a, b, documents=["x"])


def test_seeds_and_undefined_measures():
    gold, a, b = labelled(100, 0.8, 0.6)
    assert ns.measure_p_value(gold, a, b, seed=1) == ns.measure_p_value(gold, a, b, seed=1)
    assert ns.measure_p_value(gold, a, b, seed=1) != ns.measure_p_value(gold, a, b, seed=2)
    assert ns.measure_p_value(gold, a, a) == 1.0
    assert math.isnan(ns.measure_p_value([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [1.0, 2.0, 3.0], "pearson"))


def test_intervals_are_those_of_the_left_out_items():
    gold, a, b = labelled(40, 0.8, 0.6)
    left_out = [
        ns.measure(np.delete(gold, i), np.delete(a, i)) - ns.measure(np.delete(gold, i), np.delete(b, i))
        for i in range(40)
    ]
    error = math.sqrt(39 / 40 * np.sum((left_out - np.mean(left_out)) ** 2))
    margin = stats.t.ppf(0.95, 39) * error
    difference, low, high = ns.measure_difference(gold, a, b, level=0.9)
    assert difference == pytest.approx(ns.measure(gold, a) - ns.measure(gold, b), abs=1e-12)
    assert [low, high] == pytest.approx([difference - margin, difference + margin], abs=1e-12)
    assert ns.measure_difference(gold, b, a, level=0.9) == pytest.approx(
        [-difference, -high, -low], abs=1e-12
    )


def test_intervals_of_means_are_students_and_documents_are_left_out_whole():
    gold, a, b = labelled(40, 0.8, 0.6)
    apart = (a == gold) * 1.0 - (b == gold)
    expected = stats.t.interval(0.95, 39, apart.mean(), stats.sem(apart))
    assert ns.measure_difference(gold, a, b, "accuracy")[1:] == pytest.approx(expected, abs=1e-12)
    doubled = [np.repeat(side, 2) for side in (gold, a, b)]
    by_document = ns.measure_difference(*doubled, documents=np.repeat(np.arange(40), 2))
    assert by_document == pytest.approx(ns.measure_difference(gold, a, b), abs=1e-12)
    assert np.isnan(ns.measure_difference([1], [1], [2])[1:]).all()
    with pytest.raises(ns.ConfigError, match="level"):
        ns.measure_difference(gold, a, b, level=95)
