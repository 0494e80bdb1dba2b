"""Claims that rest on a few units: the rule of 25 times the squared skewness, and where it is told."""

import csv
import io
import re

import numpy as np
import pytest
from core.boards import plain_board
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.catalogue import TESTS
from nlpstat_core.methods.diagnosis.few_units import NOTE, rests_on_few, wanted
from nlpstat_core.quantities import MEAN
from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex
from nlpstat_core.report.exports.figures.matrix import matrix_svg
from nlpstat_core.report.wording import headline, verdict_sentence
from nlpstat_core.report.wording.few_units import MARK, marked_systems, second_line
from nlpstat_core.scores.runs import Runs

OF_MEANS = [test.key for test in TESTS if test.quantity == MEAN]


def outlier_board(n=993, **config):
    """A and B differ on all units alike, and C lost far more on one: skewness −26 and beyond."""
    rng = np.random.default_rng(5)
    base = rng.normal(size=n).round(3)
    a = base + rng.normal(0.3, 0.5, n).round(3)
    c = base + 0.3 + rng.normal(0, 0.14, n).round(3)
    c[17] -= 12
    scores = ns.ScoreMatrix(
        values=np.stack([a, base, c], axis=1),
        systems=("A", "B", "C"),
        labels={"document": tuple(f"d{i % 331}" for i in range(n))},
    )
    settings = {"block_column": None, "effects": (), "resamples": 999, **config}
    return ns.analyse(scores, ns.AnalysisConfig(**settings))


def test_one_unit_of_993_is_told_of():
    board = outlier_board()
    row = board.pairs.find(1, 2)
    assert 24 < board.pairs.diagnosis.skewness[row] < 28
    assert board.pairs.rests_on_few.tolist() == [False, False, True]
    assert board.pairs.verdict[row] == "worse"
    assert second_line(board) == f"1 of the 2 decided pairs rests on a few items ({MARK})."
    (note,) = (note for note in board.notes if note.code == NOTE)
    assert note.severity == "caution"
    assert "In 2 of 3 pairs" in note.text  # A and C are not decided
    assert f"decided and marked {MARK}: B and C." in note.text
    (own,) = (note for note in board.pair("B", "C").notes if note.code == NOTE)
    assert "993 items" in own.text
    needed = int(re.search(r"square, ([\d,]+)\)", own.text)[1].replace(",", ""))
    assert needed == np.ceil(25 * board.pairs.diagnosis.skewness[row] ** 2)


@pytest.mark.parametrize("test", OF_MEANS)
def test_every_test_of_a_mean_is_told_of(test):
    design = TESTS[test].design
    config = {"test": test, "block_column": "document" if design == "blocks" else None}
    if design == "runs":
        rng = np.random.default_rng(1)
        tables = [rng.normal(size=(300, 3)) + 5 * (s == 0) for s in range(2)]
        tables[0][7] += 60
        names = tuple(tuple(map(str, range(3))) for _ in tables)
        runs = Runs(values=tuple(tables), names=names)
        found = ns.analyse(ns.ScoreMatrix(values=runs.means, systems=("A", "B"), runs=runs))
        assert found.pairs.rests_on_few.all()
    else:
        found = outlier_board(**config)
        skewness = found.pairs.mean_skewness[found.pairs.find(1, 2)]
        if design == "unpaired":  # the spread of the scores hides the one
            assert 0 < skewness < 0.2
        else:
            assert skewness > 0.2
            noun = "documents" if design == "blocks" else "items"
            assert second_line(found).endswith(f"a few {noun} ({MARK}).")
            assert (331 if design == "blocks" else 993) == int(
                re.search(r"few of the (\d+)", found.pair("B", "C").notes[-1].text)[1]
            )


@pytest.mark.parametrize(
    "test", sorted(set(TESTS.keys) - set(OF_MEANS) - {"accuracy-exact", "f1-exact", "mcnemar", "swap"})
)
def test_other_questions_are_not_about_the_mean(test):
    found = outlier_board(test=test)
    assert np.isnan(found.pairs.mean_skewness).all()
    assert NOTE not in found.pairs.notes
    assert second_line(found) == ""


def test_constant_differences_have_no_skewness():
    base = np.linspace(0, 1, 50)
    found = ns.analyse(ns.ScoreMatrix(values=np.stack([base + 0.1, base], axis=1), systems=("A", "B")))
    assert found.pairs.verdict[0] == "better"
    assert np.isnan(found.pairs.mean_skewness[0])
    assert second_line(found) == ""


