"""Figures draw what they are given, and nothing depends on colour alone."""

from __future__ import annotations

import colorsys

import numpy as np
import plotly.graph_objects as go
import pytest

from dashboard.figures.bins import bins
from dashboard.figures.cells import DIFFERENCE_VIEW, Cells, cells, evidence
from dashboard.figures.heatmap import heatmap_figure
from dashboard.figures.histograms import histogram_figure
from dashboard.figures.leaderboard import leaderboard_figure
from dashboard.figures.metrics import EDGE, HEIGHT, WIDTH, label_places
from dashboard.heatmap.page import legend
from dashboard.parts.chart_table import figure_table
from dashboard.parts.tables import cells_table, decimals, leaderboard_table
from dashboard.theme import BLUE, EVIDENCE, NO_EVIDENCE
from nlpstat_core import AnalysisConfig, ScoreMatrix, analyse
from nlpstat_core.report.exports.tables.square import BETTER, SIGNS, WORSE
from nlpstat_core.report.wording import top_group, verdict_sentence
from nlpstat_core.report.wording.few_units import MARK, legend_words


def luminance(colour: str) -> float:
    """What is left of a colour in grey print, between 0 and 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return round(colorsys.rgb_to_yiq(red, green, blue)[0], 6)


@pytest.fixture(scope="module")
def analysis():
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, (60, 5)) + np.array([0.0, 2.0, 0.1, 1.0, 0.0])
    values[:, 4] = values[:, 0]
    return analyse(ScoreMatrix(values=values, systems=("A", "<b>B</b>", "C", "D", "E")), AnalysisConfig())


def test_cells_are_in_the_order_of_the_leaderboard(analysis) -> None:
    square = cells(analysis)
    assert square.names == analysis.leaderboard.system
    adjusted = analysis.p_matrix().loc[list(square.names), list(square.names)].to_numpy()
    np.testing.assert_array_equal(square.values, adjusted)


def test_cells_tell_the_verdict_sentence(analysis) -> None:
    square = cells(analysis)
    pairs = analysis.pairs
    for row in range(len(pairs)):
        i, j = (square.names.index(pairs.systems[k]) for k in (pairs.left[row], pairs.right[row]))
        text = verdict_sentence(pairs, row, analysis.config, family=analysis.family_size)
        swapped = verdict_sentence(pairs, row, analysis.config, family=analysis.family_size, swapped=True)
        assert square.sentence[i, j] == text
        assert square.sentence[j, i] == swapped  # the row minus the column, as a click opens the pair
        assert bool(square.verdict[i, j]) == bool(pairs.significant[row])
        if pairs.separated[row]:
            better = square.names.index(pairs.better[row])
            other = i + j - better
            assert square.verdict[better, other] == BETTER
            assert square.verdict[other, better] == WORSE


def test_differences_are_row_minus_column(analysis) -> None:
    square = cells(analysis, DIFFERENCE_VIEW)
    scores = dict(zip(analysis.leaderboard.system, analysis.leaderboard.score, strict=True))
    for i, row in enumerate(square.names):
        for j, column in enumerate(square.names):
            if i != j:
                assert square.values[i, j] == pytest.approx(scores[row] - scores[column])
    np.testing.assert_allclose(square.values, -square.values.T)


@pytest.mark.parametrize("seed", range(20))
def test_no_label_of_a_system_covers_another_or_a_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 25))
    letters = rng.integers(1, 18, 25)
    places = label_places(x, y, letters.tolist())
    across, up = (size * (v - v.min()) / np.ptp(v) for v, size in ((x, WIDTH), (y, HEIGHT - 120)))
    shift = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
    half, boxes = 7 * letters / 2, []
    for i, place in enumerate(places):
        if place:
            right, above = shift[place]
            boxes.append(
                (across[i] + right * (half[i] + 7), up[i] + above * 14, half[i], 6.5 + abs(above) / 2)
            )
    assert len(boxes) >= 10
    for i, (left, low, wide, high) in enumerate(boxes):
        assert -EDGE <= left - wide <= left + wide <= WIDTH + EDGE
        assert not ((abs(across - left) < wide) & (abs(up - low) < high)).any()
        for other in boxes[:i]:
            assert abs(other[0] - left) >= other[2] + wide - 1 or abs(other[1] - low) >= other[3] + high - 1


def test_some_systems_only(analysis) -> None:
    square = cells(analysis, "p", [1, 3])
    assert square.names == (analysis.leaderboard.system[1], analysis.leaderboard.system[3])
    assert square.size == 2


@pytest.mark.parametrize("view", ["p", DIFFERENCE_VIEW, "cohen-d"])
def test_heatmap_traces(analysis, view: str) -> None:
    square = cells(analysis, view)
    figure = heatmap_figure(square)
    np.testing.assert_array_equal(figure.data[0].z, square.colour)
    clickable = figure.data[-1]
    assert clickable.name == "pairs"
    assert set(zip(clickable.y, clickable.x, strict=True)) == set(np.ndindex(5, 5))
    signs = figure.data[1:-1]
    assert sum(len(trace.x) for trace in signs) == np.count_nonzero(square.verdict)
    assert "&lt;b&gt;B&lt;/b&gt;" in figure.layout.xaxis.ticktext
    assert all("<b>" not in text for text in clickable.hovertext)
    for text, row, column in zip(clickable.hovertext, clickable.y, clickable.x, strict=True):
        sentence = text.replace("<br>", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        assert sentence == (square.names[row] if row == column else square.sentence[row, column])


def test_pairs_that_rest_on_a_few_units_carry_a_mark() -> None:
    """A mark of its own, not a colour: it survives grey print; hover, table and leaderboard have it, too."""
    rng = np.random.default_rng(4)
    values = rng.normal(size=(300, 1)) + rng.normal(0, 0.2, (300, 3)) + np.array([3.0, 0.0, 1.5])
    values[7, 2] -= 60
    found = analyse(ScoreMatrix(values=values, systems=("A", "B", "C")), AnalysisConfig())
    few = found.pairs.rests_on_few
    assert 0 < few.sum() < len(few)
    square = cells(found)
    assert square.few.sum() == 2 * few.sum()
    figure = heatmap_figure(square)
    marks = [trace for trace in figure.data if trace.name == MARK]
    drawn = {(int(y), round(x - 0.12)) for trace in marks for y, x in zip(trace.y, trace.x, strict=True)}
    assert drawn == set(zip(*(at.tolist() for at in np.nonzero(square.few)), strict=True))
    assert all(trace.text == MARK and trace.mode == "text" for trace in marks)
    assert figure.data[-1].name == "pairs"
    told = np.array([[f"({MARK})" in text for text in row] for row in square.sentence])
    np.testing.assert_array_equal(told, square.few)
    table = cells_table(square)
    np.testing.assert_array_equal([[MARK in text for text in row] for row in table.to_numpy()], square.few)
    assert f"{MARK} rests on a few items" in legend(square, few=legend_words(found))
    counts = leaderboard_table(found).set_index("System")[f"Pairs {MARK}"]
    for name in found.leaderboard.system:
        own = (found.pairs.system_a == name) | (found.pairs.system_b == name)
        assert counts[name] == few[own].sum()


def test_no_mark_where_no_pair_rests_on_a_few_units(analysis) -> None:
    square = cells(analysis)
    assert not any(trace.name == MARK for trace in heatmap_figure(square).data)
    assert MARK not in legend(square, few=legend_words(analysis))
    assert not any(MARK in column for column in leaderboard_table(analysis))


def test_large_heatmaps_use_the_canvas(analysis) -> None:
    square = cells(analysis)
    big = 90
    blank = np.full((big, big), "", dtype=object)
    large = Cells(
        names=tuple(map(str, range(big))),
        view="p",
        label="p",
        values=np.ones((big, big)),
        colour=np.zeros((big, big)),
        ticks=square.ticks,
        verdict=np.zeros((big, big), dtype=np.int8),
        sentence=blank,
        text=blank,
    )
    assert isinstance(heatmap_figure(large).data[-1], go.Scattergl)
    assert isinstance(heatmap_figure(square).data[-1], go.Scatter)


def test_brightness_alone_orders_the_evidence() -> None:
    scale = [luminance(colour) for colour in (*NO_EVIDENCE, *EVIDENCE)]
    assert scale == sorted(scale, reverse=True)
    assert scale[1] - scale[2] > 0.15
    places = evidence(np.array([1.0, 0.5, 0.051, 0.05, 0.01, 1e-8]), 0.05)
    assert list(places) == sorted(places)
    assert places[2] < 0.5 < places[3]


def test_every_verdict_has_its_own_sign() -> None:
    assert len(set(SIGNS)) == len(SIGNS)


def test_table_twin_holds_signs_and_values(analysis) -> None:
    square = cells(analysis)
    table = cells_table(square)
    assert list(table.columns) == list(square.names)
    assert table.iloc[0, 0] == ""
    assert table.iloc[0, 4].startswith("▲") == (square.verdict[0, 4] == BETTER)


def test_leaderboard_figure_and_table(analysis) -> None:
    board = analysis.leaderboard
    figure = leaderboard_figure(board, level=0.95)
    np.testing.assert_array_equal(figure.data[0].x, board.score)
    assert len(figure.layout.shapes) == np.count_nonzero(np.diff(board.cluster))
    table = leaderboard_table(analysis)
    assert list(table["System"]) == list(board.system)
    assert list(table["System"][table["Top"] == "●"]) == list(top_group(board))
    assert all(sum(bars) == 60 for bars in table["Distribution"])
    assert decimals(board) == 2


def test_histogram_counts_everything() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    found = bins(values)
    figure = histogram_figure(found, name="a", colour=BLUE, mean=0.6, zero=True)
    assert list(figure.data[0].y) == [2, 3]
    for values in (np.zeros(4), np.arange(1000.0) ** 2, np.array([1.0, np.nan, 2.0]), np.array([])):
        assert bins(values).counts.sum() == np.isfinite(values).sum()


def test_lines_and_bars_as_a_table() -> None:
    figure = go.Figure(
        [
            go.Scatter(x=[10, 20, 40], y=[0.3, 0.2, 0.1], name="2 runs"),
            go.Scatter(x=[20], y=[0.25], name="now"),
        ],
        {"xaxis": {"title": {"text": "Items"}}, "yaxis": {"title": {"text": "Standard error"}}},
    )
    table = figure_table(figure)
    assert list(table.columns) == ["Items", "2 runs", "now"]
    assert table["Items"].tolist() == [10, 20, 40]
    assert table["2 runs"].tolist() == [0.3, 0.2, 0.1]
    assert table["now"].dropna().tolist() == [0.25]
    bars = figure_table(go.Figure(go.Bar(x=[0.1, 0.3], y=[5, 6]), figure.layout))
    assert bars.to_dict("list") == {"Items": [0.1, 0.3], "Standard error": [5.0, 6.0]}
