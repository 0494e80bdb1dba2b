"""The board figure: aligned rows, cluster lines, escaped names, a sentence for long boards."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from ui.driver import go, score_file, upload

from dashboard.cells import cells
from dashboard.figures.board import board_figure, row_labels
from nlpstat_core.analysis import analyse
from nlpstat_core.scores import ScoreMatrix


def test_rows_of_both_halves_are_the_systems_of_the_board() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal([0.0, 5.0, 10.0, 10.0], size=(60, 4))
    analysis = analyse(ScoreMatrix(values=values, systems=("<b>A</b>", "B", "C", "D")))
    board, square = analysis.leaderboard, cells(analysis)
    figure = board_figure(board, square, level=0.95)
    scores, colours = figure.data[0], figure.data[1]
    assert list(scores.x) == list(board.score)
    assert list(scores.y) == [0, 1, 2, 3]
    np.testing.assert_array_equal(colours.z, square.colour)
    assert square.names == board.system
    assert len(figure.layout.shapes) == 2 * (len(set(board.cluster)) - 1) > 0
    assert "<b>A" not in json.dumps(figure.to_plotly_json(), default=str)
    labels = row_labels(board)
    assert labels[-1].startswith("4. &lt;b&gt;A")
    assert labels[-1].endswith(f"<b>{board.letters[-1]}</b>")
    many = replace(board, letters=("a b c d e f g",) * 4)
    assert not any("a b c" in label for label in row_labels(many))


def test_the_page_draws_it_with_a_text_alternative(app) -> None:
    upload(app, score_file(5))
    go(app, "leaderboard")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 2


def test_a_long_board_gets_a_sentence(app) -> None:
    upload(app, score_file(61, 12))
    go(app, "leaderboard")
    assert not app.exception
    assert any("up to 60 systems" in info.value for info in app.info)