def test_right_and_wrong_answers_are_exact_under_random_signs_only():
    values = np.zeros((1000, 2))
    values[:8, 0] = 1
    scores = ns.ScoreMatrix(values=values, systems=("A", "B"))
    for test, told in (("recommended", False), ("permutation-mean", False), ("t", True), ("welch-t", True)):
        found = ns.analyse(scores, ns.AnalysisConfig(test=test))
        assert found.pairs.rests_on_few[0] == told
        assert (NOTE in found.pairs.notes) == told
    shifted = ns.analyse(scores, ns.AnalysisConfig(test="permutation-mean", delta=-0.001))
    assert NOTE in shifted.pairs.notes  # differences of −1, 0 and 1 are symmetric about 0 only


def test_exact_for_shares_is_what_it_says():
    """With 4 discordant units the sign-flip p is that of a fair coin; t believes four are many."""
    z = np.zeros(500)
    z[:6] = 1
    flipped = ns.compare(z, np.zeros(500), test="permutation-mean").p_value
    assert flipped == pytest.approx(2 * 0.5**6)
    assert ns.compare(z, np.zeros(500), test="t").p_value < flipped / 1.5


def by_definition(parts):
    """Skewness of a sum of independent parts, in loops."""
    squares = cubes = 0.0
    for part in parts:
        squares += part**2
        cubes += part**3
    return cubes / squares**1.5 if squares > 1e-20 else np.nan


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(4, 60),
    test=st.sampled_from(("t", "block-t", "welch-t")),
    ragged=st.booleans(),
)
def test_the_definition_in_loops(seed, n, test, ragged):
    rng = np.random.default_rng(seed)
    values = rng.lognormal(size=(n, 3)).round(2)
    if ragged:
        values[rng.random((n, 3)) < 0.2] = np.nan
        values[:2] = rng.normal(size=(2, 3)).round(2)
    documents = [f"d{k}" for k in rng.integers(0, max(2, n // 3), n)]
    scores = ns.ScoreMatrix(values=values, systems=("A", "B", "C"), labels={"document": tuple(documents)})
    column = "document" if test == "block-t" else None
    pairs = ns.analyse(scores, ns.AnalysisConfig(test=test, block_column=column, effects=())).pairs
    for row, (i, j) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        both = ~np.isnan(values[:, i]) & ~np.isnan(values[:, j])
        if test == "welch-t":
            sides = [values[~np.isnan(values[:, s]), s] for s in (i, j)]
            u, v = ((side - side.mean()) / side.size for side in sides)
            parts = [*u, *-v]
        else:
            z = (values[:, i] - values[:, j])[both]
            z = z - z.mean()
            names = np.array(documents)[both]
            parts = z if column is None else [z[names == name].sum() for name in sorted(set(names))]
            if test == "t":
                n_shared = int(both.sum())
                assert pairs.mean_skewness[row] * np.sqrt(n_shared) == pytest.approx(stats.skew(z), abs=1e-9)
        assert pairs.mean_skewness[row] == pytest.approx(by_definition(parts), abs=1e-9, nan_ok=True)
    rule = {"t": pairs.n_units < wanted(pairs.mean_skewness, pairs.n_units)}.get(test)
    if rule is not None:
        np.testing.assert_array_equal(rule, rests_on_few(pairs.mean_skewness))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), counts=st.booleans())
def test_it_turns_with_the_pair_and_ignores_scale(seed, counts):
    rng = np.random.default_rng(seed)
    u, v = rng.lognormal(size=(2, 30)).round(3)

    def one(a, b, test):
        scores = ns.ScoreMatrix(values=np.stack([a, b], axis=1), systems=("A", "B"))
        return ns.analyse(scores, ns.AnalysisConfig(test=test, effects=())).pairs.mean_skewness[0]

    for test in ("t", "welch-t"):
        found = one(u, v, test)
        assert one(v, u, test) == pytest.approx(-found)
        assert one(u * 1024, v * 1024, test) == pytest.approx(found)
        assert one(u + 3, v + 3, test) == pytest.approx(found, abs=1e-7)
    assert one(u + v, v, "t") == pytest.approx(stats.skew(u) / np.sqrt(30))


def test_the_figures_of_the_note():
    """Lognormal (σ = 1.5) differences of mean 0: t, and so the permutation test, at a level of 5 %."""
    rng = np.random.default_rng(28)
    for n, told in ((100, 0.16), (1000, 0.08)):
        z = rng.lognormal(0, 1.5, size=(3000, n)) - np.exp(1.125)
        assert np.mean(stats.ttest_1samp(z, 0, axis=1).pvalue <= 0.05) == pytest.approx(told, abs=0.015)
        g1 = stats.skew(z, axis=1)
        assert np.mean(n < 25 * g1**2) > 0.75  # most of these boards are told
    text = next(note.text for note in outlier_board().notes if note.code == NOTE)
    assert "16 % false findings with 100 items, 8 % with 1,000" in text


def test_trusted_tests_keep_their_level():
    """Exponential differences (skewness 2): what the rule lets through errs in about 5 %."""
    z = np.random.default_rng(3).exponential(size=(6000, 300)) - 1
    fits = 25 * stats.skew(z, axis=1) ** 2 <= 300
    assert fits.mean() > 0.9
    assert 0.04 < np.mean(stats.ttest_1samp(z[fits], 0, axis=1).pvalue <= 0.05) < 0.065


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(5, 80), k=st.integers(2, 6))
def test_counts_in_words_are_those_of_the_table(seed, n, k):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 1)) + rng.exponential(0.5, size=(n, k)) ** 2 + np.linspace(0, 2, k)
    board = ns.analyse(
        ns.ScoreMatrix(values=values.round(3), systems=tuple("ABCDEF"[:k])), ns.AnalysisConfig(effects=())
    )
    pairs = board.pairs
    few = pairs.rests_on_few
    decided = pairs.verdict_code != 0
    assert not (few & ~decided).any()
    np.testing.assert_array_equal(few, decided & pairs.notes.get(NOTE, np.zeros(len(pairs), dtype=bool)))
    assert marked_systems(board).sum() == 2 * few.sum()
    line = second_line(board)
    assert bool(line) == bool(few.any())
    if few.any() and k > 2:
        numbers = [int(number) for number in re.findall(r"\d+", line)]
        expected = [few.sum(), decided.sum()] if few.sum() < decided.sum() else [decided.sum()]
        assert numbers == ([] if few.sum() == decided.sum() <= 2 else expected)
    for row in range(len(pairs)):
        assert (MARK in verdict_sentence(pairs, row, board.config)) == few[row]


