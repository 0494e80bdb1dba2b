"""A platform's export of every kind of task: the board by its measures, its pair and its items."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from ui.driver import button, finished, go, words
from ui.shared_tasks import ITEMS, shared_task
from ui.test_submissions_page import drop, frame_with, leaderboard

from dashboard.background.outputs import OPTIONS
from nlpstat_core import measure_values, read_submissions
from nlpstat_core.measures import MEASURES

# Measures of each kind, the usual one first, and the number that the app shows for the best team.
MEASURES_OF = {
    "labels": ("accuracy", "macro-F1"),
    "numbers": ("Pearson correlation", "MAE"),
    "texts": ("BLEU", "WER"),
    "tags": ("span F1", "strict span F1"),
    "trees": ("LAS", "UAS"),
}


@pytest.mark.parametrize("kind", MEASURES_OF)
def test_an_export_of_every_kind(app: AppTest, kind: str) -> None:
    task = shared_task(kind)
    drop(app, "gold", task.gold)
    drop(app, "outputs", ("export.zip", task.export()))
    assert not app.error
    assert f"**3 systems** · **60 items** with {kind}" in words(app)
    usual, other = MEASURES_OF[kind]
    assert f"by **{usual}** (higher is better)" in words(app)
    teams = {team: (data, task.name) for team, data in task.outputs.items()}
    board = read_submissions((task.gold[1], task.gold[0]), teams)
    frame = leaderboard(app)
    expected = dict(zip(board.systems, measure_values(board)[:, 0], strict=True))
    assert dict(zip(frame["System"], frame["Score"], strict=True)) == pytest.approx(expected)

    go(app, "pair")
    said = words(app)
    assert not app.exception
    best = sorted(expected, key=expected.__getitem__, reverse=True)
    own, theirs = (board.outputs[team] for team in best[:2])
    assert f"their answers differ on **{sum(a != b for a, b in zip(own, theirs, strict=True))}**" in said
    assert f"Difference in {usual}" in {metric.label for metric in app.metric}
    moves = frame_with(app, "influence")
    assert np.all(np.diff(moves["influence"].abs()) <= 1e-12)
    assert {"gold", "a", "b"} <= set(moves.columns)
    if kind in ("texts", "tags", "trees"):  # the first item is written out: a phone shows three columns
        place = board.items.index(moves["item"][0])
        assert f"Item {board.items[place]}; select a row" in said
        assert f"**Gold**: {moves['gold'][0]}"[:20] in said.replace("\\", "")

    go(app, "items")
    items = frame_with(app, "influence")
    assert list(items.columns)[:3] == ["item", "influence", "gold"]
    assert len(items) == ITEMS
    assert items["usual"].str.len().min() > 0
    if kind == "numbers":
        low, high = (float(end) for end in items["usual"].iloc[0].split(" to "))
        place = board.items.index(items["item"].iloc[0])
        given = [column[place] for column in board.outputs.values()]
        assert (low, high) == pytest.approx((min(given), max(given)), rel=1e-5)

    go(app, "scores")
    menu = next(menu for menu in app.multiselect if menu.label.startswith("Measures"))
    key = next(one.key for one in MEASURES.values() if one.label == other)
    finished(menu.set_value([key, menu.value[0]]).run())
    assert not app.error
    assert f"by **{other}**" in words(app)


def test_the_app_knows_every_option_that_a_measure_of_outputs_has() -> None:
    kinds = {"labels", "texts", "tags", "trees"}
    assert set(OPTIONS) == {name for one in MEASURES.values() if one.kind in kinds for name in one.options}


def test_options_of_measures_are_chosen_and_change_the_board(app: AppTest) -> None:
    task = shared_task("texts")
    drop(app, "gold", task.gold)
    drop(app, "outputs", ("export.zip", task.export()))
    tokens = next(box for box in app.selectbox if box.label == "Tokens of BLEU")
    finished(tokens.set_value("char").run())
    teams = {team: (data, task.name) for team, data in task.outputs.items()}
    board = read_submissions((task.gold[1], task.gold[0]), teams, measure="bleu")
    expected = dict(zip(board.systems, measure_values(board, tokenize="char")[:, 0], strict=True))
    frame = leaderboard(app)
    assert dict(zip(frame["System"], frame["Score"], strict=True)) == pytest.approx(expected)
    assert app.session_state["_session"].scores.measured.signature.startswith("bleu|tokenize:char")

    task = shared_task("labels")
    drop(app, "gold", task.gold)
    drop(app, "outputs", ("export.zip", task.export()))
    menu = next(menu for menu in app.multiselect if menu.label.startswith("Measures"))
    finished(menu.set_value(["f-beta"]).run())
    assert "F-beta is about one label; name it as positive" in app.error[0].value
    next(box for box in app.text_input if box.label.endswith("(positive)")).set_value("happy")
    button(app, "Read again")()
    assert not app.error
    beta = next(field for field in app.number_input if field.label.startswith("β"))
    finished(beta.set_value(2.0).run())
    label = next(box for box in app.selectbox if box.label.startswith("Label that"))
    finished(label.set_value("sad").run())
    teams = {team: (data, task.name) for team, data in task.outputs.items()}
    board = read_submissions((task.gold[1], task.gold[0]), teams, measure="f-beta")
    found = measure_values(board, beta=2.0, positive="sad")[:, 0]
    frame = leaderboard(app)
    assert dict(zip(frame["System"], frame["Score"], strict=True)) == pytest.approx(
        dict(zip(board.systems, found, strict=True))
    )
