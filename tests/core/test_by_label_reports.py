"""Reports of labels and tags: F1 of every label (type of span) with intervals, and what could be found."""

import io
import json
import re
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
import seqeval.metrics as seqeval
from core.tex import compile_tex
from sklearn import metrics

import nlpstat_core as ns
from nlpstat_core.analysis import submissions
from nlpstat_core.analysis.submissions import submission_scores
from nlpstat_core.board.submissions.by_label import label_differences, label_scores
from nlpstat_core.errors import ScoreError
from nlpstat_core.power import board_power
from nlpstat_core.report.exports.documents.excel import workbook
from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex
from nlpstat_core.report.wording.methods import methods
from nlpstat_core.scores.submissions import Submissions

LABELS = ("a", "b|c", "très <rare>")
N = 80


def labelled(measure="macro-f1", gaps=False):
    rng = np.random.default_rng(3)
    gold = [str(label) for label in rng.choice(LABELS, N, p=(0.6, 0.3, 0.1))]
    outputs = {
        name: [own if rng.random() < share else str(rng.choice([*LABELS, "x"])) for own in gold]
        for name, share in (("X", 0.5), ("Y", 0.9))
    }
    if gaps:
        outputs["X"][4] = None
    documents = [f"d{place // 4}" for place in range(N)]
    return Submissions(
        kind="labels",
        items=[f"i{place:02d}" for place in range(N)],
        gold=gold,
        outputs=outputs,
        labels={"document": documents},
        measures=(measure,),
    )


def tagged():
    rng = np.random.default_rng(5)
    tags = ("O", "B-PER", "I-PER", "B-LOC")
    gold = [tuple(map(str, rng.choice(tags, 6, p=(0.5, 0.2, 0.1, 0.2)))) for _ in range(40)]
    outputs = {
        name: [tuple(t if rng.random() < share else str(rng.choice(tags)) for t in row) for row in gold]
        for name, share in (("X", 0.9), ("Y", 0.6))
    }
    items = [str(place) for place in range(40)]
    return Submissions(kind="tags", items=items, gold=gold, outputs=outputs, measures=("span-f1",))


@pytest.mark.parametrize("measure", ["accuracy", "macro-f1"])
def test_reports_and_json_have_every_label(measure):
    board = labelled(measure)
    analysis = ns.analyse(board, ns.AnalysisConfig(alpha=0.1, block_column=None))
    rows = analysis.to_dict()["by_label"]
    assert len(rows) == len(LABELS) * 2
    for row in rows:
        label, column = row["label"], board.outputs[row["system"]]
        known = metrics.precision_recall_fscore_support(
            board.gold, column, labels=[label], average=None, zero_division=0
        )
        told = [row[name] for name in ("precision", "recall", "f1", "support")]
        assert told == pytest.approx([float(one[0]) for one in known], abs=1e-12)
    expected = label_scores(board, 0.9)
    assert [row["low"] for row in rows] == pytest.approx(expected.low.ravel().tolist())
    text = report_md(analysis)
    assert "## Precision, recall and F1 of every label" in text
    assert "at 90 %, by the jackknife that leaves out one item at a time" in text
    table = [line for line in text.partition("F1 of every label")[2].splitlines() if line.startswith("| ")]
    assert table[0] == "| Label | System | In gold | Precision | Recall | F1 | 90 % interval |"
    assert [line.split(" | ")[:2] for line in table[2:4]] == [["| a", "Y"], ["| a", "X"]]  # best first
    html = report_html(analysis)
    assert "très &lt;rare&gt;" in html
    assert "<rare>" not in html
    json.dumps(analysis.to_dict(), allow_nan=False)


def test_without_one_right_answer_there_is_no_interval():
    """Leaving items out never changes an F1 of 0: an interval of one point would claim to know it."""
    gold = ["a"] * 30 + ["b"] * 10
    board = Submissions(
        kind="labels",
        items=[str(place) for place in range(40)],
        gold=gold,
        outputs={"X": ["a"] * 40, "Y": gold[::-1]},
    )
    analysis = ns.analyse(board)
    (row,) = [one for one in analysis.to_dict()["by_label"] if (one["system"], one["label"]) == ("X", "b")]
    assert (row["f1"], row["low"], row["high"]) == (0.0, None, None)
    assert "| b | X | 10 | 0.000 | 0.000 | 0.000 | undefined |" in report_md(analysis)


