"""Runs through reading, units, boards, settings, files and replay."""

import json

import numpy as np
import pytest
from core.oracles_runs import crossed_t as by_loops
from core.oracles_runs import simulated

import nlpstat_core as ns
from nlpstat_core.analysis.analyse import analyse_side
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.cli import main
from nlpstat_core.readers import reading_keywords
from nlpstat_core.scores.runs import Runs


def long_text(tables, *, column="seed", names=("13", "42", "1234", "7", "8")):
    lines = [f"system,item,{column},score"]
    for system, table in zip("ABCDEFGH", tables, strict=False):
        for i, row in enumerate(table):
            for name, score in zip(names, row, strict=False):
                if not np.isnan(score):
                    lines.append(f"{system},u{i:02d},{name},{score:.4f}")
    return "\n".join(lines).encode()


def tables(seed=0, n=12, runs=(3, 3, 2), **more):
    rng = np.random.default_rng(seed)
    found = []
    for n_runs in runs:
        found.append(np.round(simulated(rng, n, (n_runs, 2), **more)[0], 4))
    return found


def read(given, **choices):
    return ns.read_scores((given if isinstance(given, bytes) else given.encode(), "scores.csv"), **choices)


def test_long_data_keep_their_runs():
    given = tables()
    scores = read(long_text(given))
    assert scores.runs.numbers.tolist() == [3, 3, 2]
    assert scores.runs.names[0] == ("13", "42", "1234")
    assert (scores.runs.column, scores.runs.proposal) == ("seed", "training")
    for table, kept in zip(given, scores.runs.values, strict=True):
        np.testing.assert_array_equal(table, kept)
    np.testing.assert_allclose(scores.values, scores.runs.means, rtol=1e-14)
    assert scores.reading["run_column"] == "seed"


def test_the_keywords_of_the_reading_read_it_again():
    text = long_text(tables(), column="attempt_no")
    scores = read(text)
    again = read(text, **reading_keywords(scores.reading))
    assert again.fingerprint == scores.fingerprint
    assert again.runs.names == scores.runs.names


def test_only_runs_change_a_fingerprint():
    values = np.arange(6.0).reshape(3, 2)
    plain = ns.ScoreMatrix(values=values, systems="AB")
    one = tuple(np.stack([values[:, i]] * 2, axis=1) for i in range(2))
    doubled = ns.ScoreMatrix(values=values, systems="AB", runs=Runs(values=one, names=(("1", "2"),) * 2))
    assert plain.fingerprint != doubled.fingerprint
    assert doubled.columns([0, 1]).fingerprint == doubled.fingerprint
    assert doubled.rows(np.array([2, 0])).runs.values[1][:, 0].tolist() == [5.0, 1.0]


def test_a_column_of_runs_by_another_name_and_none():
    text = long_text(tables(), column="which")
    with pytest.raises(ns.ScoreFileError, match="already"):
        read(text)
    assert read(text, run_column="which").runs.numbers.tolist() == [3, 3, 2]
    with pytest.raises(ns.ScoreFileError, match="no column 'seeds'"):
        read(long_text(tables()), run_column="seeds")
    with pytest.raises(ns.ScoreFileError, match="already"):
        read(long_text(tables()), run_column="none")


def test_one_run_a_cell_is_no_run():
    text = long_text([table[:, :1] for table in tables()])
    scores = read(text)
    assert scores.runs is None
    assert ns.analyse(scores).pairs.df is None


def test_samples_of_one_training_are_averaged_within_it():
    lines = ["system,item,seed,epoch,score"]
    lines += [
        f"{s},{i},{seed},{epoch},{seed % 5 + epoch * i}"
        for s in "AB"
        for i in range(3)
        for seed in (13, 42)
        for epoch in (1, 2)
    ]
    scores = read("\n".join(lines))
    assert scores.runs.column == "seed"
    assert scores.runs.values[0].tolist() == [[3.0, 2.0], [4.5, 3.5], [6.0, 5.0]]


def test_runs_that_hold_units_of_their_own_are_averaged_with_a_note():
    lines = ["system,item,trial,score"]
    lines += [f"{s},{i},t{s}{i}{r},{i + r}" for s in "AB" for i in range(6) for r in (0, 1)]
    scores = read("\n".join(lines))
    assert scores.runs is None
    assert "runs-not-crossed" in {note.code for note in scores.notes}