def test_every_report_tells_and_marks_them():
    board = outlier_board()
    html, md, tex = report_html(board), report_md(board), report_tex(board)
    line = second_line(board)
    assert line in html
    assert line in md
    assert tex.count("\\textdaggerdbl{}") >= 4
    assert f"| Pairs {MARK} |" in md
    assert re.search(rf"\| B \| C \|.*\| {MARK} \|\n", md)
    assert not re.search(rf"\| A \| B \|.*\| {MARK} \|\n", md)
    assert f"▲{MARK}" in md
    assert headline(board) in html
    rows = list(csv.DictReader(io.StringIO(board.pairs_frame().to_csv())))
    assert [row["rests_on_few"] for row in rows] == ["False", "False", "True"]
    assert NOTE in {note["code"] for note in board.to_dict()["pairs"][2]["notes"]}
    leaderboard = board.leaderboard_frame().set_index("system")["pairs_on_few"]
    assert leaderboard.to_dict() == {"A": 0, "B": 1, "C": 1}


def test_the_square_has_corners_where_pairs_rest_on_a_few():
    drawn = matrix_svg(outlier_board())
    corner = re.search(r'<path d="((?:M[^M"]*v[\d.]+l-[\d.]+-[\d.]+z)+)"', drawn)
    assert corner is not None
    assert corner[1].count("M") == 2
    assert "rests on a few items" in drawn
    assert "rests on a few" not in matrix_svg(plain_board())


def test_nothing_is_told_where_nothing_rests_on_a_few():
    board = plain_board()
    assert not board.pairs.rests_on_few.any()
    for text in (report_html(board), report_md(board), report_tex(board)):
        assert MARK not in text
        assert "textdaggerdbl" not in text.split("begin{document}")[-1]
    assert "pairs_on_few" not in board.leaderboard_frame()
