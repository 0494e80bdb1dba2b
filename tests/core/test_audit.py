"""audit(analysis): null boards made from the scores, and error rates known from elsewhere."""

import json
from dataclasses import replace

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.analysis.analyse import decided_pairs
from nlpstat_core.analysis.audit import nulls_of
from nlpstat_core.board.audit.null_boards import (
    apart,
    goes_quickly,
    halved_runs,
    permuted_boards,
    quick_t,
    resampled_boards,
)
from nlpstat_core.cli import main
from nlpstat_core.report.exports.documents.audit import audit_files
from nlpstat_core.report.wording.audit import PITFALLS, audit_sentence
from nlpstat_core.scores.runs import Runs


def board(values, **more):
    values = np.asarray(values, dtype=float)
    return ns.ScoreMatrix(values=values, systems=[f"s{i}" for i in range(values.shape[1])], **more)


def analysed(scores, **config):
    return ns.analyse(scores, ns.AnalysisConfig(**{"effects": (), "test": "t", **config}))


def everything(scores):
    return [np.arange(scores.n_systems)]


# Null boards


def test_permuted_boards_keep_every_unit_and_every_hole():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 5))
    values[rng.random((50, 5)) < 0.2] = np.nan
    scores = board(values)
    make = permuted_boards(scores, None, everything(scores))
    made = make(3, 7).values
    assert np.array_equal(np.isnan(made), np.isnan(values))
    assert np.array_equal(np.sort(made, axis=1), np.sort(values, axis=1), equal_nan=True)
    assert not np.array_equal(made, values, equal_nan=True)
    assert np.array_equal(made, make(3, 7).values, equal_nan=True)
    assert not np.array_equal(made, make(3, 8).values, equal_nan=True)


def test_every_permutation_is_as_likely():
    scores = board(np.tile([0.0, 1.0, 2.0], (6000, 1)))
    made = permuted_boards(scores, None, everything(scores))(0, 0).values
    _, counts = np.unique(made, axis=0, return_counts=True)
    assert counts.shape == (6,)
    assert np.all(np.abs(counts - 1000) < 5 * np.sqrt(1000))


@pytest.mark.parametrize("holes", [False, True])
def test_documents_are_permuted_whole(holes):
    rng = np.random.default_rng(2)
    documents = np.repeat(np.arange(8), 5)
    values = rng.normal(size=(40, 4))
    if holes:
        values[documents == 2, 1] = np.nan
    scores = board(values, labels={"doc": [str(d) for d in documents]})
    made = permuted_boards(scores, "doc", everything(scores))(1, 1).values
    assert np.array_equal(np.isnan(made), np.isnan(values))
    for document in range(8):
        rows = documents == document
        columns = {tuple(column) for column in np.nan_to_num(values[rows], nan=-9).T}
        assert {tuple(column) for column in np.nan_to_num(made[rows], nan=-9).T} == columns


def test_only_systems_of_a_group_exchange():
    values = np.random.default_rng(3).normal(size=(30, 5))
    scores = board(values)
    groups = [np.array([0, 3]), np.array([1, 2]), np.array([4])]
    made = permuted_boards(scores, None, groups)(0, 0).values
    assert np.array_equal(made[:, 4], values[:, 4])
    assert np.array_equal(np.sort(made[:, [0, 3]]), np.sort(values[:, [0, 3]]))


def test_counts_move_whole():
    rng = np.random.default_rng(4)
    total = rng.integers(1, 9, (30, 3))
    scores = ns.accuracy_matrix(rng.binomial(total, 0.5), total, ["a", "b", "c"])
    made = permuted_boards(scores, None, everything(scores))(0, 0)
    hits, misses = (np.sort(table, axis=1) for table in (made.counts.hits, made.counts.misses))
    assert np.array_equal(hits, np.sort(scores.counts.hits, axis=1))
    assert np.array_equal(misses, np.sort(scores.counts.misses, axis=1))


