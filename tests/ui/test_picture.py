"""The core's figures on the leaderboard: the board in one picture, ranks over resamples, average ranks."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from ui.driver import finished, go, score_file, unfold, upload, words

from dashboard.figures.ranks import SEEN, ranks_figure
from dashboard.leaderboard.ranks import ranks_table
from dashboard.parts.leaderboard import _name_width
from dashboard.theme import DARK, LIGHT
from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution
from nlpstat_core.readers import read_scores


def pictures(at) -> list[str]:
    return [image.alt for block in at.get("image") for image in block.proto.imgs]


def board_of(at):
    return next(frame.value for frame in at.dataframe if "Letters" in frame.value.columns)


def test_the_picture_has_a_text_alternative_and_a_download(app) -> None:
    upload(app, score_file(5))
    go(app, "leaderboard")
    unfold(app)
    assert not app.exception
    assert any(
        "The board in one picture" in alt and "pairs are found to differ" in alt for alt in pictures(app)
    )
    assert any(button.label == "Download board.svg" for button in app.get("download_button"))


@pytest.mark.parametrize(("theme", "sheet"), [("dark", "invert"), ("light", "background: white")])
def test_the_picture_is_no_white_sheet_on_a_dark_page(app, monkeypatch, theme, sheet) -> None:
    monkeypatch.setattr("dashboard.parts.svg.palette_of", lambda _: {"dark": DARK, "light": LIGHT}[theme])
    upload(app, score_file(5))
    unfold(go(app, "leaderboard"))
    assert any(
        ".st-key-svg-board img" in one.proto.body and sheet in one.proto.body for one in app.get("html")
    )


def test_names_below_the_rows_that_the_grid_measures_are_not_cut() -> None:
    names = [f"s{place}" for place in range(12)]
    assert _name_width(pd.DataFrame({"System": names[:9]})) is None
    assert _name_width(pd.DataFrame({"System": names})) == 80  # no narrower than its head
    assert _name_width(pd.DataFrame({"System": [*names, "Unbabel-Tower70B"]})) >= 16 * 7
    assert _name_width(pd.DataFrame({"System": ["Unbabel-Tower70B", *names]})) is None
    assert _name_width(pd.DataFrame({"System": [*names, "x" * 90]})) == 200


def test_of_a_long_board_the_beginning_is_drawn(app) -> None:
    upload(app, score_file(61, 12))
    go(app, "leaderboard")
    unfold(app)
    assert not app.exception
    assert "the first 26 systems" in words(app)
    finished(app.toggle(key="whole picture").set_value(True).run())
    assert "the first 60 systems" in words(app)


def test_the_board_tells_how_often_each_system_is_best(app) -> None:
    upload(app, score_file(5))
    unfold(go(app, "leaderboard"))
    analysis = analyse(read_scores((score_file(5), "scores.csv")))
    found = board_rank_distribution(analysis)
    np.testing.assert_allclose(board_of(app)["Best"], 100 * found.best[analysis.leaderboard.column])
    table = next(
        item for item in app.dataframe if "Best" in item.value.columns and "Score" in item.value.columns
    )
    assert "Not a p-value" in json.loads(table.proto.columns)["Best"]["help"]
    assert "Best in how many of 10,000 test sets" in words(app)
    table = ranks_table(analysis, found)
    assert list(table["System"]) == list(analysis.leaderboard.system)
    np.testing.assert_allclose(table["Mean rank"], found.mean_rank[analysis.leaderboard.column])


def test_where_ranks_take_long_they_are_computed_on_request(app, monkeypatch) -> None:
    monkeypatch.setattr("dashboard.leaderboard.ranks.CHEAP", 10)
    upload(app, score_file(4))
    unfold(go(app, "leaderboard"))
    assert "Best" not in board_of(app).columns
    finished(app.toggle(key="rank probabilities").set_value(True).run())
    assert "Best" in board_of(app).columns


def test_rank_figure_escapes_names_and_leaves_out_what_never_happens() -> None:
    shares = np.array([[0.7, 0.3, 0.0, 0.0], [0.3, 0.7 - SEEN / 2, SEEN / 2, 0.0]])
    figure = ranks_figure(["<b>A</b>", "B"], shares)
    assert figure.data[0].z.shape == (2, 2)
    assert "<b>A" not in json.dumps(figure.to_plotly_json(), default=str)


def test_critical_differences_come_with_their_caution_and_a_table(app) -> None:
    upload(app, score_file(4))
    unfold(go(app, "leaderboard"))
    assert any("every item is a data set" in warning.value for warning in app.warning)
    finished(app.toggle(key="critical").set_value(True).run())
    assert not app.exception
    assert any("Critical-difference diagram" in alt for alt in pictures(app))
    assert "apart" in words(app)
    table = next(frame.value for frame in app.dataframe if "Average rank" in frame.value.columns)
    assert list(table["Average rank"]) == sorted(table["Average rank"])


def test_critical_differences_without_a_common_unit_are_explained(app) -> None:
    rows = [f"u{i},{i if i % 2 else ''},{'' if i % 2 else i},{i % 3}" for i in range(20)]
    upload(app, "\n".join(["item,A,B,C", *rows]).encode())
    unfold(go(app, "leaderboard"))
    finished(app.toggle(key="critical").set_value(True).run())
    assert not app.exception
    assert any("an item that every system has" in info.value for info in app.info)


def test_every_test_of_all_systems_is_listed(app) -> None:
    upload(app, score_file(4))
    unfold(go(app, "leaderboard"))
    listed = next(table.value for table in app.table if "All systems together" in table.value.columns)
    assert list(listed["All systems together"])[:2] == ["Friedman", "Iman–Davenport (F)"]
    assert len(listed) == 4
    assert "not which of them differ" in words(app)