def test_a_wide_table_with_a_seed():
    scores = read("item,seed,A,B\n1,13,1,2\n2,13,2,3\n1,42,2,2\n2,42,1,\n")
    assert scores.systems == ("A", "B")
    assert scores.runs.values[0].tolist() == [[1.0, 2.0], [2.0, 1.0]]
    assert np.isnan(scores.runs.values[1][1, 1])
    assert scores.values[:, 1].tolist() == [2.0, 3.0]
    with pytest.raises(ns.ScoreFileError, match="no item appears"):
        read("item,seed,A,B\n1,13,1,2\n2,13,2,3\n3,42,2,2\n4,42,1,1\n", run_column="seed")


def files(*names):
    return [(f"id,score\n1,{k}\n2,{k * k}\n3,{k + 1}\n".encode(), name) for k, name in enumerate(names, 1)]


@pytest.mark.parametrize(
    "names",
    [
        ("bert_seed1.csv", "bert_seed2.csv", "xl_seed1.csv", "xl_seed2.csv"),
        ("seed1/bert.csv", "seed2/bert.csv", "seed1/xl.csv", "seed2/xl.csv"),
        ("bert-seed=1-dev.csv", "bert-seed=2-dev.csv", "xl-seed=1-dev.csv", "xl-seed=2-dev.csv"),
    ],
)
def test_files_with_a_seed_in_their_names(names):
    scores = ns.read_scores(files(*names))
    assert scores.n_systems == 2
    assert scores.runs.numbers.tolist() == [2, 2]
    assert scores.runs.proposal == "training"
    assert "runs-from-names" in {note.code for note in scores.notes}
    apart = ns.read_scores(files(*names), run_column="none")
    assert apart.n_systems == 4
    assert apart.runs is None


def test_names_that_are_no_runs():
    one = ns.read_scores(
        files("bert_seed1.csv", "bert_seed2.csv")
    )  # seeds of one system: nothing else is there
    assert one.n_systems == 2
    submissions = ns.read_scores(files("umass_run1.csv", "umass_run2.csv", "inria_run1.csv"))
    assert submissions.n_systems == 3
    scores = ns.read_scores(files("umass_run1.csv", "umass_run2.csv", "inria_run1.csv"), run_column="names")
    assert scores.systems == ("umass", "inria")
    assert scores.runs.numbers.tolist() == [2, 1]


def test_raters_are_averaged_and_agreement_is_told():
    """Alpha by hand for interval data: 1 − D_o/D_e with pairable values 1,1,2,3,2,4."""
    text = "system,item,annotator,score\n"
    text += "A,1,x,1\nA,1,y,1\nA,2,x,2\nA,2,y,3\nB,1,x,2\nB,1,y,4\nB,2,x,5\n"
    scores = read(text)
    assert scores.runs is None
    assert scores.values.tolist() == [[1.0, 3.0], [2.5, 5.0]]
    rated = [(1, 1), (2, 3), (2, 4)]
    values = [value for pair in rated for value in pair]
    observed = sum(2 * (a - b) ** 2 for a, b in rated) / len(values)
    expected = sum((a - b) ** 2 for a in values for b in values) / (len(values) * (len(values) - 1))
    note = next(note.text for note in scores.notes if note.code == "averaged-raters")
    assert f"{1 - observed / expected:.3f}" in note
    assert "differ on 66.7 %" in note


def test_samples_give_what_averages_give():
    text = long_text(tables())
    scores = read(text)
    averaged = ns.ScoreMatrix(values=scores.values, systems=scores.systems, units=scores.units)
    as_samples = ns.analyse(scores, ns.AnalysisConfig(runs="samples"))
    plain = ns.analyse(averaged)
    np.testing.assert_array_equal(as_samples.pairs.p_value, plain.pairs.p_value)
    np.testing.assert_array_equal(as_samples.leaderboard.interval, plain.leaderboard.interval)
    seen = next(note.text for note in as_samples.notes if note.code == "runs-averaged")
    assert "hold for these runs only" in seen


