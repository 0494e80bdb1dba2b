"""Counts per unit: exact tests against R and rational enumeration, micro-averaged scores, reading."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from core.oracles import ALTERNATIVES
from golden.golden import INPUTS, agree, columns, load, numbers
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.analysis.analyse import analyse_side
from nlpstat_core.readers import preview, reading_keywords
from nlpstat_core.scores.counts import Counts

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the shared data sets aren't here")
SYSTEMS = ["a", "b"]


def analysed(scores, test="recommended", **settings):
    return analyse_side(scores, ns.AnalysisConfig(test=test, **{"correction": "none", **settings}))


def codes(notes):
    return {note.code for note in notes}


def golden_counts(case, n_units):
    read = {name: numbers(cells)[:n_units] for name, cells in columns(INPUTS / "counts.csv").items()}
    if case == "f1":
        tp = np.stack([read["tp_a"], read["tp_b"]], axis=1)
        wrong = np.stack([read["wrong_a"], read["wrong_b"]], axis=1)
        return ns.f1_matrix(tp, wrong, np.zeros_like(wrong), SYSTEMS)
    total = read["total_a"], read["total_b" if case == "accuracy-2d" else "total_a"]
    correct = np.stack([read["correct_a"], read["correct_b"]], axis=1)
    return ns.accuracy_matrix(correct, np.stack(total, axis=1), SYSTEMS)


@pytest.mark.parametrize("golden", load("counts", "enumeration"), ids=str)
def test_the_enumeration_of_r(golden):
    scores = golden_counts(golden.case, int(golden.options["units"]))
    pair = analysed(scores, alternative=golden.alternative).pair("a", "b")
    agree(golden, statistic=pair.statistic, p_value=pair.p_value)
    assert pair.test == ("f1-exact" if golden.case == "f1" else "accuracy-exact")
    assert pair.p_kind == "exact"
    assert pair.difference == pair.statistic == pair.estimate.value
    assert pair.hypothesis == pair.estimate.of == scores.counts.kind


def exact_score(hits, misses, miss_weight):
    whole = Fraction(int(sum(hits))) + miss_weight * int(sum(misses))
    return Fraction(int(sum(hits))) / whole if whole else Fraction(0)


def rational_p(counts, alternative):
    """Every way to swap units, all scores as fractions."""
    weight = Fraction(1) if counts.kind == "accuracy" else Fraction(1, 2)
    hits, misses = counts.hits[:, :2], counts.misses[:, :2]
    rows = np.arange(len(hits))
    null = []
    for swaps in itertools.product((0, 1), repeat=len(hits)):
        a = np.array(swaps)
        one = exact_score(hits[rows, a], misses[rows, a], weight)
        null.append(one - exact_score(hits[rows, 1 - a], misses[rows, 1 - a], weight))
    observed = null[0]
    if alternative == "two-sided":
        reached = sum(abs(value) >= abs(observed) for value in null)
    elif alternative == "greater":
        reached = sum(value >= observed for value in null)
    else:
        reached = sum(value <= observed for value in null)
    return Fraction(reached, len(null)), observed


@st.composite
def small_counts(draw):
    """F1 counts, or accuracy counts with the same or other totals; zeros are common."""
    n = draw(st.integers(1, 7))
    cells = st.lists(st.integers(0, 3), min_size=2 * n, max_size=2 * n)
    one, two, three = (np.array(draw(cells)).reshape(n, 2) for _ in range(3))
    kind = draw(st.sampled_from(["f1", "accuracy", "same-totals"]))
    if kind == "f1":
        return ns.f1_matrix(one, two, three, SYSTEMS)
    total = one + two if kind == "accuracy" else np.maximum(one.max(axis=1, keepdims=True), two[:, :1])
    return ns.accuracy_matrix(one, total, SYSTEMS)


@given(scores=small_counts(), alternative=st.sampled_from(ALTERNATIVES))
def test_rational_enumeration(scores, alternative):
    pairs = analysed(scores, alternative=alternative).pairs
    p_value, observed = rational_p(scores.counts, alternative)
    assert pairs.p_value[0] == pytest.approx(float(p_value), rel=1e-9)
    assert pairs.difference[0] == pytest.approx(float(observed), abs=1e-15)
    assert pairs.score_a[0] - pairs.score_b[0] == pairs.difference[0]


@given(scores=small_counts())
def test_exchanging_the_systems_turns_everything_round(scores):
    counts = scores.counts
    swapped = Counts(kind=counts.kind, hits=counts.hits[:, ::-1], misses=counts.misses[:, ::-1])
    swapped = ns.ScoreMatrix(values=swapped.unit_scores(), systems=SYSTEMS, counts=swapped)
    for alternative, other in (("two-sided", "two-sided"), ("greater", "less")):
        there = analysed(scores, alternative=alternative).pairs
        back = analysed(swapped, alternative=other).pairs
        assert there.p_value[0] == pytest.approx(back.p_value[0], rel=1e-9)
        assert there.difference[0] == -back.difference[0]
        np.testing.assert_allclose(there.interval, -back.interval[:, ::-1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("make", ["accuracy", "f1"])
def test_copies_and_nothing_but_zeros(make):
    rng = np.random.default_rng(0)
    hits = np.repeat(rng.integers(0, 4, (9, 1)), 2, axis=1)
    for table in (hits, np.zeros_like(hits)):
        if make == "f1":
            scores = ns.f1_matrix(table, np.zeros_like(table), np.zeros_like(table), SYSTEMS)
        else:
            scores = ns.accuracy_matrix(table, table, SYSTEMS)
        pair = analysed(scores).pair("a", "b")
        assert pair.p_value == 1.0
        assert pair.difference == 0.0
        assert pair.interval == (0.0, 0.0)
        assert pair.score_a == float(table.any())
        assert not pair.significant


def test_one_item_per_unit_is_mcnemar():
    right = np.random.default_rng(3).random((60, 4)) < [0.4, 0.5, 0.6, 0.7]
    counted = analysed(ns.accuracy_matrix(right, np.ones((60, 1)), "abcd"))
    plain = analysed(ns.ScoreMatrix(values=right, systems="abcd"), "mcnemar")
    assert set(counted.pairs.test) == {"accuracy-exact"}
    np.testing.assert_allclose(counted.pairs.p_value, plain.pairs.p_value, rtol=1e-12)
    np.testing.assert_allclose(counted.pairs.interval, plain.pairs.interval, rtol=1e-9)
    np.testing.assert_allclose(counted.leaderboard.interval, plain.leaderboard.interval, rtol=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_totals_are_the_sign_flip_test_of_correct_items(alternative):
    correct = np.random.default_rng(1).integers(0, 6, (80, 5))
    pairs = analysed(ns.accuracy_matrix(correct, np.full((80, 1), 5), "abcde"), alternative=alternative).pairs
    for row, (i, j) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        expected = ns.sign_flip_p_value(correct[:, i] - correct[:, j], alternative)
        assert pairs.p_value[row] == pytest.approx(expected, rel=1e-9)
        assert ns.exact_accuracy_p_value(correct[:, i], correct[:, j], alternative) == pytest.approx(expected)


def test_linearised_interval_by_the_jackknife():
    """The interval of a ratio: t with the linearised standard error, close to the jackknife's."""
    rng = np.random.default_rng(4)
    total = rng.integers(1, 12, (400, 2))
    correct = rng.binomial(total, [0.6, 0.7])
    pairs = analysed(ns.accuracy_matrix(correct, total, SYSTEMS)).pairs
    ratio = correct.sum(axis=0) / total.sum(axis=0)
    parts = (correct - ratio * total) / total.sum(axis=0) @ [1, -1]
    error = np.sqrt(400 / 399 * np.sum(parts**2))
    margin = stats.t.ppf(0.975, 399) * error
    assert pairs.interval[0] == pytest.approx([pairs.difference[0] - margin, pairs.difference[0] + margin])
    without = (correct.sum(axis=0) - correct) / (total.sum(axis=0) - total) @ [1, -1]
    jackknife = np.sqrt(399 / 400 * np.sum((without - without.mean()) ** 2))
    assert error == pytest.approx(jackknife, rel=0.01)