def test_resampled_boards_have_equal_means_in_expectation_and_the_same_decimals():
    rng = np.random.default_rng(5)
    values = np.round(rng.lognormal(3, 0.5, (400, 3)) + np.array([0, 5, 9]), 4)
    scores = board(values)
    made = [resampled_boards(scores, None, everything(scores))(0, number) for number in range(60)]
    means = np.mean([each.values.mean(axis=0) for each in made], axis=0)
    assert means == pytest.approx(np.full(3, values.mean()), abs=4 * values.std() / np.sqrt(400 * 60))
    assert made[0].decimals == scores.decimals == 4
    spreads = np.mean([each.values.std(axis=0) for each in made], axis=0)
    assert spreads == pytest.approx(values.std(axis=0), rel=0.1)


def test_whole_documents_are_resampled_as_documents_of_their_own():
    documents = np.repeat(["a", "b", "c", "d"], [2, 3, 4, 5])
    values = np.arange(28.0).reshape(14, 2)
    scores = board(values, labels={"doc": documents.tolist()})
    made = resampled_boards(scores, "doc", everything(scores))(2, 0)
    labels = np.array(made.labels["doc"])
    assert len(set(labels)) == 4
    sizes = {2, 3, 4, 5}
    assert all(np.count_nonzero(labels == name) in sizes for name in set(labels))


def test_systems_with_other_units_are_centred_by_the_additive_fit():
    """A system that has the hard units only is not made easier than the others."""
    rng = np.random.default_rng(6)
    hard = np.repeat([0.0, 10.0], 200)
    values = hard[:, None] + rng.normal(0, 1, (400, 3))
    values[:200, 2] = np.nan
    scores = board(values)
    made = resampled_boards(scores, None, everything(scores))(0, 0).values
    shared = ~np.isnan(made[:, 2])
    assert np.mean(made[shared, 2] - made[shared, 0]) == pytest.approx(0, abs=0.4)


# The audit


def test_the_quick_route_says_what_the_analysis_says():
    rng = np.random.default_rng(7)
    values = np.round(rng.normal(0, 4, (40, 1)) + rng.normal(0, 1, (40, 6)), 3)
    values[:, 5] = values[:, 4]
    scores = board(values)
    for alternative, baseline in (("two-sided", None), ("greater", "s1"), ("less", "s1")):
        config = ns.AnalysisConfig(
            test="t", effects=(), alternative=alternative, baseline=baseline, block_column=None
        )
        assert goes_quickly(scores, config)
        table = decided_pairs(scores, config)
        p_value, difference = quick_t(scores.values, table.left, table.right, config)
        assert p_value == pytest.approx(table.p_value, rel=1e-9)
        assert difference == pytest.approx(table.difference, abs=1e-12)
    assert not goes_quickly(scores, replace(config, correction="max-t"))


def test_boards_are_the_same_whatever_their_number():
    scores = board(np.random.default_rng(8).lognormal(size=(30, 4)))
    analysis = analysed(scores, correction="none")
    few, many = (ns.audit(analysis, boards=boards, seed=4).procedures[0].claims for boards in (10, 25))
    assert np.array_equal(few, many[:10])
    assert not np.array_equal(many, ns.audit(analysis, boards=25, seed=5).procedures[0].claims)


def test_skewed_differences_trouble_t_but_not_its_signs():
    """Lognormal differences, n = 50: t rejects in about 0.10 of samples, as the resampled boards say."""
    rng = np.random.default_rng(9)
    rates = []
    for _ in range(20):
        z = rng.lognormal(0, 1, 50)
        scores = board(np.column_stack([z, np.zeros(50)]))
        rates.append(ns.audit(analysed(scores), null="resampled", boards=300).procedures[0].family_wise)
    assert np.mean(rates) == pytest.approx(0.093, abs=0.04)


def test_the_sign_test_read_as_a_test_of_the_mean():
    z = np.random.default_rng(10).lognormal(0, 1, 200)
    scores = board(np.column_stack([z, np.zeros(200)]))
    found = ns.audit(analysed(scores, test="sign"), null="resampled", boards=100)
    assert found.procedures[0].family_wise > 0.95


