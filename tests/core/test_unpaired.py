"""Two independent samples: R, all relabellings, SciPy, and how a board uses these tests."""

from itertools import combinations

import numpy as np
import pytest
from core.oracles import ALTERNATIVES
from golden.golden import agree, load, pair
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.own_scores import OwnScores
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.resampling.random_labels import shared_label_tails
from nlpstat_core.engine.samples.label_sums import enumerated_tails, whole_number_tails
from nlpstat_core.methods.diagnosis.variance_ratio import variance_ratio
from nlpstat_core.methods.effects import effect_for
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.mann_whitney import mann_whitney
from nlpstat_core.report.wording import pair_headline, verdict_sentence

UNPAIRED = ("welch-t", "student-t", "mann-whitney", "permutation-unpaired", "bootstrap-unpaired")
RATINGS = st.lists(st.integers(1, 5).map(float), min_size=2, max_size=6)


def matrix(u, v):
    """Two systems without a shared unit."""
    values = np.full((len(u) + len(v), 2), np.nan)
    values[: len(u), 0], values[len(u) :, 1] = u, v
    return ns.ScoreMatrix(values=values, systems=("A", "B"))


def batch_of(u, v, delta=0.0):
    scores = matrix(u, v)
    own = OwnScores(scores.values)
    units = UnitBlock(scores.values[:0], scores.decimals, np.zeros(2, dtype=bool), all_scores=own)
    return PairBatch(units, np.array([0]), np.array([1]), delta)


def effect(key, u, v, **settings):
    return effect_for(key, unpaired=True).run(batch_of(u, v), ns.AnalysisConfig(**settings), True)


def run(test, u, v, **settings):
    delta = settings.pop("delta", 0.0)
    return TESTS[test].run(batch_of(u, v, delta), ns.AnalysisConfig(**settings))


def relabelled(statistic, u, v, alternative):
    """Every choice of the units called u's; twice the smaller tail for two sides."""
    pooled = np.concatenate([u, v])
    null = []
    for chosen in combinations(range(len(pooled)), len(u)):
        mask = np.isin(np.arange(len(pooled)), chosen)
        null.append(statistic(pooled[mask], pooled[~mask]))
    above = np.mean(np.array(null) >= statistic(u, v) - 1e-9)
    below = np.mean(np.array(null) <= statistic(u, v) + 1e-9)
    return {"greater": above, "less": below, "two-sided": min(1, 2 * min(above, below))}[alternative]


def wins(u, v):
    return np.sum(u[:, None] > v) + np.sum(u[:, None] == v) / 2


def doubled(function):
    """Values that double the smaller tail, as this house does; others count the distance from the mean."""
    return [one for one in load("unpaired", function) if one.options.get("tails") != "distance"]


@pytest.mark.parametrize("golden", load("unpaired", "t.test"), ids=str)
def test_t_tests_in_r(golden):
    u, v = pair(golden.case, "unpaired")
    test = "student-t" if golden.options["var_equal"] else "welch-t"
    level, delta = golden.options["level"], golden.options["delta"]
    found = run(test, u, v, alternative=golden.alternative, confidence_level=level, delta=delta)
    agree(golden, statistic=found.statistic[0], p_value=found.p_value[0])
    agree(golden, lower=found.interval[0, 0], upper=found.interval[0, 1])


@pytest.mark.parametrize("golden", doubled("wilcox.exact"), ids=str)
def test_exact_ranks_in_r(golden):
    found = run("mann-whitney", *pair(golden.case, "unpaired"), alternative=golden.alternative)
    agree(golden, p_value=found.p_value[0])


@pytest.mark.parametrize("golden", load("unpaired", "wilcox.test"), ids=str)
def test_ranks_in_r(golden):
    config = ns.AnalysisConfig(
        alternative=golden.alternative, continuity=bool(golden.options.get("correct", False))
    )
    batch = batch_of(*pair(golden.case, "unpaired"))
    found = mann_whitney(batch, config, exact=golden.options["exact"])
    agree(golden, statistic=found.statistic[0], p_value=found.p_value[0])


@pytest.mark.parametrize("golden", [*doubled("perm.test"), *doubled("enumeration")], ids=str)
def test_permutations_in_r(golden):
    found = run("permutation-unpaired", *pair(golden.case, "unpaired"), alternative=golden.alternative)
    agree(golden, p_value=found.p_value[0])
    assert found.p_kind[0] == 0


