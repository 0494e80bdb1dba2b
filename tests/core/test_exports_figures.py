"""Figures drawn without a browser: valid XML, names as text, signs as in the app, bounded size."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from core.boards import HOSTILE, big_board, hostile_board, matrix, plain_board
from hypothesis import given
from hypothesis import strategies as st

import nlpstat_core as ns
from nlpstat_core.methods.omnibus.nemenyi import nemenyi
from nlpstat_core.report.exports.data.names import short, short_names, visible, width
from nlpstat_core.report.exports.figures.board import board_svg
from nlpstat_core.report.exports.figures.critical_difference import critical_svg
from nlpstat_core.report.exports.figures.intervals import interval_svg, rank_texts, round_marks
from nlpstat_core.report.exports.figures.matrix import matrix_svg
from nlpstat_core.report.exports.tables import square as squares
from nlpstat_core.report.exports.tables.square import BETTER, CONTRADICTION, EQUIVALENT, WORSE, square
from nlpstat_core.report.wording import top_group

SVG = "{http://www.w3.org/2000/svg}"


def average_ranks_svg(analysis):
    return critical_svg(nemenyi(analysis.units))


FIGURES = (matrix_svg, interval_svg, board_svg)


def titles(text):
    return [title.text for title in ElementTree.fromstring(text).iter(f"{SVG}title")]


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("board", [plain_board, hostile_board, big_board])
def test_figures_are_valid_and_tell_where_they_come_from(draw, board):
    analysis = board()
    root = ElementTree.fromstring(draw(analysis))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "rect", "path", "text", "g", "circle")
    }
    sentence = "".join(root.itertext())
    assert analysis.fingerprint in sentence.replace("\n", "")
    assert analysis.signature in root.find(f"{SVG}desc").text
    places = re.findall(r'\b(?<!-)(?:x|y|cx|cy|width|height)="([^"]+)"', draw(analysis))
    numbers = [float(text) for text in places]
    assert np.isfinite(numbers).all()


@pytest.mark.parametrize("draw", [*FIGURES, average_ranks_svg])
def test_nothing_that_a_strict_policy_forbids(draw):
    text = draw(hostile_board())
    assert " style=" not in text
    assert not re.search(r"<(?!/?(svg|title|desc|rect|path|text|g|circle)\b)", text)
    assert not re.search(r'\son\w+="', text)
    assert "\u202e" not in text


def test_every_pair_tells_its_sentence_once():
    analysis = plain_board()
    seen = titles(matrix_svg(analysis))
    assert len(seen) == 1 + len(analysis.pairs)
    assert any("Alpha is better than Delta" in text for text in seen)


def test_hover_names_are_whole_while_labels_are_short():
    text = interval_svg(hostile_board())
    assert any("x" * 200 in sentence for sentence in titles(text))
    assert not re.search(r">[^<]*x{60}", re.sub(r"<title>.*?</title>", "", text))


def test_big_boards_stay_small():
    text = matrix_svg(big_board())
    assert len(titles(text)) == 1
    assert len(text) < 400_000
    assert "the first 10 of 70 systems" in matrix_svg(big_board(), most=10)


def test_the_square_agrees_with_the_pair_table():
    analysis = ns.analyse(plain_board().scores, ns.AnalysisConfig(resamples=200))  # effect sizes play no part
    drawn = square(analysis, 99)
    pairs = analysis.pairs
    for r, row in enumerate(drawn.names):
        for c, column in enumerate(drawn.names):
            if r == c:
                assert drawn.pair[r, c] == -1
                continue
            one = analysis.pair(row, column)
            expected = 0 if one.better is None else BETTER if one.better == row else WORSE
            assert drawn.verdict[r, c] == expected
            assert (drawn.band[r, c] > 1) == one.significant
            assert pairs.p_adjusted[drawn.pair[r, c]] == one.p_adjusted


def test_every_verdict_has_its_own_sign():
    values = matrix(("A", "B", "C")).values
    scores = ns.ScoreMatrix(
        values=np.column_stack([values[:, 0], values[:, 0] + 1e-4, values[:, 2] - 9]), systems="ABC"
    )
    analysis = ns.analyse(scores, ns.AnalysisConfig(test="wilcoxon", equivalence_margin=0.5, baseline="C"))
    assert square(analysis, 9).verdict.max() in (BETTER, WORSE)
    both = ns.analyse(
        scores,
        ns.AnalysisConfig(test="wilcoxon", equivalence_margin=0.5, alternative="greater", baseline="B"),
    )
    assert EQUIVALENT in square(both, 9).verdict
    rng = np.random.default_rng(0)
    skewed = rng.exponential(size=200) ** 3
    against = ns.ScoreMatrix(values=np.column_stack([skewed - 3.0, np.zeros(200)]), systems="AB")
    assert CONTRADICTION in square(ns.analyse(against, ns.AnalysisConfig(test="sign")), 9).verdict
    assert len(set(squares.SIGNS)) == len(squares.SIGNS) == len(squares.SIGN_WORDS)
    assert "opposite directions" in matrix_svg(ns.analyse(against, ns.AnalysisConfig(test="sign")))


def test_colours_get_darker_with_the_evidence():
    grey = [sum(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in squares.COLOURS]
    assert grey == sorted(grey, reverse=True)


def test_undefined_ranks_are_blank():
    analysis = ns.analyse(matrix("AB"), ns.AnalysisConfig(baseline="B"))
    assert rank_texts(analysis) == ["", ""]
    assert ElementTree.fromstring(interval_svg(analysis)) is not None
    assert ElementTree.fromstring(matrix_svg(analysis)) is not None


def test_a_system_without_scores_is_drawn():
    values = matrix("ABC").values.copy()
    values[:, 1] = np.nan
    analysis = ns.analyse(ns.ScoreMatrix(values=values, systems="ABC"))
    assert "no score" in interval_svg(analysis)
    assert ElementTree.fromstring(matrix_svg(analysis)) is not None


@given(st.text(max_size=80), st.integers(5, 40))
def test_short_names_fit_and_show_no_control_characters(name, limit):
    cut = short(name, limit)
    assert width(cut) <= max(limit, 0)
    assert visible(cut) == cut


@given(st.lists(st.text(st.characters(codec="ascii"), min_size=1, max_size=60), max_size=8, unique=True))
def test_short_names_differ(names):
    printable = [name for name in names if visible(name) == name and "#" not in name]
    assert len(set(short_names(printable, 12))) == len(printable)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_marks_are_inside_and_few(low, span):
    marks = round_marks(low, low + span)
    assert len(marks) <= 11
    assert all(low - 1e-6 * span <= mark <= low + span * (1 + 1e-6) for mark in marks)


def test_hostile_names_are_all_there():
    assert len(HOSTILE) == len(set(HOSTILE)) == hostile_board().units.n_systems


def rows_of(text, left, right):
    """Texts of a figure between two x, by their y."""
    found = {}
    for element in ElementTree.fromstring(text).iter(f"{SVG}text"):
        if left <= float(element.get("x")) <= right:
            found.setdefault(float(element.get("y")), []).append(element.text)
    return found


def test_rows_of_the_board_figure_are_the_systems_in_their_order():
    analysis = plain_board()
    board, text = analysis.leaderboard, board_svg(analysis)
    rows = [
        " ".join(texts) for y, texts in sorted(rows_of(text, 0, 400).items()) if 55 < y < 55 + 20 * len(board)
    ]
    assert len(rows) == len(board)
    for i, row in enumerate(rows):
        assert row.startswith(
            f"{board.rank[i]} {board.system[i]} {'●' if board.system[i] in top_group(board) else ' '} "
            f"{rank_texts(analysis)[i]} {board.letters[i]}"
        )
    assert len(titles(text)) == 1 + len(analysis.pairs) + len(board)
    assert "the first 10 of 70 systems" in board_svg(big_board(), most=10)


def test_bars_and_names_of_the_critical_difference_diagram():
    values = np.random.default_rng(2).normal([0, 0.1, 2, 2.1, 6], size=(30, 5))
    found = nemenyi(ns.ScoreMatrix(values=values, systems=tuple("ABCDE")))
    text = critical_svg(found)
    sentence = "".join(ElementTree.fromstring(text).itertext())
    for name, rank in zip(found.systems, found.average_rank, strict=True):
        assert f"{name}  {rank:.2f}" in sentence
    assert text.count('stroke-width="4"') == len(found.groups) == 2
    assert f"CD = {found.critical_difference:.3g}" in sentence


def test_against_a_baseline_the_board_figure_is_a_forest_plot():
    values = np.random.default_rng(4).normal([0.0, 0.1, 2.0, -2.0], 1.0, size=(40, 4))
    scores = ns.ScoreMatrix(values=values, systems=("<base>", "B&", "up", "down"))
    analysis = ns.analyse(scores, ns.AnalysisConfig(baseline="<base>", equivalence_margin=1.0))
    text = board_svg(analysis)
    seen = titles(text)
    assert len(seen) == 1 + 3  # the figure and every system but the baseline
    assert any("up is better than <base>" in sentence for sentence in seen)
    drawn = [element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text")]
    gaps = dict(zip(("up", "B&", "down"), (values[:, [2, 1, 3]] - values[:, :1]).mean(axis=0), strict=True))
    assert [name for name in drawn if name in gaps] == sorted(gaps, key=gaps.get, reverse=True)
    for gap in gaps.values():
        assert f"{gap:.2f}" in drawn