def test_coverage_of_the_linearised_intervals():
    """F1 of a pair and of a system, 600 samples of 80 sentences: about 95 in 100 intervals hold the truth."""
    rng = np.random.default_rng(8)
    n, n_samples = 80, 600
    gold = rng.poisson(3.0, (n_samples, n, 1))
    tp = rng.binomial(gold, [0.8, 0.7])
    wrong = gold - tp + rng.poisson([0.5, 0.9], (n_samples, n, 2))
    truth = np.array([2.4 / (2.4 + (0.6 + 0.5) / 2), 2.1 / (2.1 + (0.9 + 0.9) / 2)])
    held = np.zeros(2)
    for hits, misses in zip(tp, wrong, strict=True):
        found = analysed(ns.f1_matrix(hits, misses, np.zeros_like(misses), SYSTEMS), "t", effects=())
        low, high = found.pairs.interval[0]
        held[0] += low <= truth[0] - truth[1] <= high
        place = int(np.flatnonzero(found.leaderboard.column == 0)[0])
        low, high = found.leaderboard.interval[place]
        held[1] += low <= truth[0] <= high
    assert held / n_samples == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / n_samples))


def test_missing_units_leave_counts_out():
    correct = np.array([[3.0, 2.0, 1.0], [np.nan, 1.0, 2.0], [4.0, 1.0, 0.0], [2.0, 2.0, np.nan]])
    total = np.array([[4], [2], [5], [3]])
    scores = ns.accuracy_matrix(correct, total, "abc")
    pairs = analysed(scores).pairs
    assert pairs.n_units.tolist() == [3, 2, 3]
    assert pairs.score_a.tolist() == pytest.approx([9 / 12, 7 / 9, 4 / 11])
    assert pairs.score_b.tolist() == pytest.approx([5 / 12, 1 / 9, 3 / 11])
    board = analysed(scores).leaderboard
    expected = {"a": 9 / 12, "b": 6 / 14, "c": 3 / 11}
    assert dict(zip(board.system, board.own_score, strict=True)) == pytest.approx(expected)
    assert board.system == ("a", "b", "c")  # ordered by the fit: b and c met other units
    complete = analysed(scores, missing="complete")
    assert complete.pairs.n_units.tolist() == [2, 2, 2]