@pytest.mark.parametrize("golden", load("unpaired", "var.test"), ids=str)
def test_variances_in_r(golden):
    found = variance_ratio(*pair(golden.case, "unpaired"), golden.alternative)
    df1, df2 = found.degrees_of_freedom
    agree(golden, statistic=found.statistic, df1=df1, df2=df2, p_value=found.p_value)


@pytest.mark.parametrize("golden", load("unpaired", "cohens_d"), ids=str)
def test_d_in_r(golden):
    u, v = pair(golden.case, "unpaired")
    found = effect("cohen-d", u, v)
    agree(golden, cohen_d=found.value[0])
    agree(golden, rel=1e-4, lower=found.interval[0, 0], upper=found.interval[0, 1])
    # the limits are noncentralities for which t is at a tail of 2.5 %
    root = np.sqrt(1 / u.size + 1 / v.size)
    tails = stats.nct.cdf(found.value[0] / root, u.size + v.size - 2, found.interval[0] / root)
    np.testing.assert_allclose(tails, [0.975, 0.025], atol=1e-8)


@pytest.mark.parametrize("golden", load("unpaired", "hedges_g"), ids=str)
def test_g_in_r(golden):
    found = effect("hedges-g", *pair(golden.case, "unpaired"))
    agree(golden, hedges_g=found.value[0])
    agree(golden, rel=1e-4, lower=found.interval[0, 0], upper=found.interval[0, 1])


@pytest.mark.parametrize("golden", load("unpaired", "cliffs_delta"), ids=str)
def test_cliffs_delta_in_r(golden):
    agree(golden, cliffs_delta=effect("cliffs-delta", *pair(golden.case, "unpaired")).value[0])


@given(RATINGS, RATINGS, st.sampled_from(ALTERNATIVES))
def test_relabelling_by_definition(u, v, alternative):
    u, v = np.array(u), np.array(v)
    found = run("permutation-unpaired", u, v, alternative=alternative)
    wanted = relabelled(lambda x, y: x.mean() - y.mean(), u, v, alternative)
    assert found.p_value[0] == pytest.approx(wanted, rel=1e-11)
    ranks = run("mann-whitney", u, v, alternative=alternative)
    assert ranks.p_value[0] == pytest.approx(relabelled(wins, u, v, alternative), rel=1e-11)
    assert ranks.statistic[0] == wins(u, v)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(UNPAIRED[:4]))
def test_swapped_systems_mirror(seed, test):
    rng = np.random.default_rng(seed)
    u, v = np.round(rng.normal(size=7), 2), np.round(rng.normal(size=9), 2)
    there, back = run(test, u, v), run(test, v, u)
    assert there.p_value[0] == pytest.approx(back.p_value[0], rel=1e-9)
    assert there.direction[0] == -back.direction[0]
    greater, less = run(test, u, v, alternative="greater"), run(test, v, u, alternative="less")
    assert greater.p_value[0] == pytest.approx(less.p_value[0], rel=1e-9)
    np.testing.assert_allclose(there.interval, -back.interval[:, ::-1], rtol=1e-9)


def test_three_ways_to_count_labellings_agree():
    scores = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3])
    observed = scores[:4].sum()
    whole = whole_number_tails(scores.astype(np.int64), 4, int(observed))
    assert whole == pytest.approx(enumerated_tails(scores, 4, observed, 1e-9))
    sampled = shared_label_tails(batch_of(scores[:4], scores[4:]), 20_000, 1)[0]
    assert sampled == pytest.approx(whole, abs=4 * np.sqrt(0.25 / 20_000))
    assert whole_number_tails(np.arange(10**6, 10**6 + 400) ** 2, 200, 0) is None


def test_real_scores_are_enumerated_or_sampled():
    rng = np.random.default_rng(3)
    u, v = rng.normal(size=6), rng.normal(size=7)
    found = run("permutation-unpaired", u, v)
    wanted = relabelled(lambda x, y: x.mean() - y.mean(), u, v, "two-sided")
    assert found.p_value[0] == pytest.approx(wanted)
    many = run("permutation-unpaired", rng.normal(size=40), rng.normal(0.5, 1, 50), seed=2)
    assert many.p_kind[0] == 3
    assert many.error[0] > 0