def test_documents_that_are_ignored_and_named():
    """20 documents of 10 units, intraclass correlation 0.3: the truth is 0.316 for a t test of units."""
    rng = np.random.default_rng(11)
    by_unit, by_document, ignored = [], [], []
    for _ in range(8):
        documents = np.repeat(np.arange(20), 10)
        z = rng.normal(0, np.sqrt(0.3), 20)[documents] + rng.normal(0, np.sqrt(0.7), 200)
        labels = {"doc": [f"d{d}" for d in documents]}
        scores = board(np.column_stack([z, np.zeros(200)]), labels=labels)
        by_unit.append(ns.audit(analysed(scores), null="resampled", boards=300).procedures[0].family_wise)
        named = analysed(scores, test="block-t", block_column="doc")
        by_document.append(ns.audit(named, null="resampled", boards=100).procedures[0].family_wise)
        # A test that ignores the documents, on boards of whole documents: what naming the column is worth.
        make = resampled_boards(scores, "doc", everything(scores))
        config = ns.AnalysisConfig(test="t", effects=())
        values = [make(0, number).values for number in range(300)]
        p_values = [quick_t(each, np.array([0]), np.array([1]), config)[0][0] for each in values]
        ignored.append(np.mean(np.array(p_values) <= 0.05))
    assert np.mean(ignored) == pytest.approx(0.294, abs=0.07)
    assert np.mean(by_unit) == pytest.approx(0.05, abs=0.02)  # the audit can't see documents nobody named
    assert np.mean(by_document) == pytest.approx(0.06, abs=0.04)


def test_permutation_tests_pass_on_permuted_boards():
    rng = np.random.default_rng(12)
    scores = board((rng.random((120, 4)) < [0.4, 0.5, 0.6, 0.7]).astype(float))
    found = ns.audit(ns.analyse(scores, ns.AnalysisConfig(effects=())), boards=200, also=("t",))
    assert found.null == "permuted"
    assert found.procedures[0].family_wise <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert [each.config.test for each in found.procedures] == ["recommended", "t"]
    assert found.procedures[0].histogram.sum() == 200 * 6


def test_partial_null_counts_only_pairs_of_a_cluster():
    rng = np.random.default_rng(13)
    values = rng.normal(size=(60, 4)) + np.array([0, 0, 5, 5])
    analysis = analysed(board(values))
    assert analysis.leaderboard.cluster.max() == 2
    found = ns.audit(analysis, null="partial", boards=200)
    assert found.null_pairs == 2
    assert found.procedures[0].family_wise <= 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / 200)
    right = ns.analyse(
        board((rng.random((300, 4)) < [0.2, 0.2, 0.9, 0.9]).astype(float)), ns.AnalysisConfig(effects=())
    )
    assert ns.audit(right, null="partial", boards=30).null_pairs == 2


# Runs of the systems


def with_runs(seed, runs, effect, systems=4, n=60):
    rng = np.random.default_rng(seed)
    item = rng.normal(size=(n, 1))
    tables = tuple(
        item + effect * rng.normal(size=(1, runs)) + rng.normal(size=(n, 1)) + rng.normal(size=(n, runs))
        for _ in range(systems)
    )
    names = (tuple(map(str, range(runs))),) * systems
    table = Runs(values=tables, names=names)
    return ns.ScoreMatrix(values=table.means, systems="ABCDEFGH"[:systems], runs=table)


def rate_by_runs(effect, seeds=12, boards=25, **config):
    found = []
    for seed in range(seeds):
        analysis = analysed(with_runs(seed, 8, effect, n=40), **config)
        found.append(ns.audit(analysis, null="runs", boards=boards).procedures[0].family_wise)
    return float(np.mean(found)), float(np.std(found, ddof=1) / np.sqrt(len(found)))


def test_runs_against_each_other_show_who_forgets_that_trainings_differ():
    # Halves of four runs whose means have a variance of effect²/4 each: the t test of items takes the
    # difference for one of the systems (about 80 % with four systems), the test over items and runs doesn't.
    rate, error = rate_by_runs(0.0, runs="samples")
    assert abs(rate - 0.05) < 4 * error + 0.01
    assert rate_by_runs(0.3, runs="samples")[0] > 0.6
    rate, error = rate_by_runs(0.3, 6, 8, runs="training")
    assert rate < 0.05 + 4 * error