def test_counts_are_part_of_the_fingerprint():
    one = ns.accuracy_matrix([[1, 2], [3, 4]], [[4], [4]], SYSTEMS)
    other = ns.accuracy_matrix([[2, 4], [3, 4]], [[8], [4]], SYSTEMS)
    plain = ns.ScoreMatrix(values=one.values, systems=SYSTEMS, metric="accuracy")
    assert np.array_equal(one.values, other.values)
    assert len({one.fingerprint, other.fingerprint, plain.fingerprint}) == 3
    again = ns.accuracy_matrix([[1, 2], [3, 4]], [[4], [4]], SYSTEMS)
    assert again.fingerprint == one.fingerprint


def test_permuted_rows_change_no_digit():
    rng = np.random.default_rng(5)
    units = {"units": [f"u{i:02d}" for i in range(40)]}
    scores = ns.f1_matrix(*rng.integers(0, 5, (3, 40, 3)), "abc", **units)
    order = rng.permutation(40)
    one, other = analysed(scores).pairs, analysed(scores.rows(order)).pairs
    for name in ("p_value", "difference", "interval"):
        assert np.array_equal(one[name], other[name])


def test_joined_units_add_their_counts_up():
    scores = ns.accuracy_matrix([[1, 2], [3, 0], [2, 2], [0, 1]], [[4], [4], [2], [1]], SYSTEMS)
    units = analysed(scores, unit_size=2).units
    assert units.counts.hits.tolist() == [[4, 2], [2, 3]]
    assert units.values.tolist() == [[0.5, 0.25], [2 / 3, 1.0]]
    with pytest.raises(ns.AnalysisError, match="unit_metric=mean"):
        analysed(scores, unit_size=2, unit_metric="median")