def test_bootstrap_by_definition_and_against_welch():
    rng = np.random.default_rng(5)
    u, v = rng.normal(0.4, 1, 40), rng.normal(0, 2, 30)
    found = run("bootstrap-unpaired", u, v, seed=1)
    welch = stats.ttest_ind(u, v, equal_var=False)
    assert found.p_value[0] == pytest.approx(welch.pvalue, abs=0.03)
    np.testing.assert_allclose(found.interval[0], welch.confidence_interval(), atol=0.1)
    # the definition, with other random numbers
    error = np.sqrt(u.var(ddof=1) / 40 + v.var(ddof=1) / 30)
    a, b = rng.choice(u, (20_000, 40)), rng.choice(v, (20_000, 30))
    t = (a.mean(axis=1) - b.mean(axis=1) - u.mean() + v.mean()) / np.sqrt(
        a.var(axis=1, ddof=1) / 40 + b.var(axis=1, ddof=1) / 30
    )
    wanted = np.mean(np.abs(t) >= abs(u.mean() - v.mean()) / error)
    assert found.p_value[0] == pytest.approx(wanted, abs=4 * np.sqrt(wanted / 10_000))


@pytest.mark.parametrize("test", UNPAIRED)
def test_degenerate_samples(test):
    same = run(test, [2.0, 2, 2], [2.0, 2])
    assert same.p_value[0] == 1.0
    lone = run(test, [1.0], [2.0])
    assert np.isnan(lone.p_value[0]) == lone.notes["too-few-own-units"][0]
    apart = run(test, [2.0, 2, 2], [3.0, 3])
    assert not np.isnan(apart.p_value[0]) or apart.notes["no-pooled-spread"][0]
    nothing = run(test, [1.0, 2], [])
    assert nothing.notes["too-few-own-units"][0]


def test_effects_without_spread_or_units():
    flat, none = np.ones(4), np.zeros(0)
    for key in ("cohen-d", "hedges-g"):
        assert np.isnan(effect(key, flat, flat).value[0])
        assert np.isnan(effect(key, flat, none).value[0])
    assert effect("cliffs-delta", flat, flat).value[0] == 0
    assert np.isnan(effect("cliffs-delta", flat, none).value[0])
    apart = effect("cliffs-delta", flat, flat - 1)
    assert apart.value[0] == 1
    assert np.isnan(apart.interval).all()
    assert np.isnan(variance_ratio(flat, flat).p_value)


def test_cliffs_interval_covers_and_mirrors():
    rng = np.random.default_rng(6)
    truth, covered, rounds = 2 * stats.norm.cdf(0.5 / np.sqrt(2)) - 1, 0, 600
    for _ in range(rounds):
        u, v = rng.normal(0.5, 1, 30), rng.normal(0, 1, 25)
        low, high = effect("cliffs-delta", u, v, confidence_level=0.9).interval[0]
        covered += low <= truth <= high
    assert covered / rounds == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / rounds) + 0.01)
    there, back = effect("cliffs-delta", u, v), effect("cliffs-delta", v, u)
    np.testing.assert_allclose(there.interval, -back.interval[:, ::-1])


def mixed_board():
    rng = np.random.default_rng(0)
    values = np.full((40, 3), np.nan)
    values[:20, 0], values[20:, 1] = rng.normal(0.9, 1, 20), rng.normal(0, 1, 20)
    values[:, 2] = rng.normal(size=40)
    return ns.ScoreMatrix(values=values, systems=("A", "B", "C"))


def test_recommended_test_of_disjoint_systems_is_none_and_says_so():
    found = ns.analyse(mixed_board())
    assert found.pairs.test[0] is None
    assert np.isnan([found.pairs.p_value[0], found.pairs.difference[0], found.pairs.p_adjusted[0]]).all()
    assert found.family_size == 2
    assert found.pairs.notes["no-shared-units"].tolist() == [True, False, False]
    pair_ = found.pair("A", "B")
    assert pair_.verdict == "undecided"
    assert "chosen by name" in {note.code: note.text for note in pair_.notes}["no-shared-units"]
    assert not pair_.diagnosis.lists.recommended
    assert "welch-t" in pair_.diagnosis.lists.non_preferred
    assert "share no item" in pair_headline(pair_, found.config)
    assert "share no item" in verdict_sentence(found.pairs, 0, found.config)
    note = next(note for note in found.notes if note.code == "no-shared-units")
    assert note.severity == "problem"
    assert note.text.startswith("1 of 3 pairs shares no item")
    assert "welch" in note.text.lower()


