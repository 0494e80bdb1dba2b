"""Sections that are in a report only where somebody chose them: formats, files, references, odd names."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from core.tex import compile_tex

import nlpstat_core as ns
from nlpstat_core.analysis.sections import SECTIONS, sections, split_keys
from nlpstat_core.cli import main
from nlpstat_core.report.exports.documents.audit import audit_tex
from nlpstat_core.report.exports.documents.metrics import metrics_tex
from nlpstat_core.report.exports.documents.posterior import posterior_tex
from nlpstat_core.report.exports.documents.report import (
    methods_text,
    references_bib,
    report_html,
    report_md,
    report_tex,
)
from nlpstat_core.report.exports.documents.sections import audit_section, metrics_section, posterior_section
from nlpstat_core.report.exports.folder import bundle, write_folder
from nlpstat_core.report.wording.cost import front_headline

NAMES = ["<b>&amp;", "a|b_%", "Ünïcode", "x" * 60]
TITLES = ("A Bayesian answer", "Audit of the procedure", "Metrics judged by people")


def values(seed=0):
    return np.random.default_rng(seed).normal(size=(40, 4)).round(2) + np.arange(4) / 4


@pytest.fixture(scope="module")
def analysis():
    scores = ns.ScoreMatrix(values=values(), systems=NAMES)
    return ns.analyse(scores, ns.AnalysisConfig(test="t", equivalence_margin=0.1, effects=()))


@pytest.fixture(scope="module")
def chosen(analysis):
    people = {
        name: ns.ScoreMatrix(values=values(seed), systems=NAMES)
        for name, seed in (("MQM", 0), ("<i>", 1), ("TER|", 2))
    }
    return (
        posterior_section(ns.posterior(analysis)),
        audit_section(ns.audit(analysis, boards=20, also=("sign",))),
        metrics_section(ns.meta_evaluate(people, resamples=99)),
    )


def test_reports_have_them_only_where_chosen(analysis, chosen):
    for make in (report_html, report_md, report_tex):
        plain, full = make(analysis), make(analysis, chosen)
        for title in TITLES:
            assert title not in plain
            assert full.count(title) >= 1
        assert make(analysis, ()) == plain
    assert "<b>" not in report_html(analysis, chosen)
    assert "<i>" not in report_html(analysis, chosen)
    HTMLParser().feed(report_html(analysis, chosen))
    for table in re.findall(r"(?:^\|.*\n)+", report_md(analysis, chosen), flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    tex = report_tex(analysis, chosen)
    assert tex.count("\\begin{longtable}") == tex.count("\\end{longtable}")
    cited = {key for keys in re.findall(r"\\cite\{([^}]*)\}", tex) for key in keys.split(",")}
    assert cited == set(re.findall(r"\\bibitem\{([^}]*)\}", tex))


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_reports_with_them_compile(engine, analysis, chosen, tmp_path):
    compile_tex(report_tex(analysis, chosen), engine, tmp_path)


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_the_report_on_metrics_compiles(engine, tmp_path):
    people = {
        name: ns.ScoreMatrix(values=values(seed), systems=NAMES)
        for seed, name in enumerate(("MQM", "<i>", "T|"))
    }
    compile_tex(metrics_tex(ns.meta_evaluate(people, resamples=99)), engine, tmp_path)


@pytest.mark.parametrize("columns", ["onecolumn", "twocolumn"])
def test_their_tables_compile_where_they_are_pasted(columns, analysis, tmp_path):
    tables = "\n\nText.\n\n".join(
        [posterior_tex(ns.posterior(analysis)), audit_tex(ns.audit(analysis, boards=20))]
    )
    head = f"\\documentclass[{columns}]{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n"
    compile_tex(f"{head}{tables}\n\\end{{document}}\n", "pdflatex", tmp_path)


def test_methods_cite_what_was_added(analysis, chosen):
    assert "posterior" not in methods_text(analysis)
    text = methods_text(analysis, chosen)
    assert "Rouder et al., 2009" in text
    assert "Thompson et al., 2024" in text
    entries = references_bib(analysis, chosen)
    for key in ("rouder2009", "sadeqiazer2020", "gelman2006", "deutsch2021", "westfall1993"):
        assert f"{{{key}," in entries
        assert f"{{{key}," not in references_bib(analysis)


def test_schools_are_kept_apart_in_every_sentence(chosen):
    posterior, audit, _ = chosen
    text = " ".join(statement.text for statement in posterior.statements)
    assert not re.search(r"\bsignifican|\breject|null hypothesis|p-value", text)
    assert "probability that" not in " ".join(statement.text for statement in audit.statements)


def test_files(analysis, chosen, tmp_path):
    written = {path.name for path in write_folder(analysis, tmp_path / "out", ["zip"], chosen[:2])}
    assert {"posterior.json", "posterior.tex", "audit.json", "audit.csv", "everything.zip"} <= written
    assert "A Bayesian answer" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert len(bundle(analysis, chosen)) > len(bundle(analysis))
    assert split_keys(["xlsx", "posterior", "all", "posterior"]) == (("posterior",), ("xlsx", "all"))
    with pytest.raises(ns.ConfigError, match="Did you mean 'posterior'"):
        split_keys(["posteror"])
    assert [section.key for section in sections(analysis, ["posterior"])] == ["posterior"]
    assert set(SECTIONS) == {"posterior", "audit", "cost"}


def costly(costs=("latency_ms", "to|kens")):
    rng = np.random.default_rng(3)
    values = rng.normal(size=(40, 4)) + np.arange(4)
    of = {name: rng.gamma(3, 1 + place + np.arange(4), size=(40, 4)) for place, name in enumerate(costs)}
    return ns.ScoreMatrix(values=values, systems=NAMES, costs=of)


def test_score_against_every_cost_is_a_section(tmp_path):
    """The same fronts as `score_against_cost`, in every format, with their files."""
    scores = costly()
    board = ns.analyse(scores, ns.AnalysisConfig(test="t", resamples=500, effects=()))
    (section,) = sections(board, ["cost"])
    fronts = [ns.score_against_cost(scores, name, config=board.config) for name in scores.costs]
    assert [one.text for one in section.statements[:4:2]] == [
        front_headline(one).removesuffix(".") for one in fronts
    ]
    assert [table.title for table in section.tables] == [f"{one.metric} against {one.cost}" for one in fronts]
    assert list(section.files) == ["cost.json", "cost.csv", "cost.tex"]
    plain = json.loads(section.files["cost.json"])
    assert [one["cost"] for one in plain] == list(scores.costs)
    assert [row["probability"] for row in plain[1]["systems"]] == fronts[1].probability.tolist()
    assert section.files["cost.csv"].count("\n") == 1 + 2 * 4
    for make in (report_html, report_md, report_tex):
        assert make(board, (section,)).count("Score against cost") >= 1
        assert "Score against cost" not in make(board)
    table = section.files["cost.tex"].replace("\\begin{tabular}", "\\noindent\\begin{tabular}")
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\tiny\n"
    compile_tex(f"{head}{table}\n\\end{{document}}\n", "pdflatex", tmp_path)
    compile_tex(report_tex(board, (section,)), "pdflatex", tmp_path)


def test_score_against_cost_on_the_command_line(tmp_path, capsys):
    rows = [f"s{j},u{i},{i % (j + 3)},{9 * j + i}" for i in range(30) for j in range(3)]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(["system,item,accuracy,latency_ms", *rows]), encoding="utf-8")
    out = tmp_path / "out"
    assert main(["analyse", str(file), "--out", str(out), "--also", "cost", "--quiet"]) == 0
    assert "## Score against cost" in (out / "report.md").read_text(encoding="utf-8")
    assert (out / "cost.csv").exists()
    file.write_text(file.read_text(encoding="utf-8").replace("latency_ms", "domain"), encoding="utf-8")
    capsys.readouterr()
    assert main(["analyse", str(file), "--out", str(tmp_path / "no"), "--also", "cost", "--quiet"]) == 2
    assert "give a column of cost, time, tokens or length" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def long_file(folder):
    lines = ["system,item,MQM,BLEU,COMET"]
    for i, row in enumerate(values()):
        lines += [f"s{j},u{i},{x:.2f},{x + i % 3:.2f},{x * 2:.2f}" for j, x in enumerate(row)]
    path = folder / "m.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_command_line(tmp_path, capsys):
    file, out = long_file(tmp_path), tmp_path / "out"
    assert main(["analyse", file, "--metric", "BLEU", "--out", str(out), "--also", "posterior"]) == 0
    assert json.loads((out / "posterior.json").read_text(encoding="utf-8"))["pairs"]
    each = ["analyse", file, "--each", "metric", "--out", str(tmp_path / "all"), "--also", "metrics"]
    assert main([*each, "--human", "MQM"]) == 0
    page = (tmp_path / "all" / "boards.html").read_text(encoding="utf-8")
    assert "Metrics judged by people" in page
    assert "thompson2024" in page
    assert (tmp_path / "all" / "metrics.json").exists()
    capsys.readouterr()
    for wrong, word in (
        (["--also", "metrics"], "--each metric"),
        (["--human", "MQM"], "--each metric"),
        (["--each", "metric", "--also", "posterior"], "one board"),
        (["--each", "metric", "--also", "metrics", "--human", "MQN"], "MQM"),
        (["--also", "posteriors"], "Did you mean"),
    ):
        metric = [] if "--each" in wrong else ["--metric", "BLEU"]
        assert main(["analyse", file, *metric, "--out", str(tmp_path / "no"), *wrong]) == 2
        text = capsys.readouterr()
        assert text.out == ""
        assert word in text.err
        assert len(text.err.splitlines()) == 1
        assert not (tmp_path / "no").exists()