def test_tests_of_the_units_own_scores_say_so():
    rng = np.random.default_rng(6)
    total = rng.integers(1, 30, (50, 2))
    scores = ns.accuracy_matrix(rng.binomial(total, 0.5), total, SYSTEMS)
    analysis = analysed(scores, "t")
    plain = analysed(ns.ScoreMatrix(values=scores.values, systems=SYSTEMS), "t")
    assert analysis.pairs.p_value[0] == plain.pairs.p_value[0]
    assert analysis.pairs.difference[0] != plain.pairs.difference[0]
    assert analysis.pairs.interval[0] == pytest.approx(analysed(scores).pairs.interval[0])
    assert "unit-means" in codes(analysis.notes) & codes(analysis.pair("a", "b").notes)
    assert "unit-means" not in codes(analysed(scores).pair("a", "b").notes)
    same = ns.accuracy_matrix(rng.integers(0, 6, (50, 2)), np.full((50, 1), 5), SYSTEMS)
    assert "unit-means" not in codes(analysed(same, "t").notes)
    bootstrap = analysed(scores, "bootstrap-mean", resamples=200).pairs
    assert np.array_equal(bootstrap.interval, analysis.pairs.interval)


def test_advice_for_counts():
    scores = ns.f1_matrix([[1, 2], [3, 1]], [[0, 1], [1, 1]], [[0, 1], [1, 0]], SYSTEMS)
    found = analysed(scores).pair("a", "b").diagnosis
    assert found.lists.recommended == ("f1-exact",)
    assert "t" in found.lists.inappropriate
    items = ns.accuracy_matrix([[1, 2], [3, 1]], [[3], [3]], SYSTEMS)
    assert analysed(items).pair("a", "b").diagnosis.lists.recommended == ("accuracy-exact",)


def test_clear_errors():
    plain = ns.ScoreMatrix(values=[[1, 2], [3, 4]], systems=SYSTEMS)
    for test, need in (("accuracy-exact", "correct and total"), ("f1-exact", "tp, fp and fn")):
        with pytest.raises(ns.AnalysisError, match=f"needs counts per item .{need}"):
            analysed(plain, test)
    items = ns.accuracy_matrix([[1, 2], [3, 1]], [[3], [3]], SYSTEMS)
    with pytest.raises(ns.AnalysisError, match="Exact test of F1 needs counts"):
        analysed(items, "f1-exact")
    for test in ("recommended", "accuracy-exact"):
        with pytest.raises(ns.AnalysisError, match="compare with a difference of 0"):
            analysed(items, test, delta=0.1)
    assert np.isfinite(analysed(items, "t", delta=0.1).pairs.p_value[0])
    documents = ns.accuracy_matrix([[1, 2], [3, 1]], [[3], [3]], SYSTEMS, labels={"doc": ("x", "y")})
    with pytest.raises(ns.AnalysisError, match="max-t resamples the items' own scores"):
        analysed(documents, "block-t", correction="max-t", block_column="doc")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ns.accuracy_matrix([[5, 1], [1, 1]], [[4], [4]], SYSTEMS), "Row 1, system 1.*more correct"),
        (
            lambda: ns.accuracy_matrix([[1, 1], [1, -1]], [[4], [4]], SYSTEMS),
            "Row 2, system 2.*whole numbers",
        ),
        (lambda: ns.accuracy_matrix([[1.5, 1], [1, 1]], [[4], [4]], SYSTEMS), "whole numbers"),
        (
            lambda: ns.accuracy_matrix([[1, 1]], [[4, np.nan]], SYSTEMS),
            "Row 1, system 2: one count is missing",
        ),
        (lambda: ns.accuracy_matrix([1, 1], [4, 4], SYSTEMS), "two dimensions"),
        (lambda: ns.f1_matrix([[1, 1]], [[1, 1]], [[1]], SYSTEMS), "differ in shape"),
        (lambda: ns.f1_matrix([[1, 1]], [[2, 2]], [[-1, 1]], SYSTEMS), "whole numbers"),
        (lambda: Counts(kind="bleu", hits=np.ones((2, 2)), misses=np.ones((2, 2))), "kind of counts"),
        (lambda: Counts(kind="f1", hits=np.ones((2, 2)), misses=np.ones((2, 3))), "same shape"),
    ],
)
def test_counts_that_are_none(make, message):
    with pytest.raises(ns.ScoreError, match=message):
        make()


