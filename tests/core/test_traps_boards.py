"""Mistakes measured in other tools' leaderboards, reports and file handling: one test for each trap."""

import ast
import itertools
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from statsmodels.stats.multitest import multipletests

import nlpstat_core as ns
from dashboard.background import worker_talk
from nlpstat_core import AnalysisConfig
from nlpstat_core.board.ranking.leaderboard import clusters
from nlpstat_core.board.ranking.letters import letters
from nlpstat_core.report.exports.documents.report import report_md

ROOT = Path(__file__).parents[2]
NAMES = tuple("ABCDEFGH")


def board_of(values, **fields):
    return ns.ScoreMatrix(values=values, systems=NAMES[: values.shape[1]], **fields)


def graded(seed, units=80, systems=5, step=0.25):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(units, systems)) + step * np.arange(systems)


@pytest.mark.parametrize("method", ["bonferroni", "sidak", "holm", "holm-sidak", "hochberg", "hommel"])
def test_trap_22_corrections_do_not_weaken_as_the_family_grows(method):
    p = np.array([0.004, 0.011, 0.03])
    before = p
    for m in (3, 6, 45, 190):
        family = np.concatenate([p, np.linspace(0.5, 0.95, m - 3)])
        adjusted = ns.adjust_p_values(family, method)
        names = {"benjamini-hochberg": "fdr_bh", "hochberg": "simes-hochberg"}
        assert_allclose(adjusted, multipletests(family, method=names.get(method, method))[1])
        assert (adjusted[:3] >= before - 1e-15).all()
        assert (adjusted >= family - 1e-15).all()
        before = adjusted[:3]
    assert ns.adjust_p_values([0.2], method)[0] == pytest.approx(0.2)


def test_trap_23_step_down_keeps_the_order_of_the_p_values():
    assert_allclose(ns.adjust_p_values([0.01, 0.011, 0.2], "holm"), [0.03, 0.03, 0.2])
    p = np.random.default_rng(23).random(40) ** 3
    order = np.argsort(p)
    for method in ("holm", "holm-sidak", "hochberg", "hommel", "benjamini-hochberg", "benjamini-yekutieli"):
        assert (np.diff(ns.adjust_p_values(p, method)[order]) >= -1e-15).all()


def test_trap_25_the_family_is_every_pair_once_and_its_size_is_told():
    scores = board_of(graded(25, systems=6))
    found = ns.analyse(scores)
    assert found.family_size == len(found.pairs) == 15
    assert found.to_dict()["family_size"] == 15
    assert "15 p-values" in report_md(found)
    assert ns.analyse(scores, AnalysisConfig(baseline="C")).family_size == 5
    one_sided = ns.analyse(scores, AnalysisConfig(baseline="C", alternative="greater"))
    assert one_sided.family_size == 5  # one direction, not both


def test_trap_26_alpha_reaches_everything_that_depends_on_it():
    scores = board_of(graded(30, units=60, systems=6, step=0.0) + 0.55 * (np.arange(6) > 2))
    strict, loose = (ns.analyse(scores, AnalysisConfig(test="t", alpha=alpha)) for alpha in (0.0001, 0.3))
    assert strict.pairs.significant.sum() < loose.pairs.significant.sum()
    assert strict.leaderboard.letters != loose.leaderboard.letters
    assert not np.array_equal(strict.leaderboard.rank_interval, loose.leaderboard.rank_interval)
    assert strict.leaderboard.cluster.max() < loose.leaderboard.cluster.max()
    assert (strict.pairs.interval[:, 0] < loose.pairs.interval[:, 0]).all()
    assert (strict.leaderboard.interval[:, 0] < loose.leaderboard.interval[:, 0]).all()
    assert "0.0001" in report_md(strict)
    assert "0.3" in report_md(loose)
    assert_array_equal(strict.pairs.p_value, loose.pairs.p_value)


def test_trap_27_no_gate_and_no_pooling_over_other_systems():
    """A pair's own p needs no omnibus test and no other system; only the correction sees them."""
    rng = np.random.default_rng(20)
    values = np.column_stack([rng.normal(0.42, 1, 50), rng.normal(size=(50, 7))])
    config = AnalysisConfig(test="t", correction="none")
    two, eight = (ns.analyse(board_of(values[:, :k]), config) for k in (2, 8))
    assert eight.pairs.p_value[0] == two.pairs.p_value[0]
    assert eight.pairs.significant[0]
    assert two.pairs.significant[0]
    assert eight.omnibus.p_value > 0.05  # told beside the pairs, not a gate before them


