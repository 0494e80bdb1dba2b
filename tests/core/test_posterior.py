"""posterior(analysis): which model a pair gets, how it stands beside the analysis, odd boards, exports."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.cli import main
from nlpstat_core.methods.bayes.binary import binary_posteriors
from nlpstat_core.methods.bayes.jzs import log_bayes_factors
from nlpstat_core.report.exports.documents.posterior import posterior_files
from nlpstat_core.report.wording.bayes_factor import factor_sentence, factor_words
from nlpstat_core.report.wording.posterior import (
    NOT_P,
    WHICH_ONE,
    board_sentence,
    pair_sentence,
    prior_sentence,
)
from tests.calibration.rows import load as load_kept

PLAIN = {"effects": (), "test": "t"}


def board(values, **more):
    values = np.asarray(values, dtype=float)
    systems = [f"s{i}" for i in range(values.shape[1])]
    return ns.ScoreMatrix(values=values, systems=systems, **more)


def analysed(values, config=None, **more):
    return ns.analyse(board(values, **more), ns.AnalysisConfig(**{**PLAIN, **(config or {})}))


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(11)
    return rng.normal(0, 2, (60, 1)) + rng.normal([0, 0.2, 0.9, 1.0], 1, (60, 4))


def test_means_are_those_of_the_t_test(scores):
    analysis = analysed(scores)
    found = ns.posterior(analysis)
    one_sided = stats.ttest_rel(
        scores[:, analysis.pairs.left], scores[:, analysis.pairs.right], alternative="greater"
    ).pvalue
    assert found.pairs.greater == pytest.approx(1 - one_sided, abs=1e-12)
    assert found.pairs.interval == pytest.approx(analysis.pairs.interval)
    assert set(found.pairs.model) == {"mean"}
    assert found.pairs.within.max() < 1e-12
    t = stats.ttest_rel(scores[:, 0], scores[:, 1]).statistic
    assert found.pairs.log_bf[0] == pytest.approx(log_bayes_factors(np.array([t]), 60, 59)[0])
    assert found.pairs.sensitivity[:, 1] == pytest.approx(found.pairs.log_bf)


def test_the_margin_is_that_of_equivalence_unless_another_is_given(scores):
    analysis = analysed(scores, {"equivalence_margin": 0.4})
    assert ns.posterior(analysis).margin == 0.4
    assert ns.posterior(analysis, margin=0).margin == 0
    parts = ns.posterior(analysis).pairs
    assert parts.greater + parts.within + parts.less == pytest.approx(np.ones(6))


def test_functions_on_differences_agree_with_the_board(scores):
    found = ns.posterior(analysed(scores), margin=0.3)
    z = scores[:, 1] - scores[:, 2]
    row = found.pairs.find(1, 2)
    parts = ns.posterior_probabilities(z, margin=0.3)
    assert parts == pytest.approx([found.pairs.greater[row], found.pairs.within[row], found.pairs.less[row]])
    assert np.log(ns.bayes_factor(z)) == pytest.approx(found.pairs.log_bf[row])


def test_right_and_wrong_answers():
    rng = np.random.default_rng(3)
    answers = (rng.random((200, 3)) < [0.5, 0.6, 0.7]).astype(float)
    analysis = analysed(answers)
    found = ns.posterior(analysis, margin=0.02)
    assert set(found.pairs.model) == {"binary"}
    z = answers[:, 0] - answers[:, 1]
    own = binary_posteriors(
        *(np.array([np.sum(z == sign)]) for sign in (1, -1)), np.array([200]), margin=0.02
    )
    assert found.pairs.greater[0] == pytest.approx(own.greater[0], abs=1e-15)
    assert ns.posterior_probabilities(z, 0.02, model="binary")[0] == pytest.approx(own.greater[0])
    assert set(ns.posterior(analysis, model="mean").pairs.model) == {"mean"}


def test_lower_is_better_turns_verdicts_but_no_number(scores):
    high, low = (ns.posterior(analysed(scores, lower_is_better=turn), margin=0.1) for turn in (False, True))
    assert high.pairs.greater == pytest.approx(low.pairs.greater)
    words = {"better": "worse", "worse": "better"}
    assert [words.get(word, word) for word in high.pairs.verdict] == list(low.pairs.verdict)
    assert high.board.expected_rank == pytest.approx(5 - low.board.expected_rank)


def test_documents_make_it_wider_and_refuse_the_binary_model():
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(12), 8)
    answers = (
        rng.random((96, 2)) < np.clip(0.5 + rng.normal(0, 0.4, (12, 2)), 0.05, 0.95)[documents]
    ).astype(float)
    labels = {"doc": [f"d{i}" for i in documents]}
    config = {"block_column": "doc", "test": "block-t"}
    analysis = analysed(answers, config, labels=labels)
    found = ns.posterior(analysis)
    assert found.pairs.model[0] == "mean"
    assert found.pairs.freedom[0] == 11
    assert found.pairs.interval == pytest.approx(analysis.pairs.interval)
    assert "posterior-documents" in {note.code for note in found.notes}
    assert found.board.n_drawn == 12
    with pytest.raises(ns.AnalysisError, match="documents are named"):
        ns.posterior(analysis, model="binary")
    assert ns.posterior(analysis, model="bayesian-bootstrap").board.n_drawn == 12


def test_whole_board_models_answer_for_pairs(scores):
    analysis = analysed(scores)
    pooled = ns.posterior(analysis, model="partial-pooling", margin=0.1)
    drawn = ns.posterior(analysis, model="bayesian-bootstrap", margin=0.1)
    plain = ns.posterior(analysis, margin=0.1)
    assert set(pooled.pairs.model) == {"partial-pooling"}
    assert drawn.pairs.greater == pytest.approx(plain.pairs.greater, abs=0.04)
    assert pooled.pairs.greater == pytest.approx(plain.pairs.greater, abs=0.1)
    raw, shrunken = np.ptp(pooled.board.score), np.ptp(pooled.board.estimate)
    assert 0 < shrunken < raw  # every score moves towards the others
    assert pooled.board.best.sum() == pytest.approx(1)
    assert pooled.board.expected_rank.sum() == pytest.approx(10)
    assert "not corrected" not in " ".join(note.text for note in pooled.notes)


def test_seed_decides_the_draws(scores):
    analysis = analysed(scores)
    first, again, other = (ns.posterior(analysis, seed=seed).board.best for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_more_systems_than_units():
    rng = np.random.default_rng(8)
    found = ns.posterior(analysed(rng.normal(size=(6, 10))), model="partial-pooling")
    assert np.all((found.pairs.greater > 0.005) & (found.pairs.greater < 0.995))
    notes = {note.code: note.severity for note in found.notes}
    assert notes["posterior-shrunk-covariance"] == "caution"
    assert notes["posterior-few-units"] == "caution"


def test_two_systems_and_identical_ones(scores):
    two = ns.posterior(analysed(scores[:, :2]))
    assert two.board is not None
    same = ns.posterior(analysed(np.column_stack([scores[:, 0], scores[:, 0]])), margin=0.1)
    assert (same.pairs.greater[0], same.pairs.within[0], same.pairs.less[0]) == (0, 1, 0)
    assert same.pairs.verdict[0] == "equivalent"
    assert same.board is None
    assert {"posterior-identical-scores", "posterior-no-board"} <= {note.code for note in same.notes}
    assert same.pairs.log_bf[0] < 0
    three = ns.posterior(analysed(np.column_stack([scores[:, :2], scores[:, 1]])), model="partial-pooling")
    row = three.pairs.find(1, 2)
    assert three.pairs.greater[row] == pytest.approx(0.5, abs=1e-6)
    assert three.pairs.interval[row] == pytest.approx([0, 0], abs=0.6)


def test_constant_differences_and_one_unit():
    found = ns.posterior(analysed([[1.0, 0.5], [2.0, 1.5], [4.0, 3.5]]))
    assert np.isnan(found.pairs.greater[0])
    assert np.isnan(found.pairs.log_bf[0])
    assert found.pairs.model[0] is None
    assert "posterior-no-spread" in {note.code for note in found.notes}
    assert "every item has the same difference, 0.5" in pair_sentence(found, 0)
    third = np.column_stack([np.arange(60) + 0.5, np.arange(60), 60 * np.sin(np.arange(60))])
    for model in ("partial-pooling", "bayesian-bootstrap", "mean"):
        whole = ns.posterior(analysed(third), model=model)
        row = whole.pairs.find(0, 1)
        assert np.isnan(whole.pairs.greater[row])
        assert whole.pairs.verdict[row] == "undecided"
        assert not np.isnan(np.delete(whole.pairs.greater, row)).any()
        assert "posterior-no-spread" in {note.code for note in whole.notes}
    # Right and wrong answers have a model that needs no spread.
    binary = ns.posterior(analysed([[1.0, 0.0]] * 3))
    assert binary.pairs.greater[0] == pytest.approx(1 - 0.5**4)
    single = ns.posterior(analysed([[1.0, 0.5]]))
    assert np.isnan(single.pairs.greater[0])
    assert single.pairs.verdict[0] == "undecided"
    assert single.board is None
    assert single.to_dict()["pairs"][0]["greater"] is None
    assert "too few" in pair_sentence(single, 0)


def test_no_verdict_of_the_bootstrap_on_few_or_skewed_units():
    rng = np.random.default_rng(7)
    for n, skewed, withheld, told in (
        (29, False, True, "posterior-bootstrap-few-units"),
        (30, False, False, None),
        (300, True, True, "posterior-bootstrap-skewed"),
    ):
        values = rng.normal(size=(n, 1)) + rng.uniform(0.2, 0.8, (n, 2)) * [3, 0]
        if skewed:
            values[4, 0] += 100
        found = ns.posterior(analysed(values), model="bayesian-bootstrap")
        assert found.pairs.better[0] > 0.95
        assert found.pairs.withheld[0] == withheld
        assert found.pairs.verdict[0] == ("undecided" if withheld else "better")
        codes = {note.code for note in found.notes}
        assert (told in codes) == withheld
        assert ("No verdict" in pair_sentence(found, 0)) == withheld
        assert ("best system" in board_sentence(found)) != withheld
        of_means = ns.posterior(analysed(values), model="mean")
        assert of_means.pairs.verdict[0] == "better" or skewed
        assert ("posterior-skewed-few-units" in {note.code for note in of_means.notes}) == skewed


def test_documents_count_for_the_verdict_and_their_cautions_are_told():
    rng = np.random.default_rng(8)
    values = rng.normal([1, 0], 1, (290, 2))
    labels = {"document": tuple(f"d{i // 10}" for i in range(290))}
    scores = ns.ScoreMatrix(values=values, systems=("a", "b"), labels=labels)
    alone = ns.analyse(scores, ns.AnalysisConfig(effects=(), block_column=None))
    found = ns.posterior(alone, model="bayesian-bootstrap")
    assert found.pairs.verdict[0] == "better"
    proposed = [note for note in alone.notes if note.code.startswith("block-column")]
    assert len(proposed) == 1
    assert proposed[0] in found.notes
    whole = ns.posterior(
        ns.analyse(scores, ns.AnalysisConfig(effects=(), block_column="document")), model="bayesian-bootstrap"
    )
    assert whole.pairs.verdict[0] == "undecided"  # 29 documents
    assert whole.pairs.withheld[0]


def test_how_many_are_called_stands_beside_what_the_test_finds():
    rng = np.random.default_rng(12)
    analysis = analysed(rng.normal(size=(200, 8)) + np.linspace(0, 0.4, 8), {"correction": "holm"})
    found = ns.posterior(analysis)
    called = int(((found.pairs.verdict_code == 1) | (found.pairs.verdict_code == 2)).sum())
    text = next(note.text for note in found.notes if note.code == "posterior-not-corrected")
    assert f"{called} of 28 pairs are called better or worse here" in text
    assert f"finds {int(analysis.pairs.separated.sum())}. In simulations" in text
    assert "the system called better at 0.95 was the worse one in about one pair of five" in text
    nearly = [row for row in load_kept("posteriors") if row.situation == "nearly equal"]
    (kept,) = (row for row in nearly if row.subject == "mean")
    (right,) = (figure.rate for figure in kept.figures if figure.what == "called better and are")
    assert 1 - right == pytest.approx(0.2, abs=0.03)


def test_missing_cells_and_pairs_without_shared_units():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(40, 4))
    values[:10, 0] = np.nan
    values[5:20, 1] = np.nan
    found = ns.posterior(analysed(values))
    z = (values[:, 0] - values[:, 1])[20:]
    assert found.pairs.n_units[0] == 20
    assert found.pairs.greater[0] == pytest.approx(ns.posterior_probabilities(z)[0])
    assert found.board is not None
    values = np.full((30, 4), np.nan)
    values[:15, :2], values[15:, 2:] = rng.normal(size=(15, 2)), rng.normal(size=(15, 2))
    apart = ns.posterior(analysed(values))
    assert np.isnan(apart.pairs.greater).sum() == 4
    assert apart.board is None
    assert {"posterior-no-shared-units", "posterior-no-board"} <= {note.code for note in apart.notes}
    with pytest.raises(ns.AnalysisError, match="connected"):
        ns.posterior(analysed(values), model="partial-pooling")
    json.dumps(apart.to_dict(), allow_nan=False)
    welch = ns.posterior(analysed(values, {"test": "welch-t"}))
    expected = stats.ttest_ind(values[:15, 0], values[15:, 2], equal_var=False, alternative="greater").pvalue
    assert welch.pairs.greater[welch.pairs.find(0, 2)] == pytest.approx(1 - expected)


def test_counts_board():
    rng = np.random.default_rng(4)
    total = np.full((50, 3), 10)
    correct = rng.binomial(total, [0.5, 0.55, 0.8])
    scores = ns.accuracy_matrix(correct, total, ["a", "b", "c"])
    analysis = ns.analyse(scores, ns.AnalysisConfig(effects=()))
    found = ns.posterior(analysis, margin=0.01)
    assert found.pairs.difference == pytest.approx(analysis.pairs.difference)
    assert found.pairs.verdict[found.pairs.find(0, 2)] == "worse"
    with pytest.raises(ns.AnalysisError, match="counts"):
        ns.posterior(analysis, model="binary")


def test_a_baseline_leaves_its_pairs_only(scores):
    found = ns.posterior(analysed(scores, {"baseline": "s2"}))
    assert len(found.pairs) == 3
    assert set(found.pairs.system_b) == {"s2"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"margin": -1}, "margin must be"),
        ({"margin": float("nan")}, "margin must be"),
        ({"margin": float("inf")}, "margin must be"),
        ({"margin": "wide"}, "margin must be"),
        ({"model": "binry"}, "Did you mean 'binary'"),
        ({"model": "binary"}, "scores of 0 and 1"),
        ({"threshold": 0.5}, "threshold"),
        ({"threshold": 1}, "threshold"),
        ({"scale": 0}, "scale"),
        ({"draws": 0}, "draws"),
        ({"seed": -1}, "seed"),
    ],
)
def test_settings_that_cannot_be_used(scores, settings, message):
    with pytest.raises(ns.NlpstatError, match=message):
        ns.posterior(analysed(scores), **settings)


def test_bayes_factor_of_odd_differences():
    assert np.isnan(ns.bayes_factor([1, 1, 1]))  # no spread to judge it by
    assert 0 < ns.bayes_factor([0, 0, 0]) < 1
    assert np.isnan(ns.bayes_factor([1.0]))
    assert np.isnan(ns.bayes_factor([]))
    assert ns.bayes_factor([3.0, 5.0, 4.0]) == pytest.approx(ns.bayes_factor([-3, -5, -4]))
    assert ns.bayes_factor(np.array([3, 5, 4.5]) * 1e200) == pytest.approx(ns.bayes_factor([3, 5, 4.5]))
    assert np.isnan(ns.bayes_factor([0.1 + 0.2, 0.3]))
    for wrong in ([[1, 2]], ["a"], [1, np.nan], [1, np.inf]):
        with pytest.raises(ns.AnalysisError, match="Differences must"):
            ns.bayes_factor(wrong)
    with pytest.raises(ns.ConfigError, match="scale"):
        ns.bayes_factor([1, 2], scale=-1)


def test_probabilities_of_odd_differences():
    assert np.isnan(ns.posterior_probabilities([2, 2, 2], margin=1)).all()
    assert ns.posterior_probabilities([0, 0]) == (0, 1, 0)
    assert np.isnan(ns.posterior_probabilities([2.0])).all()
    assert np.isnan(ns.posterior_probabilities([])).all()
    assert ns.posterior_probabilities([1, 0, -1], 1.5, "binary") == (0, 1, 0)
    assert ns.posterior_probabilities([1], model="binary") == pytest.approx((0.75, 0, 0.25))
    with pytest.raises(ns.AnalysisError, match="only -1, 0 and 1"):
        ns.posterior_probabilities([0.5, 1], model="binary")
    with pytest.raises(ns.ConfigError, match="model"):
        ns.posterior_probabilities([1, 2], model="t")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=80), st.floats(0, 1))
def test_turning_a_pair_turns_its_probabilities(z, margin):
    for model in ("mean", "binary"):
        there = ns.posterior_probabilities(z, margin, model)
        back = ns.posterior_probabilities([-value for value in z], margin, model)
        assert there == pytest.approx(back[::-1], abs=1e-12, nan_ok=True)


def test_words_keep_the_two_schools_apart(scores):
    for model in ("recommended", "partial-pooling", "bayesian-bootstrap"):
        found = ns.posterior(analysed(scores), margin=0.2, model=model)
        lines = [board_sentence(found), prior_sentence(found), NOT_P, WHICH_ONE]
        lines += [sentence(found, row) for row in range(6) for sentence in (pair_sentence, factor_sentence)]
        lines += [note.text for note in found.notes]
        assert not any("significant" in text.lower() for text in lines)
    assert factor_words(np.log(0.05)) == "strong evidence for no difference"
    assert factor_words(np.log(200.0)) == "decisive evidence for a difference"


def test_files_hold_names_as_text_and_are_the_same_every_time(scores):
    given = ns.ScoreMatrix(values=scores, systems=["=cmd()", "a & b_1", "ü", "x|y"])
    found = ns.posterior(ns.analyse(given, ns.AnalysisConfig(**PLAIN)), margin=0.1)
    files = posterior_files(found)
    assert files == posterior_files(found)
    assert "a \\& b\\_1" in files["posterior.tex"]
    assert "'=cmd()" in files["posterior-pairs.csv"]
    data = json.loads(files["posterior.json"])
    assert data["fingerprint"] == found.analysis.fingerprint
    assert data["board"]["systems"][0]["expected_rank"] <= data["board"]["systems"][-1]["expected_rank"]
    assert data["pairs"][0]["log_bayes_factor_by_scale"].keys() == {"0.5", "0.707", "1"}


def test_command_line(tmp_path, capsys, scores):
    file = tmp_path / "scores.csv"
    lines = ["A,B,C,D", *(",".join(f"{value:.4f}" for value in row) for row in scores)]
    file.write_text("\n".join(lines))
    assert main(["posterior", str(file), "--margin", "0.5", "--out", str(tmp_path / "out")]) == 0
    text = capsys.readouterr().out
    assert "P(best)" in text
    assert "significant" not in text
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "posterior-pairs.csv",
        "posterior-systems.csv",
        "posterior.json",
        "posterior.tex",
    ]
    assert main(["posterior", str(file), "--json", "-", "--model", "partial-pooling"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "partial-pooling"
    for wrong in (
        ["--margin", "x"],
        ["--margin", "-1"],
        ["--model", "none"],
        ["--draws", "0"],
        ["--threshold", "2"],
    ):
        assert main(["posterior", str(file), *wrong]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert len(captured.err.splitlines()) == 1


def test_no_system_is_called_best_where_its_own_pairs_are_undefined():
    """One document of 500 units and nine of one leave no degrees of freedom for a standard error."""
    rng = np.random.default_rng(2)
    labels = {"doc": ("d0",) * 500 + tuple(f"d{i}" for i in range(1, 10))}
    scores = ns.ScoreMatrix(values=rng.normal([0, 0.2, 0.6], 1, (509, 3)), systems="ABC", labels=labels)
    analysis = ns.analyse(scores)
    assert analysis.config.block_column == "doc"
    found = ns.posterior(analysis)
    assert np.isnan(found.pairs.greater).all()
    assert "best system" not in board_sentence(found)


def test_the_same_sign_is_only_said_of_differences_that_have_it():
    rng = np.random.default_rng(2)
    labels = {"doc": ("d0",) * 500 + tuple(f"d{i}" for i in range(1, 10))}
    scores = ns.ScoreMatrix(values=rng.normal([0, 0.2], 1, (509, 2)), systems="AB", labels=labels)
    codes = {note.code for note in ns.analyse(scores).pair("A", "B").notes}
    assert "interval-at-bound" not in codes