def test_training_is_the_default_and_recommends_the_test_over_runs():
    given = tables()
    analysis = ns.analyse(read(long_text(given)))
    assert set(analysis.pairs.test) == {"crossed-t"}
    pair = analysis.pair("A", "C")
    t, df, _, p = by_loops(given[0], given[2])
    assert (pair.statistic, pair.df) == pytest.approx((t, df), rel=1e-9)
    assert pair.p_value == pytest.approx(p, rel=1e-9)
    assert pair.diagnosis.lists.recommended == ("crossed-t",)
    assert "permutation-mean" in pair.diagnosis.lists.inappropriate
    assert (
        ns.analyse(read(long_text(given)), ns.AnalysisConfig(question="each-pair")).pairs.test[0]
        == "crossed-t"
    )


def test_missing_cells_and_other_units_of_every_pair():
    given = tables(n=20, runs=(3, 4, 2))
    rng = np.random.default_rng(9)
    for table in given:
        table[rng.random(table.shape) < 0.1] = np.nan
    given[1][3] = np.nan
    given[2][5:7] = np.nan
    analysis = ns.analyse(read(long_text(given)))
    for (a, b), p_value in zip([(0, 1), (0, 2), (1, 2)], analysis.pairs.p_value, strict=True):
        assert p_value == pytest.approx(by_loops(given[a], given[b])[3], rel=1e-9)
    assert {"unbalanced-runs", "runs-lack-units"} & set(analysis.pairs.notes)


@pytest.mark.parametrize("test", ["t", "permutation-mean", "bootstrap-mean", "block-t", "block-permutation"])
def test_tests_of_the_mean_give_way_with_a_note(test):
    scores = read(long_text(tables()))
    labelled = ns.ScoreMatrix(
        values=scores.values, systems=scores.systems, runs=scores.runs, labels={"doc": list("aabbccddeeff")}
    )
    block = "doc" if test.startswith("block") else None
    analysis = ns.analyse(labelled, ns.AnalysisConfig(test=test, block_column=block))
    assert set(analysis.pairs.test) == {"crossed-t"}
    assert "run-test-used" in {note.code for note in analysis.notes}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"test": "wilcoxon"}, "crossed-t, or take the runs as samples"),
        ({"test": "welch-t"}, "crossed-t, or take the runs as samples"),
        ({"correction": "max-t"}, "max-t draws signs"),
        ({"test": "crossed-t", "runs": "samples"}, "runs=training"),
    ],
)
def test_what_runs_cannot_be_asked(settings, said):
    with pytest.raises(ns.AnalysisError, match=said):
        ns.analyse(read(long_text(tables())), ns.AnalysisConfig(**settings))


def test_systems_with_one_run():
    given = tables(runs=(3, 1, 1))
    scores = read(long_text(given))
    analysis = ns.analyse(scores)
    assert np.isnan(analysis.pairs.p_value).all()
    assert "one-run" in {note.code for note in analysis.notes if note.severity == "problem"}
    with pytest.raises(ns.AnalysisError, match="pooled_runs"):
        ns.analyse(scores, ns.AnalysisConfig(test="crossed-t"))
    pooled = ns.analyse(scores, ns.AnalysisConfig(pooled_runs=True))
    assert not np.isnan(pooled.pairs.p_value).any()
    assert not np.isnan(pooled.leaderboard.interval).any()
    plain = ns.ScoreMatrix(values=scores.values, systems=scores.systems)
    with pytest.raises(ns.AnalysisError, match="needs several runs"):
        ns.analyse(plain, ns.AnalysisConfig(test="crossed-t"))


def test_the_interval_of_a_score_counts_items_and_runs():
    (table, other) = tables(runs=(4, 3))
    analysis = ns.analyse(read(long_text([table, other])))
    n, n_runs = table.shape
    items = np.var(table.mean(axis=1), ddof=1) / n
    means = table.mean(axis=0)
    rest = table - table.mean(axis=1, keepdims=True) - means + table.mean()
    v, residual = np.var(means, ddof=1), (rest**2).sum() / ((n - 1) * (n_runs - 1))
    total = items + max(0, v - residual / n) / n_runs
    df = total**2 / (items**2 / (n - 1) + (v / n_runs) ** 2 / (n_runs - 1))
    from scipy import stats

    margin = stats.t.ppf(0.975, df) * np.sqrt(total)
    at = analysis.leaderboard.system.index("A")
    assert analysis.leaderboard.interval[at] == pytest.approx([table.mean() - margin, table.mean() + margin])