def test_trap_28_letters_are_the_matrix_and_lines_need_every_pair():
    rng = np.random.default_rng(28)
    for _ in range(60):
        size = int(rng.integers(2, 8))
        apart = np.triu(rng.random((size, size)) < 0.5, 1)
        apart |= apart.T  # any symmetric matrix, also a non-transitive one
        groups = letters(apart)
        for i, j in itertools.combinations(range(size), 2):
            assert bool(set(groups[i]) & set(groups[j])) != apart[i, j]
    beats = np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)  # only the first beats the third
    assert clusters(beats).tolist() == [1, 1, 1]
    beats[0, 1] = True
    assert clusters(beats).tolist() == [1, 2, 2]


def long_rows():
    rng = np.random.default_rng(32)
    return [(name, f"s{i}", f"{rng.normal():.4f}") for name in "ABC" for i in range(20)]


def read_long(rows):
    text = "\n".join(["system,unit,score", *(",".join(row) for row in rows)])
    return ns.read_scores((text.encode(), "scores.csv"))


def test_trap_32_pairs_are_joined_by_id_and_never_by_position():
    rows = long_rows()
    mixed = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    first, second = (ns.analyse(read_long(each), AnalysisConfig(resamples=200)) for each in (rows, mixed))
    for a, b in itertools.combinations("ABC", 2):
        one, two = first.pair(a, b), second.pair(a, b)
        sign = 1 if one.system_a == two.system_a else -1
        assert one.p_value == two.p_value
        assert one.difference == pytest.approx(sign * two.difference, abs=1e-15)
    with pytest.raises(ns.ScoreFileError, match="s3"):
        read_long([*rows, ("B", "s3", "0.5")])


def test_trap_33_missing_scores_are_counted_and_never_zero():
    values = graded(33, units=30, systems=3) + 5
    values[:6, 0] = values[20:, 2] = np.nan
    scores = board_of(values)
    found = ns.analyse(scores)
    assert found.pairs.n_units.tolist() == [24, 14, 20]
    assert found.leaderboard.n_units[list(found.leaderboard.system).index("A")] == 24
    assert found.pairs.score_a[0] == pytest.approx(np.mean(values[6:, 0]))
    assert "14 to 24" in {note.code: note.text for note in found.notes}["pairwise-units"]
    assert "14 to 24" in report_md(found)
    whole = ns.analyse(scores, AnalysisConfig(missing="complete"))
    assert set(whole.pairs.n_units.tolist()) == {14}
    assert "missing:complete" in whole.signature
    with pytest.raises(ns.AnalysisError, match="no score"):
        ns.analyse(scores, AnalysisConfig(missing="error"))


def test_trap_37_not_significant_is_never_called_equal():
    values = np.random.default_rng(37).normal(size=(40, 4))
    found = ns.analyse(board_of(values), AnalysisConfig(test="t"))
    assert not found.pairs.significant.any()
    text = report_md(found)
    assert "No evidence of a difference" in text
    assert not re.search(r"\b(are|is) (equal|the same|identical)\b|no difference between", text)
    assert "equivalent" not in text
    narrow = ns.analyse(board_of(values), AnalysisConfig(test="t", equivalence_margin=5.0))
    assert set(narrow.pairs.verdict) == {"equivalent"}
    assert "±5" in report_md(narrow)


def test_trap_38_the_best_is_found_below_zero_upside_down_tied_and_among_many():
    values = graded(38) - 10
    assert ns.analyse(board_of(values)).leaderboard.system[0] == "E"
    upside_down = ns.analyse(board_of(values, lower_is_better=True)).leaderboard
    assert upside_down.system[0] == "A"
    assert upside_down.rank[0] == 1
    tied = np.column_stack([values[:, 4], values[:, 0], values[:, 4]])
    assert ns.analyse(board_of(tied)).leaderboard.rank.tolist() == [1, 1, 3]
    rng = np.random.default_rng(1)
    many = rng.normal(size=(40, 60)) + 0.9 * np.arange(60)
    wide = ns.analyse(ns.ScoreMatrix(values=many, systems=tuple(f"s{i}" for i in range(60))))
    marks = wide.leaderboard.letters
    assert len(set("".join(marks))) > 1
    assert len(marks) == 60
    assert len(set(marks)) > 26