def test_with_a_question_for_each_pair_disjoint_systems_are_independent_samples():
    scores = mixed_board()
    found = ns.analyse(scores, ns.AnalysisConfig(question="each-pair"))
    u, v = scores.values[:20, 0], scores.values[20:, 1]
    welch = stats.ttest_ind(u, v, equal_var=False)
    assert found.pairs.test[0] == "welch-t"
    assert found.pairs.p_value[0] == pytest.approx(welch.pvalue)
    assert found.pairs.difference[0] == pytest.approx(u.mean() - v.mean())
    np.testing.assert_allclose(found.pairs.interval[0], welch.confidence_interval())
    assert "welch-t" not in found.pairs.test[1:]
    assert not found.pairs.notes["unpaired"][1:].any()
    notes = {note.code: note.text for note in found.pair("A", "B").notes}
    assert "20 items of A and 20 of B" in notes["unpaired"]
    assert "no-shared-units" not in notes
    assert "unpaired" in {note.code for note in found.notes}
    entry = found.to_dict()["pairs"][0]
    assert entry["n_units"] == 0
    assert entry["diagnosis"]["recommended"] == ["welch-t"]


def test_a_fixed_paired_test_stays_undefined():
    found = ns.analyse(mixed_board(), ns.AnalysisConfig(test="wilcoxon"))
    assert np.isnan(found.pairs.p_value[0])
    assert found.pairs.notes["no-shared-units"][0]
    assert found.family_size == 2


@pytest.mark.parametrize("test", UNPAIRED)
def test_a_fixed_unpaired_test_is_used_for_all_pairs(test):
    found = ns.analyse(mixed_board(), ns.AnalysisConfig(test=test, resamples=500))
    assert list(found.pairs.test) == [test] * 3
    assert not np.isnan(found.pairs.p_value).any()
    assert found.pairs.notes["pairing-ignored"].tolist() == [False, True, True]
    assert "20 and 40 items" in {n.code: n.text for n in found.pair("A", "C").notes}["pairing-ignored"]


def test_rows_in_another_order_change_nothing():
    scores = mixed_board()
    names = tuple(f"u{i:02}" for i in range(40))
    order = np.random.default_rng(1).permutation(40)
    base = ns.ScoreMatrix(values=scores.values, systems=scores.systems, units=names)
    moved = ns.ScoreMatrix(
        values=scores.values[order], systems=scores.systems, units=tuple(names[i] for i in order)
    )
    for test in UNPAIRED:
        config = ns.AnalysisConfig(test=test, resamples=300)
        first, second = ns.analyse(base, config).pairs, ns.analyse(moved, config).pairs
        np.testing.assert_array_equal(first.p_value, second.p_value)


@pytest.mark.parametrize("test", ["permutation-unpaired", "bootstrap-unpaired"])
@pytest.mark.parametrize("sizes", [(30, 30), (40, 25)])
@pytest.mark.parametrize("delta", [0.0, 0.2])
def test_the_order_of_the_columns_changes_no_p(test, sizes, delta):
    rng = np.random.default_rng(sum(sizes))
    values = np.full((70, 2), np.nan)
    values[: sizes[0], 0], values[70 - sizes[1] :, 1] = rng.gamma(2, 1, sizes[0]), rng.gamma(2, 1.3, sizes[1])
    for alternative, mirrored in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        settings = {"test": test, "resamples": 499}
        there = ns.analyse(
            ns.ScoreMatrix(values=values, systems=["a", "b"]),
            ns.AnalysisConfig(**settings, alternative=alternative, delta=delta),
        )
        back = ns.analyse(
            ns.ScoreMatrix(values=values[:, ::-1], systems=["b", "a"]),
            ns.AnalysisConfig(**settings, alternative=mirrored, delta=-delta),
        )
        assert there.pairs.p_value[0] == back.pairs.p_value[0]
