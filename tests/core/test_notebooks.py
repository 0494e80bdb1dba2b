"""What a notebook shows of results: short texts, the report's tables, figures; names stay text."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest

import nlpstat_core as ns


@pytest.fixture(scope="module")
def analysis():
    random = np.random.default_rng(1)
    values = random.normal(0, 1, (40, 4)) + np.array([0, 0, 1, 3])
    return ns.analyse(ns.ScoreMatrix(values=values, systems=["<b>a</b>", "b|c", "c", "d"]))


def test_texts_are_short(analysis):
    pair = analysis.pair("c", "d")
    curve = ns.power_curve(analysis.scores, "c", "d", sizes=[10, 20], iterations=20)
    boards = ns.analyse_boards({"x": analysis.scores, "y": analysis.scores}, each="metric")
    for shown in (analysis, pair, curve, boards):
        assert len(repr(shown)) < 300
        assert "array(" not in repr(shown)
    assert "4 systems × 40 items" in repr(analysis)
    assert "c − d" in repr(pair)
    assert "10 to 20 items" in repr(curve)
    assert repr(boards) == "<Boards: 2 by metric: x, y>"


def test_tables_are_those_of_the_report(analysis):
    boards = ns.analyse_boards({"x": analysis.scores, "y": analysis.scores}, each="metric")
    for shown in (analysis, analysis.pair("c", "d"), boards):
        assert "<table>" in shown._repr_html_()
        assert "| ---" in shown._repr_markdown_()
    assert "<b>a" not in analysis._repr_html_()
    assert "&lt;b&gt;a" in analysis._repr_html_()
    assert "b\\|c" in analysis._repr_markdown_()
    assert "| 10 |" in ns.power_curve(analysis.scores, "c", "d", sizes=[10], iterations=20)._repr_markdown_()


@pytest.mark.parametrize("kind", ["board", "heatmap", "intervals", "critical-difference"])
def test_figures_are_vector_graphics(analysis, kind, tmp_path):
    figure = analysis.figure(kind)
    assert xml.fromstring(figure._repr_svg_()).tag.endswith("svg")
    figure.save(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8") == figure.svg
    assert len(repr(figure)) < 100


def test_what_figures_refuse(analysis, tmp_path):
    with pytest.raises(ns.ConfigError, match="heatmap"):
        analysis.figure("heatmp")
    with pytest.raises(ns.NlpstatError, match="can't be written"):
        analysis.figure("board").save(tmp_path)
    with pytest.raises(ns.ConfigError, match=r"name the file 'board\.svg'"):
        analysis.figure("board").save(tmp_path / "board.png")
    assert not list(tmp_path.iterdir())
    many = ns.ScoreMatrix(
        values=np.random.default_rng(2).normal(0, 1, (10, 80)), systems=[f"s{i}" for i in range(80)]
    )
    with pytest.raises(ns.AnalysisError, match="80"):
        ns.analyse(many, ns.AnalysisConfig(test="t")).figure("critical-difference")