def test_ranks_vary_more_where_runs_do():
    given = tables(n=400, runs=(3, 3), effects=(1.0, 0.3, 0.3, 0.3))
    given[0] += given[1].mean() - given[0].mean() + 0.1
    scores = read(long_text(given))
    over_runs = board_rank_distribution(ns.analyse(scores))
    items_only = board_rank_distribution(ns.analyse(scores, ns.AnalysisConfig(runs="samples")))
    assert over_runs.runs
    assert not items_only.runs
    assert items_only.best.max() > over_runs.best.max() > 0.5


def test_units_of_several_rows_keep_runs():
    given = tables(n=12, runs=(3, 2))
    analysis = analyse_side(read(long_text(given)), ns.AnalysisConfig(unit_size=3))
    joined = [table.reshape(4, 3, -1).mean(axis=1) for table in given]
    assert analysis.pairs.p_value[0] == pytest.approx(by_loops(*joined)[3], rel=1e-9)


def test_equivalence_over_runs_is_two_tests_over_runs():
    given = tables(n=40, runs=(3, 3))
    scores = read(long_text(given))
    analysis = ns.analyse(scores, ns.AnalysisConfig(equivalence_margin=0.5, correction="none"))
    upper = analyse_side(scores, ns.AnalysisConfig(test="crossed-t", alternative="less", delta=0.5))
    lower = analyse_side(scores, ns.AnalysisConfig(test="crossed-t", alternative="greater", delta=-0.5))
    expected = max(upper.pairs.p_value[0], lower.pairs.p_value[0])
    assert analysis.pairs.p_equivalence[0] == pytest.approx(expected, rel=1e-9)


def test_the_command_line_and_replay(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_bytes(long_text(tables(n=30), column="which"))
    arguments = ["analyse", str(path), "--run-column", "which", "--also", "items"]
    assert main([*arguments, "--out", str(tmp_path / "out"), "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["runs"]["taken_as"] == "training"
    assert [entry["n_runs"] for entry in data["runs"]["systems"]] == [3, 3, 2]
    assert data["pairs"][0]["df"] > 0
    assert (
        (tmp_path / "out" / "items.csv").read_text(encoding="utf-8").startswith("unit,mean,solved,item_rest")
    )
    assert "df" in (tmp_path / "out" / "pairs.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert "What varies" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    again = ["analyse", str(path), "--config", str(tmp_path / "out" / "analysis.json"), "--json", "-"]
    assert main(again) == 0
    assert json.loads(capsys.readouterr().out) == data
    assert main([*again, "--runs", "samples"]) == 0
    as_samples = json.loads(capsys.readouterr().out)
    assert as_samples["pairs"][0]["test"] == "permutation-mean"
    assert "df" not in as_samples["pairs"][0]
    assert main(["analyse", str(path), "--run-column", "nothing"]) == 2
    assert "no column 'nothing'" in capsys.readouterr().err


def test_power_counts_items_and_runs():
    """The detectable difference is the noncentral t's over V; more items shrink one part of it only."""
    from scipy import stats

    from nlpstat_core.power import board_power, neighbours

    given = tables(n=40, runs=(4, 3), effects=(1.0, 0.5, 0.3, 0.6), difference=0.3)
    scores = read(long_text(given))
    analysis = ns.analyse(scores, ns.AnalysisConfig(correction="none"))
    _, df, total, _ = by_loops(*given)
    found = board_power(analysis, 0.8)
    limit = stats.t.ppf(0.975, df)
    shift = found.detectable[0] / np.sqrt(total)
    power = stats.nct.sf(limit, df, shift) + stats.nct.cdf(-limit, df, shift)
    assert power == pytest.approx(0.8, abs=2e-3)
    assert found.smallest_p[0] == 0
    assert "never-significant" not in analysis.pairs.notes
    assert neighbours(analysis, 0.8).needed[0] > 40  # this board's difference is below the detectable one
    assert ns.power_curve(scores, "A", "B", sizes=[10, 40], iterations=50).n_runs == (4, 3)
    assert ns.power_curve(scores, "A", "B", runs="samples", sizes=[10, 40], iterations=50).power.size == 2