def test_scores_that_are_not_those_of_the_counts():
    counts = ns.accuracy_matrix([[1, 2], [3, 1]], [[4], [4]], SYSTEMS).counts
    with pytest.raises(ns.ScoreError, match="not those of the counts"):
        ns.ScoreMatrix(values=np.zeros((2, 2)), systems=SYSTEMS, counts=counts)


@needs_data
def test_entities_of_conll_2003():
    """Published micro F1 92.22 and 93.03; p by two-dimensional Fourier inversion on another program."""
    analysis = ns.analyse(ns.read_scores(DATA / "ner_conll03_tp_fp_fn.csv"))
    pair = analysis.pair("elmo_lstmcrf", "flair_lstmcrf")
    assert pair.p_value == pytest.approx(5.1583002e-4, rel=1e-6)
    assert [round(100 * score, 2) for score in (pair.score_a, pair.score_b)] == [92.22, 93.03]
    assert pair.better == "flair_lstmcrf"
    assert analysis.scores.n_units == 3453


@needs_data
def test_terminal_bench():
    """Published accuracies; all 300 pairs, each the sign-flip test of its correct runs."""
    path = DATA / "terminalbench1_0_counts.csv"
    scores = ns.read_scores(path)
    analysis = ns.analyse(scores)
    assert len(analysis.pairs) == 300
    assert set(analysis.pairs.test) == {"accuracy-exact"}
    assert set(analysis.pairs.p_kind) == {"exact"}
    assert 100 * analysis.leaderboard.score[0] == pytest.approx(64.25)
    assert 100 * analysis.leaderboard.score[-1] == pytest.approx(12.75)
    correct = ns.read_scores(path, metric="correct")
    assert correct.counts is None
    as_scores = analysed(correct, "permutation-mean").pairs
    np.testing.assert_allclose(as_scores.p_value, analysis.pairs.p_value, rtol=1e-9)


LONG = "system,item,doc,correct,total\nA,1,x,1,2\nA,2,y,3,3\nB,1,x,2,2\nB,2,y,0,3\n"
WIDE = "item,doc,A_correct,A_total,B_correct,B_total\n1,x,1,2,2,2\n2,y,3,3,0,3\n"
SHARED = "item,doc,total,A correct,B correct\n1,x,2,1,2\n2,y,3,3,0\n"


