"""analyse as a whole: conventions of order and sign, decisions, missing scores, JSON."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.methods.significance import TESTS


def board(n_units=60, n_systems=5, seed=1, step=0.3, **fields):
    """Correlated systems, each `step` standard deviations below the one before."""
    rng = np.random.default_rng(seed)
    item = rng.normal(size=(n_units, 1))
    values = item + 0.5 * rng.normal(size=(n_units, n_systems)) - step * np.arange(n_systems)
    names = tuple(f"s{i}" for i in range(n_systems))
    units = tuple(f"u{i}" for i in range(n_units))
    return ns.ScoreMatrix(values=np.round(values, 4), systems=names, units=units, **fields)


def with_values(scores, values):
    return ns.ScoreMatrix(values=values, systems=scores.systems, units=scores.units)


def test_every_number_of_a_t_board_by_scipy():
    scores = board()
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="t", correction="bonferroni", alpha=0.01))
    pairs = analysis.pairs
    for row in range(len(pairs)):
        u, v = scores.values[:, pairs.left[row]], scores.values[:, pairs.right[row]]
        expected = stats.ttest_rel(u, v)
        np.testing.assert_allclose(pairs.statistic[row], expected.statistic, rtol=1e-10)
        np.testing.assert_allclose(pairs.p_value[row], expected.pvalue, rtol=1e-10)
        np.testing.assert_allclose(pairs.p_adjusted[row], min(1, 10 * expected.pvalue), rtol=1e-10)
        low, high = expected.confidence_interval(0.99)
        np.testing.assert_allclose(pairs.interval[row], [low, high], rtol=1e-10)
        np.testing.assert_allclose(pairs.difference[row], u.mean() - v.mean(), atol=1e-13)
        assert pairs.significant[row] == (10 * expected.pvalue <= 0.01)


def test_pairs_follow_the_file_and_never_the_ranks():
    scores = board(step=-0.3)  # the last column is the best
    pairs = ns.analyse(scores).pairs
    assert list(pairs.system_a[:4]) == ["s0"] * 4
    assert np.all(pairs.left < pairs.right)
    assert pairs.difference[3] < 0
    assert pairs.better[3] == "s4"
    assert pairs.verdict[3] == "worse"


def test_lower_is_better_changes_who_is_better_and_no_number():
    higher, lower = board(), board(lower_is_better=True)
    first, second = ns.analyse(higher), ns.analyse(lower)
    np.testing.assert_array_equal(first.pairs.difference, second.pairs.difference)
    np.testing.assert_array_equal(first.pairs.p_value, second.pairs.p_value)
    assert first.leaderboard.system == tuple(reversed(second.leaderboard.system))
    assert first.pairs.verdict[3] == "better"
    assert second.pairs.verdict[3] == "worse"
    assert second.pairs.better[3] == "s4"


@pytest.mark.parametrize(
    "test", [key for key in TESTS.keys if TESTS[key].design == "paired" and key != "mcnemar"]
)
def test_adding_a_system_changes_no_other_pair(test):
    scores = board(n_units=30, n_systems=4)
    config = ns.AnalysisConfig(test=test)
    more = ns.ScoreMatrix(
        values=np.column_stack([scores.values, np.linspace(0, 1 / 3, 30)]),
        systems=(*scores.systems, "new"),
        units=scores.units,
    )
    few, many = ns.analyse(scores, config), ns.analyse(more, config)
    for row in range(len(few.pairs)):
        other = many.pairs.find(few.pairs.left[row], few.pairs.right[row])
        assert few.pairs.p_value[row] == many.pairs.p_value[other]
        np.testing.assert_array_equal(few.pairs.interval[row], many.pairs.interval[other])


@pytest.mark.parametrize("test", ["recommended", "t", "wilcoxon", "sign", "permutation-mean"])
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_reordering_rows_changes_nothing_that_matters(test, seed):
    rng = np.random.default_rng(seed)
    scores = board(n_units=24, n_systems=3, seed=seed)
    order = rng.permutation(24)
    config = ns.AnalysisConfig(test=test)
    first, second = ns.analyse(scores, config).pairs, ns.analyse(scores.rows(order), config).pairs
    np.testing.assert_allclose(first.p_value, second.p_value, rtol=1e-9)
    assert list(first.test) == list(second.test)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "permutation-mean"])
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_swapping_columns_mirrors_the_pair(test, seed):
    scores = board(n_units=20, n_systems=2, seed=seed)
    swapped = ns.ScoreMatrix(values=scores.values[:, ::-1], systems=("s1", "s0"), units=scores.units)
    for alternative, mirrored in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        first = ns.analyse(scores, ns.AnalysisConfig(test=test, alternative=alternative)).pairs
        second = ns.analyse(swapped, ns.AnalysisConfig(test=test, alternative=mirrored)).pairs
        np.testing.assert_allclose(first.p_value, second.p_value, rtol=1e-9)
        np.testing.assert_allclose(first.difference, -second.difference, rtol=1e-12)
        assert first.better[0] == second.better[0]


def test_delta_enters_tests_and_not_intervals():
    scores = board(n_systems=2)
    plain = ns.analyse(scores, ns.AnalysisConfig(test="t"))
    shifted = ns.analyse(scores, ns.AnalysisConfig(test="t", delta=0.25))
    u, v = scores.values.T
    np.testing.assert_allclose(shifted.pairs.p_value, stats.ttest_1samp(u - v, 0.25).pvalue, rtol=1e-10)
    np.testing.assert_array_equal(plain.pairs.interval, shifted.pairs.interval)
    np.testing.assert_array_equal(
        plain.pairs.effects["cohen-d"].value, shifted.pairs.effects["cohen-d"].value
    )


def test_baseline_compares_everybody_with_it():
    analysis = ns.analyse(board(), ns.AnalysisConfig(baseline="s2", test="t"))
    assert list(analysis.pairs.system_a) == ["s0", "s1", "s3", "s4"]
    assert set(analysis.pairs.system_b) == {"s2"}
    assert analysis.family_size == 4
    assert analysis.leaderboard.rank_interval is None
    assert "baseline-only" in {note.code for note in analysis.notes}


def test_one_sided_interval_and_its_note():
    analysis = ns.analyse(board(n_systems=2), ns.AnalysisConfig(test="t", alternative="greater"))
    data = analysis.to_dict()
    assert np.isinf(analysis.pairs.interval[0, 1])
    assert data["pairs"][0]["interval"][1] is None
    assert "upper end" in next(note["text"] for note in data["notes"] if note["code"] == "one-sided")


def test_a_copy_is_never_different():
    scores = board(n_systems=3)
    values = np.column_stack([scores.values, scores.values[:, 0]])
    copied = ns.ScoreMatrix(values=values, systems=("s0", "s1", "s2", "copy"))
    for test in ("recommended", "t", "wilcoxon", "sign", "permutation-mean"):
        pairs = ns.analyse(copied, ns.AnalysisConfig(test=test)).pairs
        row = pairs.find(0, 3)
        assert pairs.p_value[row] == 1.0
        assert not pairs.significant[row]
        assert "identical-scores" in {code for code, mask in pairs.notes.items() if mask[row]}


def test_direction_against_the_mean_is_marked_and_not_separated():
    # 80 small losses and 20 big wins: the sign test favours b, the mean favours a.
    difference = np.concatenate([np.full(80, -0.01), np.full(20, 1.0)])
    scores = ns.ScoreMatrix(values=np.column_stack([difference, np.zeros(100)]), systems=("A", "B"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="sign"))
    pair = analysis.pair("A", "B")
    assert pair.difference > 0
    assert pair.significant
    assert pair.better == "B"
    assert pair.verdict == "undecided"
    note = next(note for note in pair.notes if note.code == "direction-contradicts-mean")
    assert note.severity == "problem"
    assert analysis.leaderboard.cluster.tolist() == [1, 1]
    assert analysis.leaderboard.rank_interval.tolist() == [[1, 2], [1, 2]]


def test_missing_policies():
    scores = board(n_units=40, n_systems=3)
    values = scores.values.copy()
    values[:5, 0] = np.nan
    values[3:9, 1] = np.nan
    holes = with_values(scores, values)
    pairwise = ns.analyse(holes, ns.AnalysisConfig(test="t")).pairs
    assert pairwise.n_units.tolist() == [31, 35, 34]
    shared = ~np.isnan(values[:, 0] + values[:, 2])
    np.testing.assert_allclose(
        pairwise.p_value[1], stats.ttest_rel(values[shared, 0], values[shared, 2]).pvalue, rtol=1e-10
    )
    np.testing.assert_allclose(pairwise.score_a[1], values[shared, 0].mean())
    complete = ns.analyse(holes, ns.AnalysisConfig(test="t", missing="complete"))
    assert complete.pairs.n_units.tolist() == [31, 31, 31]
    assert complete.units.n_units == 31
    with pytest.raises(ns.AnalysisError, match="'s0' has no score for item 'u0'"):
        ns.analyse(holes, ns.AnalysisConfig(missing="error"))


def test_pairs_without_shared_units_leave_the_family():
    values = np.full((20, 3), np.nan)
    rng = np.random.default_rng(0)
    values[:10, 0] = rng.normal(size=10)
    values[10:, 1] = rng.normal(size=10)
    values[:, 2] = rng.normal(size=20)
    scores = ns.ScoreMatrix(values=values, systems=("a", "b", "c"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="t"))
    assert np.isnan(analysis.pairs.p_value[0])
    assert analysis.family_size == 2
    data = analysis.to_dict()
    assert data["pairs"][0]["p_value"] is None
    assert data["pairs"][0]["p_adjusted"] is None
    assert "no-shared-units" in {note["code"] for note in data["pairs"][0]["notes"]}
    assert "undefined-pairs" in {note["code"] for note in data["notes"]}


def test_recommended_names_the_test_really_used():
    analysis = ns.analyse(board(), ns.AnalysisConfig(question="each-pair"))
    assert "recommended" not in set(analysis.pairs.test)
    assert set(analysis.pairs.test) <= set(TESTS.keys)
    assert "tests-chosen-from-data" in {note.code for note in analysis.notes}
    means = ns.analyse(board())
    assert set(means.pairs.test) == {"permutation-mean"}
    assert "one-question" in {note.code for note in means.notes}
    assert means.signature.startswith("test:recommended|question:mean|")
    assert means.to_dict()["config"]["question"] == "mean"


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(3, 40))
def test_the_default_never_contradicts_the_means_it_is_sorted_by(seed, n_systems, n_units):
    """Skewed scores on a coarse grid: who is better has the better mean, ranks lie in their intervals."""
    values = np.round(np.random.default_rng(seed).exponential(size=(n_units, n_systems)) ** 2, 1)
    found = ns.analyse(ns.ScoreMatrix(values=values, systems=[f"s{i}" for i in range(n_systems)]))
    pairs, board = found.pairs, found.leaderboard
    assert "direction-contradicts-mean" not in pairs.notes
    assert (np.sign(pairs.difference[pairs.significant]) == pairs.better_code[pairs.significant]).all()
    assert (board.rank_interval[:, 0] <= board.rank).all()
    assert (board.rank <= board.rank_interval[:, 1]).all()


def test_a_board_that_mixes_tests_says_so():
    rng = np.random.default_rng(5)
    item = rng.normal(size=(80, 1))
    values = np.column_stack([item + rng.normal(size=(80, 2)), item - rng.exponential(size=(80, 1)) ** 2])
    scores = ns.ScoreMatrix(values=values, systems=("a", "b", "c"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(question="each-pair"))
    assert len(set(analysis.pairs.test)) > 1
    assert "tests-mixed" in {note.code for note in analysis.notes}


TOP_LEVEL = {
    *("version", "signature", "fingerprint", "config", "systems", "units", "family_size", "notes"),
    *("leaderboard", "pairs", "omnibus"),
}
PAIR_KEYS = {
    *(
        "system_a",
        "system_b",
        "n_units",
        "n_a",
        "n_b",
        "score_a",
        "score_b",
        "difference",
        "interval",
        "test",
    ),
    *(
        "statistic",
        "p_value",
        "log10_p",
        "p_kind",
        "hypothesis",
        "p_adjusted",
        "significant",
        "better",
        "verdict",
    ),
    *("estimate", "effects", "diagnosis", "notes"),
}


def test_json_shape():
    data = ns.analyse(board()).to_dict()
    again = json.loads(json.dumps(data, allow_nan=False))
    assert again == data
    assert set(data) == TOP_LEVEL
    assert all(set(pair) == PAIR_KEYS for pair in data["pairs"])
    assert set(data["leaderboard"][0]) >= {
        *("system", "rank", "score", "interval", "rank_interval", "cluster", "letters")
    }
    assert set(data["pairs"][0]["effects"]) == {"cohen-d", "hedges-g", "wilcoxon-r"}
    assert len(data["pairs"][0]["effects"]["cohen-d"]["interval"]) == 2
    assert set(data["pairs"][0]["diagnosis"]) == {
        *("skewness", "normality_p", "central_tendency", "recommended", "non_preferred", "inappropriate")
    }
    assert data["omnibus"]["test"] == "friedman"
    assert data["fingerprint"].startswith("sha256")
    config = {key: value for key, value in data["config"].items() if key != "reading"}
    assert ns.AnalysisConfig.from_mapping(config) == ns.AnalysisConfig(block_column=None)  # as settled


def test_pair_agrees_with_the_table():
    analysis = ns.analyse(board())
    for row, listed in enumerate(analysis.to_dict()["pairs"]):
        pair = analysis.pair(analysis.pairs.system_b[row], analysis.pairs.system_a[row])
        whole = pair.to_dict()
        for key in PAIR_KEYS - {"estimate", "effects", "notes", "diagnosis"}:
            assert whole[key] == listed[key], key
        for key, value in listed["diagnosis"].items():
            near = key == "normality_p" and value is not None
            assert whole["diagnosis"][key] == (pytest.approx(value, rel=1e-9) if near else value)
        assert whole["estimate"] is not None
        for key, effect in listed["effects"].items():
            assert whole["effects"][key]["value"] == effect["value"]


def test_long_bootstrap_intervals_of_a_pair_wait_until_they_are_named():
    rng = np.random.default_rng(0)
    scores = ns.ScoreMatrix(values=rng.normal(size=(20_001, 2)), systems=("a", "b"))
    pair = ns.analyse(scores, ns.AnalysisConfig(test="t")).pair("a", "b")
    assert np.isnan(pair.effects["rank-biserial"].interval).all()
    assert "rank-biserial:interval-on-request" in {note.code for note in pair.notes}
    named = ns.AnalysisConfig(test="t", intervals=("rank-biserial",), resamples=200)
    pair = ns.analyse(scores, named).pair("a", "b")
    assert not np.isnan(pair.effects["rank-biserial"].interval).any()


def test_workers_change_no_digit():
    scores = board(n_units=50, n_systems=30)
    one, two = ns.analyse(scores), ns.analyse(scores, workers=3)
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())


def test_progress_and_cancel():
    seen = []
    scores = board(n_units=2_000, n_systems=70)
    ns.analyse(scores, ns.AnalysisConfig(test="t"), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (2415, 2415)
    assert len(seen) > 1
    with pytest.raises(ns.Cancelled):
        ns.analyse(scores, should_stop=lambda: True)


def test_compare_two_arrays():
    rng = np.random.default_rng(2)
    u, v = rng.normal(0.4, 1, 25), rng.normal(0, 1, 25)
    pair = ns.compare(u, v, test="t")
    expected = stats.ttest_rel(u, v)
    np.testing.assert_allclose(
        [pair.statistic, pair.p_value], [expected.statistic, expected.pvalue], rtol=1e-10
    )
    assert (pair.system_a, pair.system_b) == ("A", "B")
    assert set(pair.effects) >= {"cohen-d", "hedges-g", "wilcoxon-r", "hodges-lehmann"}


@pytest.mark.parametrize(
    "test", ["recommended", *(key for key in TESTS.keys if TESTS[key].design == "paired")]
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_compare_tiny_samples_never_fails(test, n):
    binary = test == "mcnemar"
    u = np.ones(n) if binary else np.arange(n) * 0.5 + 1
    v = np.zeros(n)
    pair = ns.compare(u, v, test=test)
    assert np.isnan(pair.p_value) or 0 < pair.p_value <= 1
    json.dumps(pair.to_dict(), allow_nan=False)
    if np.isnan(pair.p_value):
        assert pair.notes


def test_compare_refuses_what_it_cannot_use():
    with pytest.raises(ns.NlpstatError, match="equal length"):
        ns.compare([1, 2], [1, 2, 3])
    with pytest.raises(ns.ConfigError, match="setting"):
        ns.compare([1, 2], [2, 3], tset="t")
    with pytest.raises(ns.ScoreError, match="infinite"):
        ns.compare([1, np.inf], [2, 3])


@pytest.mark.parametrize("unit", [1e-200, 1e80])
@pytest.mark.parametrize("other", [None, 1.0, 1e60])
def test_scores_of_any_size_are_analysed_without_a_warning(unit, other):
    """Warnings are errors here; fourth powers of 1e80 and squares of 1e-200 are no float64."""
    values = np.random.default_rng(0).normal(size=(40, 3)) * unit
    if other is not None:
        values[::2] *= other / unit
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems=("a", "b", "c")))
    found = analysis.pair("a", "b").to_dict()
    assert found["p_value"] is not None
    if other is None:
        plain = ns.compare(values[:, 0] / unit, values[:, 1] / unit)
        assert found["p_value"] == pytest.approx(plain.p_value)


@pytest.mark.parametrize("n", [60, 170, 300])
def test_sign_flips_of_giants_and_dwarfs_give_no_warning(n):
    """Whole numbers beside multiples of 1e59, real ones beside 1e-200: no lattice, no endless contour."""
    rng = np.random.default_rng(n)
    for dwarfs in (np.round(rng.normal(size=n) * 3), rng.normal(size=n) * 1e-200):
        z = np.where(np.arange(n) < n // 2, np.round(rng.normal(size=n), 1) * 1e60, dwarfs)
        p_value = ns.sign_flip_p_value(z)
        giants = ns.sign_flip_p_value(z[: n // 2] / 1e60)
        assert p_value == pytest.approx(giants, rel=0.02)


def test_scores_whose_squares_overflow_are_refused():
    with pytest.raises(ns.AnalysisError, match="divide all of them"):
        ns.compare([1e150, 2e150, 4e150], [3e150, 1e150, 2e150])


def test_scores_below_the_grid_of_ten_decimals_are_told():
    rng = np.random.default_rng(0)
    tiny = ns.ScoreMatrix(values=rng.normal(size=(20, 2)) * 1e-9, systems=("a", "b"))
    assert "tiny-scores" in {note.code for note in ns.analyse(tiny).notes}


def test_no_p_is_zero_and_log_stays_exact():
    rng = np.random.default_rng(0)
    scores = ns.ScoreMatrix(
        values=np.column_stack([rng.normal(50, 1, 5000), rng.normal(0, 1, 5000)]), systems=("a", "b")
    )
    for test in ("t", "wilcoxon", "sign", "permutation-mean"):
        pair = ns.analyse(scores, ns.AnalysisConfig(test=test)).pair("a", "b")
        assert pair.p_value > 0
        assert pair.log10_p < -300
        assert np.isfinite(pair.log10_p)


def test_a_data_frame_is_read_as_a_file_is():
    frame = pd.DataFrame({"A": [1.5, 2.0, 4.0], "B": [2.0, 2.5, 3.0]})
    assert ns.analyse(frame).pair("A", "B").difference == ns.compare(frame["A"], frame["B"]).difference
    with pytest.raises(TypeError, match="not list; read_scores reads files"):
        ns.analyse([[1, 2], [3, 4]])
