"""Pairs without shared units on a board: effect sizes, estimates, counts, documents, what is said."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from golden.golden import agree, load, pair
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.analysis.other_tests import other_tests
from nlpstat_core.board.pairs.one_pair import pair_scores
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.own_scores import OwnScores
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.samples import location_shifts as shifts
from nlpstat_core.engine.samples.label_sums import two_valued_tails, whole_number_tails
from nlpstat_core.methods.effects import EFFECTS, effect_for
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.scores.count_matrices import accuracy_matrix, f1_matrix

NAMES = ("A", "B", "C")
UNPAIRED = [method.key for method in TESTS if method.design == "unpaired"]
INDEXES = [key for key in EFFECTS.keys if effect_for(key, unpaired=True) is not None]


def apart(u, v):
    """A board of two systems without a shared unit."""
    values = np.full((len(u) + len(v), 2), np.nan)
    values[: len(u), 0], values[len(u) :, 1] = u, v
    return ns.ScoreMatrix(values=values, systems=NAMES[:2])


def columns_of(scores, chosen):
    """The same file with some of the systems."""
    names = tuple(scores.systems[i] for i in chosen)
    return ns.ScoreMatrix(values=scores.values[:, chosen], systems=names, labels=scores.labels)


def batch_of(u, v):
    values = apart(u, v).values
    units = UnitBlock(values[:0], 10, np.zeros(2, dtype=bool), all_scores=OwnScores(values))
    return PairBatch(units, np.array([0]), np.array([1]))


WELCH = AnalysisConfig(test="welch-t")
U = np.array([3.1, 4.0, 5.2, 6.1, 9.3, 4.4])
V = np.array([1.2, 3.3, 3.1, 5.0, 5.1, 2.2, 2.9])


def test_a_pair_has_the_effect_sizes_of_its_design():
    found = ns.analyse(apart(U, V), WELCH).pair("A", "B")
    pooled = math.sqrt((5 * U.var(ddof=1) + 6 * V.var(ddof=1)) / 11)
    d = (U.mean() - V.mean()) / pooled
    wins, losses = np.sum(U[:, None] > V), np.sum(U[:, None] < V)
    value = {key: effect.value for key, effect in found.effects.items()}
    assert value["mean-difference"] == pytest.approx(U.mean() - V.mean())
    assert value["cohen-d"] == pytest.approx(d)
    assert value["hedges-g"] == pytest.approx(d * math.gamma(5.5) / math.gamma(5) / math.sqrt(5.5))
    assert value["cliffs-delta"] == pytest.approx((wins - losses) / 42)
    assert value["common-language"] == pytest.approx((1 + value["cliffs-delta"]) / 2)
    assert value["hodges-lehmann"] == pytest.approx(np.median(np.subtract.outer(U, V)))
    welch = stats.ttest_ind(U, V, equal_var=False)
    assert_allclose(found.effects["mean-difference"].interval, welch.confidence_interval())
    for key in ("cohen-d", "hedges-g", "cliffs-delta", "common-language", "hodges-lehmann"):
        low, high = found.effects[key].interval
        assert low < value[key] < high
    assert set(found.effects) == {*INDEXES, "wilcoxon-r"}  # asked for by the configuration
    assert math.isnan(value["wilcoxon-r"])
    assert (found.n_units, found.n_a, found.n_b) == (0, 6, 7)
    entry = json.loads(json.dumps(found.to_dict()))
    assert (entry["n_a"], entry["n_b"]) == (6, 7)
    assert entry["effects"]["cohen-d"]["value"] == pytest.approx(d)
    assert found.diagnosis.variances.statistic == pytest.approx(U.var(ddof=1) / V.var(ddof=1))
    assert found.diagnosis.summaries["b"].mean == pytest.approx(V.mean())


def test_the_table_tells_the_same_as_the_pair():
    config = AnalysisConfig(question="each-pair", effects=("cohen-d", "wilcoxon-r", "cliffs-delta"))
    values = np.full((30, 3), np.nan)
    rng = np.random.default_rng(0)
    values[:15, 0], values[15:, 1], values[:, 2] = (
        rng.normal(1, 1, 15),
        rng.normal(size=15),
        rng.normal(size=30),
    )
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=NAMES), config)
    entries = {(p["system_a"], p["system_b"]): p for p in found.to_dict()["pairs"]}
    for a, b in itertools.combinations(NAMES, 2):
        alone = found.pair(a, b)
        for key in config.effects:
            value = entries[a, b]["effects"][key]["value"]
            assert (value is None) == math.isnan(alone.effects[key].value)
            assert value is None or value == pytest.approx(alone.effects[key].value)
    codes = {note["code"] for note in entries["A", "B"]["notes"]}
    assert {"unpaired", "wilcoxon-r:needs-shared-units"} <= codes
    shared = {note["code"]: note["text"] for note in entries["A", "C"]["notes"]}
    assert "cliffs-delta:needs-independent-samples" in shared
    assert entries["A", "C"]["n_a"] == entries["A", "C"]["n_b"] == entries["A", "C"]["n_units"] == 15


def test_a_fixed_unpaired_test_takes_all_units_of_both():
    values = np.column_stack([np.arange(8.0), np.arange(8.0)[::-1] + 0.5])
    values[0, 0] = np.nan
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=NAMES[:2]), AnalysisConfig(test="mann-whitney"))
    pair_ = found.pair("A", "B")
    assert (pair_.n_units, pair_.n_a, pair_.n_b) == (7, 7, 8)
    u, v = pair_scores(found, 0)
    assert (u.size, v.size) == (7, 8)
    assert pair_.estimate.of == "location-shift"
    assert pair_.estimate.value == pytest.approx(np.median(np.subtract.outer(u, v)))
    assert pair_.estimate.interval[0] < pair_.estimate.value < pair_.estimate.interval[1]
    assert {other.test for other in other_tests(found, 0)} >= {"t", "wilcoxon"}


@pytest.mark.parametrize("golden", load("unpaired", "wilcox.test", exact=True), ids=str)
def test_shift_and_interval_in_r(golden):
    u, v = pair(golden.case, "unpaired")
    config = AnalysisConfig(alternative=golden.alternative, confidence_level=golden.options["level"])
    found = shifts.location_shifts(batch_of(u, v), config)
    agree(golden, estimate=found.value[0])
    agree(golden, lower=found.interval[0, 0], upper=found.interval[0, 1])


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    st.booleans(),
)
def test_order_statistics_of_all_differences(u, v, sparse):
    u, v = np.sort(np.array(u, dtype=float) / 4), np.sort(np.array(v, dtype=float) / 4)
    ranks = list(range(1, u.size * v.size + 1))
    wanted = np.sort(np.subtract.outer(u, v).ravel())
    with pytest.MonkeyPatch.context() as patch:
        if sparse:
            patch.setattr(shifts, "_FORMED", 3)
        assert_allclose(shifts.difference_order_statistics(u, v, ranks), wanted, atol=1e-12)


def test_order_statistics_of_two_large_samples():
    rng = np.random.default_rng(2)
    u, v = np.sort(rng.normal(size=1500)), np.sort(rng.normal(size=1400))
    ranks = [1, 1000, u.size * v.size // 2, u.size * v.size]
    wanted = np.sort(np.subtract.outer(u, v).ravel())[np.array(ranks) - 1]
    assert_allclose(shifts.difference_order_statistics(u, v, ranks), wanted)


@pytest.mark.parametrize(("n_u", "n_v"), [(1, 1), (2, 3), (4, 3), (5, 5), (1, 6)])
def test_counts_of_u_by_enumeration(n_u, n_v):
    counted = np.zeros(n_u * n_v + 1)
    for chosen in itertools.combinations(range(n_u + n_v), n_u):
        counted[sum(chosen) - n_u * (n_u - 1) // 2] += 1
    assert_allclose(shifts.rank_sum_counts(n_u, n_v), counted)
    assert shifts.rank_sum_counts(25, 25).sum() == math.comb(50, 25)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_interval_inverts_the_exact_test(alternative):
    rng = np.random.default_rng(4)
    u, v = rng.normal(0.5, 1, 9), rng.normal(size=8)
    config = AnalysisConfig(alternative=alternative)
    low, high = shifts.location_shifts(batch_of(u, v), config).interval[0]
    for end, inwards in ((low, 1e-6), (high, -1e-6)):
        if np.isfinite(end):
            inside, outside = (
                TESTS["mann-whitney"].run(replace_delta(batch_of(u, v), end + step), config).p_value[0]
                for step in (inwards, -inwards)
            )
            assert outside <= 0.05 < inside


def replace_delta(batch, delta):
    return replace(batch, delta=delta)


@given(st.lists(st.integers(0, 1), min_size=2, max_size=30), st.data())
def test_two_values_are_hypergeometric(scores, data):
    scores = np.array(scores)
    k = data.draw(st.integers(1, scores.size - 1))
    assert_allclose(
        two_valued_tails(scores, k), whole_number_tails(scores, k, int(scores[:k].sum())), rtol=1e-9
    )
    law = stats.hypergeom(scores.size, int(scores.sum()), k)
    assert two_valued_tails(scores, k)[0] == pytest.approx(law.sf(scores[:k].sum() - 1), rel=1e-9)
    assert two_valued_tails(np.array([0, 1, 3]), 1) is None


def test_unpaired_zero_one_scores_are_fishers_test_one_sided():
    rng = np.random.default_rng(5)
    u, v = (rng.random(700) < 0.6).astype(float), (rng.random(500) < 0.5).astype(float)
    found = ns.analyse(apart(u, v), AnalysisConfig(test="permutation-unpaired", alternative="greater"))
    table = [[u.sum(), 700 - u.sum()], [v.sum(), 500 - v.sum()]]
    assert found.pairs.p_value[0] == pytest.approx(stats.fisher_exact(table, "greater").pvalue, rel=1e-9)
    assert found.pairs.p_kind[0] == "exact"


@pytest.mark.parametrize("key", INDEXES)
@pytest.mark.parametrize("scale", [0, 1])
def test_indexes_of_independent_samples_mirror(key, scale):
    rng = np.random.default_rng(6)
    u, v = np.round(rng.normal(0.4, 1, 12), scale), np.round(rng.normal(size=9), scale)
    method = effect_for(key, unpaired=True)
    there, back = (method.run(batch_of(*both), AnalysisConfig(), True) for both in ((u, v), (v, u)))
    turn = (lambda x: 1 - x) if method.swapping == "complement" else (lambda x: -x)
    assert_allclose(there.value, turn(back.value), atol=1e-12)
    assert_allclose(there.interval, turn(back.interval)[:, ::-1], atol=1e-9)
    shifted = method.run(batch_of(u + 40, v + 40), AnalysisConfig(), True)
    assert_allclose(shifted.value, there.value, atol=1e-9)
    assert method.design == "unpaired"
    assert method.label.endswith("(unpaired)")


@pytest.mark.parametrize("kind", ["accuracy", "f1"])
def test_counts_without_shared_units_compare_the_boards_scores(kind):
    rng = np.random.default_rng(7)
    n = 60
    first = rng.integers(1, 9, (n, 2)).astype(float)
    second = rng.integers(0, 5, (n, 2)).astype(float)
    third = rng.integers(0, 3, (n, 2)).astype(float)
    for cells in (first, second, third):
        cells[: n // 2, 1] = cells[n // 2 :, 0] = np.nan
    if kind == "accuracy":
        scores, weight = accuracy_matrix(first, first + second, NAMES[:2]), first + second
    else:
        scores, weight = f1_matrix(first, second, third, NAMES[:2]), first + (second + third) / 2
    found = ns.analyse(scores, WELCH)
    assert found.pairs.test[0] == "welch-t"
    ratios, errors = [], []
    for side in range(2):
        hits, whole = (cells[~np.isnan(cells[:, side]), side] for cells in (first, weight))
        ratio = hits.sum() / whole.sum()
        parts = (hits - ratio * whole) / whole.sum()
        ratios.append(ratio)
        errors.append(parts.size / (parts.size - 1) * np.sum(parts**2))
    t = (ratios[0] - ratios[1]) / math.sqrt(sum(errors))
    freedom = sum(errors) ** 2 / sum(error**2 / 29 for error in errors)
    assert found.pairs.difference[0] == pytest.approx(ratios[0] - ratios[1])
    assert found.pairs.statistic[0] == pytest.approx(t)
    assert found.pairs.p_value[0] == pytest.approx(2 * stats.t.sf(abs(t), freedom))
    margin = stats.t.ppf(0.975, freedom) * math.sqrt(sum(errors))
    wanted = [ratios[0] - ratios[1] - margin, ratios[0] - ratios[1] + margin]
    assert_allclose(found.pairs.interval[0], wanted)
    for test in ("mann-whitney", "permutation-unpaired", "bootstrap-unpaired"):
        other = ns.analyse(scores, AnalysisConfig(test=test, resamples=199))
        assert_allclose(other.pairs.interval[0], wanted)
        assert other.pairs.notes["unit-means"][0]
        assert not np.isnan(other.pairs.p_value[0])
    assert "unit-means" not in found.pairs.notes


def test_documents_without_shared_units_have_no_test_and_say_so():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(40, 3))
    values[:20, 0] = values[20:, 1] = np.nan
    labels = {"doc": tuple(f"d{i // 4}" for i in range(40))}
    scores = ns.ScoreMatrix(values=values, systems=NAMES, labels=labels)
    found = ns.analyse(scores, AnalysisConfig(block_column="doc"))
    assert math.isnan(found.pairs.p_value[0])
    assert not np.isnan(found.pairs.p_value[1:]).any()
    assert found.family_size == 2
    pair_ = found.pair("A", "B")
    assert pair_.test is None
    assert "none was used" in {note.code: note.text for note in pair_.notes}["blocks-need-shared-units"]
    assert "welch-t" in pair_.diagnosis.lists.inappropriate
    alone = ns.analyse(columns_of(scores, [0, 1]), AnalysisConfig(block_column="doc"))
    assert math.isnan(alone.pairs.p_value[0])
    with pytest.raises(ns.AnalysisError, match="takes every item as independent"):
        ns.analyse(scores, AnalysisConfig(block_column="doc", test="welch-t"))


def test_equivalence_of_independent_samples_is_two_welch_tests():
    rng = np.random.default_rng(9)
    u, v = rng.normal(0, 1, 80), rng.normal(0.05, 1.5, 90)
    for margin in (0.3, 0.8):
        config = replace(WELCH, equivalence_margin=margin, correction="none")
        found = ns.analyse(apart(u, v), config)
        above = stats.ttest_ind(u + margin, v, equal_var=False, alternative="greater").pvalue
        below = stats.ttest_ind(u - margin, v, equal_var=False, alternative="less").pvalue
        assert bool(found.pairs.equivalent[0]) == (max(above, below) <= 0.05)


@pytest.mark.parametrize("test", UNPAIRED)
def test_a_pair_does_not_depend_on_the_others(test):
    rng = np.random.default_rng(10)
    values = np.round(rng.normal(size=(60, 4)), 9)
    values[:20, 0] = values[45:, 3] = np.nan
    scores = ns.ScoreMatrix(values=values, systems=(*NAMES, "D"))
    config = AnalysisConfig(test=test, resamples=300)
    board = ns.analyse(scores, config).pairs
    for row, (a, b) in enumerate(itertools.combinations(range(4), 2)):
        alone = ns.analyse(columns_of(scores, [a, b]), config).pairs
        assert alone.p_value[0] == pytest.approx(board.p_value[row], rel=1e-12)
        assert_allclose(alone.interval[0], board.interval[row], rtol=1e-9)