@pytest.mark.parametrize("text", [LONG, WIDE, SHARED], ids=["long", "wide", "shared-total"])
def test_reading_counts(text):
    scores = ns.read_scores((text.encode(), "counts.csv"))
    assert scores.systems == ("A", "B")
    assert scores.units == ("1", "2")
    assert scores.labels == {"doc": ("x", "y")}
    assert scores.counts.hits.tolist() == [[1, 2], [3, 0]]
    assert scores.counts.misses.tolist() == [[1, 0], [0, 3]]
    assert scores.metric == "accuracy"
    assert scores.reading["format"] == "counts"
    again = ns.read_scores((text.encode(), "counts.csv"), **reading_keywords(scores.reading))
    assert again.fingerprint == scores.fingerprint
    assert (again.reading["metric"], again.notes) == (scores.reading["metric"], scores.notes)
    guess = preview((text.encode(), "counts.csv")).guess
    assert guess is not None
    assert set(guess.roles.values()) >= {"unit", "block", "count"}
    plain = ns.read_scores((text.encode(), "counts.csv"), metric="correct")
    assert plain.counts is None
    assert plain.values.tolist() == [[1, 2], [3, 0]]


def test_reading_f1_counts():
    long = b"system,item,tp,fp,fn\nA,1,1,2,0\nA,2,3,0,0\nB,1,2,0,1\nB,2,0,0,0\n"
    wide = b"item,A_tp,A_fp,A_fn,B.TP,B.FP,B.FN\n1,1,2,0,2,0,1\n2,3,0,0,0,0,0\n"
    for text in (long, wide):
        scores = ns.read_scores((text, "counts.csv"))
        assert scores.counts.kind == scores.metric == "f1"
        assert scores.counts.hits.tolist() == [[1, 2], [3, 0]]
        assert scores.counts.misses.tolist() == [[2, 1], [0, 0]]


def test_reading_runs_and_files_and_gaps():
    runs = b"system,item,run,correct,total\nA,1,a,1,2\nA,1,b,2,2\nA,2,a,1,2\nB,1,a,1,2\nB,2,a,,\nB,2,b,1,3\n"
    scores = ns.read_scores((runs, "runs.csv"))
    assert scores.counts.hits.tolist() == [[3, 1], [1, 1]]
    assert scores.counts.misses.tolist() == [[1, 1], [1, 2]]
    assert "summed-runs" in codes(scores.notes)
    files = [
        (b"item,correct,total\n1,1,2\n2,0,3\n", "a.csv"),
        (b"item,correct,total\n2,1,3\n3,2,2\n", "b.csv"),
    ]
    scores = ns.read_scores(files)
    assert scores.systems == ("a", "b")
    np.testing.assert_array_equal(scores.counts.hits, [[1, np.nan], [0, 1], [np.nan, 2]])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("A,1,3,2", r"line 2, column 'correct': 3 correct items of 2"),
        ("A,1,1,", r"line 2, column 'total': the count is missing"),
        ("A,1,-1,2", r"line 2, column 'correct': -1 is not a count"),
        ("A,1,0.5,2", r"line 2, column 'correct': 0.5 is not a count"),
        ("A,1,1,1e308", r"line 2, column 'total': .* is not a count; give whole numbers from 0 to 10¹²"),
        ("A,1,1,1e13", r"line 2, column 'total': 1e\+13 is not a count"),
        ("A,1,x,2", r"line 2, column 'correct': 'x' isn't a number"),
        ("A,2,1,2", r"system 'A' has item '2' on line 2 already"),
    ],
)
def test_counts_that_are_refused(rows, message):
    text = f"system,item,correct,total\n{rows}\nA,2,1,2\nB,1,1,2\nB,2,1,2\n"
    with pytest.raises(ns.ScoreFileError, match=message):
        ns.read_scores((text.encode(), "counts.csv"))


def test_a_column_of_scores_goes_before_counts():
    text = b"system,item,correct,total,score\nA,1,1,2,7\nA,2,1,2,8\nB,1,1,2,9\nB,2,1,2,6\n"
    scores = ns.read_scores((text, "scores.csv"))
    assert scores.counts is None
    assert scores.values.tolist() == [[7, 9], [8, 6]]
    with pytest.raises(ns.ScoreFileError, match="there is no metric 'f1'"):
        ns.read_scores((LONG.encode(), "counts.csv"), metric="f1", format="counts")
