"""The sentences for a paper as text, LaTeX and Markdown; test_claims tries them on random boards."""

import re
import shutil
import subprocess

import numpy as np
import pytest

import nlpstat_core as ns
from nlpstat_core.cli.terminal import summary
from nlpstat_core.methods.references import REFERENCES
from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex
from nlpstat_core.report.exports.paper.sentence import paper_sentence
from nlpstat_core.report.wording.paper import PAPER_TITLE
from nlpstat_core.scores.runs import Runs

HOSTILE = ("a_b%$", "\\input{x}", "<b>*c*</b>", "x, y", "日本", "[e](http://e.org)", "f\u202eg\nh", "@i")


def analysis_of(systems, gaps=0.0, *, units=40, config=None, **also):
    values = np.random.default_rng(3).normal(size=(units, len(systems))) + gaps
    return ns.analyse(ns.ScoreMatrix(values=values, systems=systems, **also), config or ns.AnalysisConfig())


def test_every_name_of_a_large_top_group_is_there():
    names = [f"S{i}" for i in range(13)]
    found = analysis_of([*names, "last"], [*[0.0] * 13, -3.0])
    said = paper_sentence(found)
    assert f"Top group: {', '.join(found.leaderboard.system[:13])}." in said.text
    assert "14 systems were compared (higher is better) on 40 items, by the permutation test of the mean" in (
        said.text
    )
    assert "significance level is 0.05; the 91 p-values" in said.text
    assert "13 of 91 pairs are found to differ in the mean after Holm at 0.05" in said.text
    assert "holm1979" in said.references
    assert said.bibtex.count("@") >= len(said.references)


def test_all_systems_are_named_where_none_is_separated():
    said = paper_sentence(analysis_of(list("ABC")))
    assert "No two systems are separated, so all 3 are in the top group: " in said.text


def test_hostile_names_are_text_in_every_form():
    said = paper_sentence(analysis_of(HOSTILE, np.linspace(0, 0.1, len(HOSTILE))))
    assert "\n" not in said.text
    assert "\u202e" not in said.text + said.latex + said.markdown
    assert "; x, y" in said.text or "x, y; " in said.text
    assert r"a\_b\%\$" in said.latex
    assert r"\textbackslash{}input\{x\}" in said.latex
    assert "\\input{" not in said.latex
    assert r"\providecommand{\othertext}" in said.latex
    assert r"&lt;b&gt;\*c\*&lt;/b&gt;" in said.markdown
    assert not re.search(r"(?<!\\)\]\(http", said.markdown)
    assert r"\@i" in said.markdown
    cited = re.findall(r"\\cite\{([^}]*)\}", said.latex)
    assert [*dict.fromkeys(key for keys in cited for key in keys.split(","))] == [*said.references]
    assert {*re.findall(r"(?<!\\)@(\w+)", said.markdown)} == {*said.references} <= {*REFERENCES}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_the_latex_compiles_in_a_plain_article(tmp_path):
    said = paper_sentence(analysis_of(HOSTILE))
    whole = f"\\documentclass{{article}}\\begin{{document}}\n{said.latex}\n\\end{{document}}\n"
    (tmp_path / "paper.tex").write_text(whole, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=batchmode", "paper.tex"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, (tmp_path / "paper.log").read_text(errors="replace")[-2000:]


def test_it_is_withheld_while_a_question_is_open():
    rng = np.random.default_rng(2)
    lines = ["item,A,B,C", *(f"u{i},{rng.random():.3f},{100 * rng.random():.1f},0.5" for i in range(30))]
    found = ns.analyse(ns.read_scores(("\n".join(lines).encode(), "scores.csv")))
    assert any(note.severity == "problem" for note in found.notes)
    assert paper_sentence(found) is None
    for text in (summary(found), report_md(found), report_html(found), report_tex(found)):
        assert PAPER_TITLE not in text
        assert "No result is given until" in text.replace("\\allowbreak{}", "")


def test_reports_and_the_terminal_hold_it():
    found = analysis_of(list("ABC"), [0.0, 1.0, 3.0])
    said = paper_sentence(found)
    assert f"{PAPER_TITLE}:\n{said.text}\n" in summary(found)
    for text in (report_md(found), report_html(found), report_tex(found)):
        assert "significantly better than every other system." in text
    assert f"## {PAPER_TITLE}\n\n3 systems were compared" in report_md(found)
    assert f"<h2>{PAPER_TITLE}</h2>\n<p>3 systems were compared" in report_html(found)


def test_documents_and_baselines_are_said():
    labels = {"doc": tuple(f"d{i // 2}" for i in range(40))}
    config = ns.AnalysisConfig(block_column="doc", baseline="B")
    said = paper_sentence(analysis_of(list("ABC"), [2.0, 0.0, -2.0], config=config, labels=labels)).text
    assert "on 40 items in 20 documents, by the block permutation test" in said
    assert "documents, not items, are taken as independent" in said
    assert "Significantly better than B: A. Significantly worse than B: C." in said


def test_several_runs_are_said():
    rng = np.random.default_rng(1)
    tables = [rng.normal(size=(30, 3)) for _ in "AB"]
    runs = Runs(values=tables, names=[["1", "2", "3"]] * 2)
    scores = ns.ScoreMatrix(values=runs.means, systems=("A", "B"), runs=runs)
    said = paper_sentence(ns.analyse(scores)).text
    assert "3 runs" in said
    assert "No evidence of a difference between A and B" in said