def test_twins_share_no_run_and_come_from_one_system():
    scores = with_runs(3, 5, 1.0)
    make, twins, ways = halved_runs(scores, 2)
    assert (twins, ways) == (4, (10 * 3 / 2) ** 4)
    made = make(1, 2)
    assert made.n_systems == 8
    for column in range(4):
        one, other = (made.runs.values[2 * column + side] for side in (0, 1))
        taken = [tuple(run) for run in np.hstack([one, other]).T]
        assert len(set(taken)) == 4
        assert set(taken) <= {tuple(run) for run in scores.runs.values[column].T}
    assert np.array_equal(made.values, make(1, 2).values)
    assert not np.array_equal(made.values, make(1, 3).values)


def test_resampled_boards_keep_runs_and_centre_their_systems():
    scores = with_runs(4, 6, 1.0)
    analysis = analysed(scores, test="recommended")
    moved = apart(analysis.units.runs, scores.values.mean(axis=0))
    for before, after in zip(scores.runs.values, moved.values, strict=True):
        assert after.mean() == pytest.approx(0, abs=1e-12)
        # Drawn with replacement, means of six runs vary by (R − 1)/R of what these do.
        assert after.mean(axis=0).var() * 5 / 6 == pytest.approx(before.mean(axis=0).var(ddof=1) * 5 / 6)
    found = ns.audit(analysis, boards=4)
    assert found.null == "resampled"
    assert "audit-runs-resampled" in {note.code for note in found.notes}


def test_what_runs_allow():
    assert nulls_of(analysed(with_runs(5, 4, 1.0))) == ("resampled", "partial", "runs")
    assert nulls_of(analysed(with_runs(5, 3, 1.0))) == ("resampled", "partial")
    assert "runs" in nulls_of(analysed(with_runs(5, 3, 1.0), runs="samples"))
    assert "runs" not in nulls_of(analysed(board(np.random.default_rng(0).normal(size=(30, 3)))))
    three = analysed(with_runs(5, 3, 1.0))
    with pytest.raises(ns.AnalysisError, match="the most here is 3"):
        ns.audit(three, null="runs")
    with pytest.raises(ns.AnalysisError, match="resampled, or runs"):
        ns.audit(three, null="permuted")
    with pytest.raises(ns.AnalysisError, match="audit by runs"):
        ns.audit(analysed(with_runs(5, 4, 1.0), correction="shaffer"), null="runs")
    found = ns.audit(analysed(with_runs(5, 4, 1.0), baseline="B"), null="runs", boards=3)
    assert found.null_pairs == 4
    assert "compared with itself" in audit_sentence(found)
    assert "81 ways" in found.notes[0].text  # three ways of halving four runs, for four systems
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_cannot_be_audited():
    rng = np.random.default_rng(14)
    values = rng.normal(size=(30, 3))
    analysis = analysed(board(values))
    with pytest.raises(ns.AnalysisError, match="one run of each"):
        ns.audit(analysis, null="runs")
    with pytest.raises(ns.ConfigError, match="Did you mean 'permuted'"):
        ns.audit(analysis, null="permutd")
    for boards in (0, -3, 1.5, True):
        with pytest.raises(ns.ConfigError, match="boards"):
            ns.audit(analysis, boards=boards)
    with pytest.raises(ns.ConfigError, match="test"):
        ns.audit(analysis, also=("tt",))
    with pytest.raises(ns.ConfigError, match="list of tests"):
        ns.audit(analysis, also="sign")
    with pytest.raises(ns.AnalysisError, match="delta 0"):
        ns.audit(analysed(board(values), delta=0.1))
    with pytest.raises(ns.AnalysisError, match="permuted"):
        ns.audit(analysed(board(np.round(rng.random((30, 3))))), null="resampled")
    with pytest.raises(ns.AnalysisError, match="share a cluster"):
        ns.audit(analysed(board(values + np.array([0, 50, 100]))), null="partial")
    with pytest.raises(ns.AnalysisError, match="baseline"):
        ns.audit(analysed(board(values), baseline="s0"), null="partial")
    with pytest.raises(ns.AnalysisError, match="two items"):
        ns.audit(analysed(board([[1.0, 2.0]])))