def test_trap_41_ranks_come_from_paired_differences_not_from_overlapping_intervals():
    rng = np.random.default_rng(41)
    items = rng.normal(0, 3, 100)
    values = np.column_stack([items + 0.3 + rng.normal(0, 0.2, 100), items + rng.normal(0, 0.2, 100)])
    found = ns.analyse(board_of(values))
    intervals = found.leaderboard.interval
    assert intervals[1, 0] < intervals[0, 0] < intervals[1, 1]  # they overlap widely
    assert found.pairs.separated[0]
    assert found.leaderboard.rank_interval.tolist() == [[1, 1], [2, 2]]


def test_trap_44_results_belong_to_the_content_not_to_the_file_name():
    first = ns.read_scores((b"item,A,B\na,1,2\nb,3,4\nc,5,7\n", "scores.csv"))
    second = ns.read_scores((b"item,A,B\na,1,2\nb,3,4\nc,5,8\n", "scores.csv"))
    renamed = ns.read_scores((b"item,A,B\na,1,2\nb,3,4\nc,5,7\n", "other.csv"))
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == renamed.fingerprint
    rows = replace(first, values=first.values[::-1].copy())
    assert rows.fingerprint != first.fingerprint


def test_trap_45_no_shell_and_no_temporary_files():
    """A user's scores stay in memory: the app's worker processes, which get them through pipes, are the only
    program started, always the same and without a shell; only what somebody names a file for is written:
    --out, --junit, a figure's save, the files of pytest's plugin."""
    forbidden = {"subprocess", "tempfile", "shelve", "sqlite3", "pickle"}
    calls = {"system", "popen", "mkdtemp", "write_text", "write_bytes"}
    exports, cli = ROOT / "nlpstat_core" / "report" / "exports", ROOT / "nlpstat_core" / "cli"
    writes = {exports / "data" / "files.py", exports / "figures" / "kinds.py", cli / "output.py"}
    writes.add(ROOT / "nlpstat_core" / "testing" / "plugin.py")
    background = ROOT / "dashboard" / "background"
    processes, pipes = background / "worker_talk.py", background / "packets.py"
    # A hostile workbook can abort a compiled reader: it is read by a process of its own, through pipes.
    workbook = ROOT / "nlpstat_core" / "readers" / "open" / "workbook.py"
    allowed = {(processes, "subprocess"), (pipes, "pickle"), (workbook, "subprocess")}
    # What went wrong with a process, told from what went wrong with its work.
    allowed |= {(background / "workers.py", "subprocess"), (background / "workers.py", "pickle")}
    # Gold and outputs, and battles, packed and unpacked by workers.
    allowed |= {(background / "submissions.py", "pickle"), (background / "preferences.py", "pickle")}
    allowed.add((cli / "serve.py", "subprocess"))  # `serve` starts the app
    keeping = ROOT / "nlpstat_core" / "saved_boards" / "keeping.py"
    allowed.add((keeping, "sqlite3"))  # copies a database somebody has configured
    assert "shell" not in workbook.read_text(encoding="utf-8")
    assert (sys.executable, "-m", "dashboard.background.worker_process") == worker_talk.PROGRAM
    source = processes.read_text(encoding="utf-8")
    assert "shell" not in source
    assert source.count("Popen(") == source.count("(*PROGRAM, ") == 1
    assert "Popen(" not in (background / "workers.py").read_text(encoding="utf-8")
    found = []
    for folder in ("nlpstat_core", "dashboard", "pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found += [(path, n.name) for n in node.names if n.name.split(".")[0] in forbidden]
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in forbidden:
                    found.append((path, node.module))
                is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                if is_call and node.func.attr in calls and path not in writes:
                    found.append((path, node.func.attr))
    assert set(found) == allowed


def test_every_trap_has_a_test_that_names_it():
    """The list of measured mistakes has 45 entries; a test's name holds the numbers it is about."""
    named = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"def (test_trap_\w+)", path.read_text(encoding="utf-8")):
            run = re.match(r"test_trap_((?:\d+_(?:and_)?)+)", name + "_")
            named |= {int(number) for number in re.findall(r"\d+", run[1])}
    assert sorted(named) == list(range(1, 46))