def test_the_latex_report_with_labels_compiles(tmp_path):
    assert compile_tex(report_tex(ns.analyse(labelled())), "xelatex", tmp_path).exists()


def test_documents_are_left_out_whole():
    board = labelled("accuracy")
    analysis = ns.analyse(board, ns.AnalysisConfig(block_column="document"))
    groups = np.array([int(name[1:]) for name in board.labels["document"]])
    expected = label_scores(board, 0.95, groups)
    assert [row["high"] for row in analysis.to_dict()["by_label"]] == pytest.approx(
        expected.high.ravel().tolist()
    )
    assert "leaves out one document at a time" in report_md(analysis)


def test_labels_follow_the_items_and_systems_that_are_kept():
    board = labelled("accuracy", gaps=True)
    own = ns.analyse(board, ns.AnalysisConfig(block_column=None)).to_dict()["by_label"]
    assert [row["f1"] for row in own] == pytest.approx(label_scores(board, 0.95).f1.ravel().tolist())
    whole = board.rows([place for place in range(N) if place != 4])
    complete = ns.analyse(board, ns.AnalysisConfig(missing="complete", block_column=None))
    assert [row["f1"] for row in complete.to_dict()["by_label"]] == pytest.approx(
        label_scores(whole, 0.95).f1.ravel().tolist()
    )
    scores = submission_scores(labelled())
    turned = scores.columns([1, 0]).rows(np.arange(N)[::-1])
    given = ns.analyse(turned, ns.AnalysisConfig(block_column=None)).to_dict()["by_label"]
    assert {(row["system"], row["label"]): row["f1"] for row in given} == pytest.approx(
        {(row["system"], row["label"]): row["f1"] for row in ns.analyse(scores).to_dict()["by_label"]}
    )
    with pytest.raises(ScoreError, match="the labels behind them are not of the same items"):
        replace(scores, values=scores.values[1:], units=None, labels={}, measured=None)


def test_types_of_spans_have_tables_and_differences():
    board = tagged()
    analysis = ns.analyse(board)
    assert "## Precision, recall and F1 of every type of span" in report_md(analysis)
    found = label_differences(board, "X", "Y", 0.95)
    reports = {
        name: seqeval.classification_report(
            [list(row) for row in board.gold],
            [list(row) for row in column],
            output_dict=True,
            zero_division=0,
        )
        for name, column in board.outputs.items()
    }
    assert found.labels == ("LOC", "PER")
    for place, kind in enumerate(found.labels):
        assert found.f1_a[place] == pytest.approx(reports["X"][kind]["f1-score"], abs=1e-12)
        assert found.f1_b[place] == pytest.approx(reports["Y"][kind]["f1-score"], abs=1e-12)
        assert found.low[place] < found.difference[place] < found.high[place]
    same = label_differences(board, "X", "X", 0.95)
    assert same.difference.tolist() == [0.0, 0.0]
    assert np.isnan(same.low).all()  # nothing varies


def test_the_workbook_has_labels_and_no_scores_of_items_that_a_measure_lacks():
    book = openpyxl.load_workbook(io.BytesIO(workbook(ns.analyse(labelled()))))
    assert "Systems" not in book.sheetnames
    rows = list(book["By label"].iter_rows(values_only=True))
    assert rows[0][:6] == ("label", "system", "in gold", "precision", "recall", "f1")
    assert isinstance(rows[1][5], float)
    assert re.fullmatch(r"\[0\.\d+, [01]\.\d+\]", rows[1][6])
    assert (
        "Systems" in openpyxl.load_workbook(io.BytesIO(workbook(ns.analyse(labelled("accuracy"))))).sheetnames
    )


def test_labels_that_are_too_many_are_left_out(monkeypatch):
    monkeypatch.setattr(submissions, "MOST_LABELS", 2)
    analysis = ns.analyse(labelled())
    assert "by_label" not in analysis.to_dict()
    assert "of every label" not in report_md(analysis)


@pytest.mark.parametrize("documents", [None, "document"])
def test_the_power_statement_of_a_measure(documents):
    analysis = ns.analyse(labelled(), ns.AnalysisConfig(block_column=documents))
    said = next(one.text for one in methods(analysis) if one.text.startswith("Minimum detectable"))
    needed = float(board_power(analysis, 0.8).detectable[0])
    assert f"finds a true difference in macro-F1 of {needed:.4g}" in said
    assert "the swap test at 0.05" in said
    assert "what exchanging outputs moves, to first order" in said