def test_progress_and_cancel():
    analysis = analysed(board(np.random.default_rng(15).normal(size=(30, 3))))
    lines = []
    ns.audit(analysis, boards=5, progress=lambda done, total: lines.append((done, total)))
    assert lines == [(done, 5) for done in range(1, 6)]
    asked = iter([False] * 3 + [True] * 99)
    with pytest.raises(ns.Cancelled):
        ns.audit(analysis, boards=50, should_stop=lambda: next(asked))


def test_odd_boards():
    rng = np.random.default_rng(16)
    values = rng.normal(size=(25, 4))
    values[rng.random((25, 4)) < 0.3] = np.nan
    same = np.column_stack([np.ones(12), np.ones(12), np.arange(12.0)])
    for scores in (board(values), board(same), board(values[:, :2]), board(values, lower_is_better=True)):
        for test in ("recommended", "t", "wilcoxon", "welch-t"):
            for null in ("resampled", "permuted"):
                found = ns.audit(analysed(scores, test=test), null=null, boards=3)
                json.dumps(found.to_dict(), allow_nan=False)
    grouped = analysed(board(rng.normal(size=(60, 3))), unit_size=5)
    assert ns.audit(grouped, boards=3).analysis.units.n_units == 12


def test_files_and_words():
    scores = board(np.random.default_rng(17).normal(size=(40, 3)))
    found = ns.audit(analysed(scores), boards=40, also=("wilcoxon",))
    seen = audit_sentence(found)
    assert "On 40 boards like this one where nothing differs" in seen
    assert not any("probability that" in text for text in (seen, *PITFALLS, *(n.text for n in found.notes)))
    files = audit_files(found)
    assert set(files) == {"audit.json", "audit.csv", "audit.tex"}
    assert files == audit_files(found)
    data = json.loads(files["audit.json"])
    assert len(data["procedures"]) == 2
    assert sum(data["procedures"][0]["p_histogram"]) == 120


def test_command_line(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    rows = np.random.default_rng(18).normal(size=(30, 3))
    file.write_text("\n".join(["A,B,C", *(",".join(f"{x:.3f}" for x in row) for row in rows)]))
    command = ["audit", str(file), "--test", "t", "--boards", "20"]
    assert main([*command, "--compare-tests", "sign,wilcoxon", "--out", str(tmp_path / "out")]) == 0
    assert "boards with a false claim" in capsys.readouterr().out
    assert (tmp_path / "out" / "audit.json").exists()
    assert main([*command, "--json", "-", "--null", "permuted"]) == 0
    assert json.loads(capsys.readouterr().out)["null"] == "permuted"
    for wrong in (["--boards", "x"], ["--null", "what"], ["--null", "runs"], ["--compare-tests", "nope"]):
        assert main([*command, *wrong]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert len(captured.err.splitlines()) == 1


def test_few_boards_settle_nothing(capsys):
    scores = board(np.random.default_rng(17).normal(size=(40, 3)))
    found = ns.audit(analysed(scores), boards=99)
    wrong = replace(found.procedures[0], claims=np.ones_like(found.procedures[0].claims))
    few = audit_sentence(replace(found, procedures=(wrong,)))
    assert few.endswith("that is more than the 5 % set, but boards are too few to say.")
    right = replace(wrong, claims=np.zeros_like(wrong.claims))
    assert "no more than the 5 % set, but boards are too few" in audit_sentence(
        replace(found, procedures=(right,))
    )
    more = ns.audit(analysed(scores), boards=100)
    wrong = replace(more.procedures[0], claims=np.ones_like(more.procedures[0].claims))
    assert "don't rely on this" in audit_sentence(replace(more, procedures=(wrong,)))
    with pytest.raises(SystemExit):
        main(["audit", "--help"])
    assert "null boards (default 400)" in capsys.readouterr().out
