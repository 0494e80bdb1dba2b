"""A platform's export of every kind of task: the board by its measures, its pair and its items."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from ui.driver import button, finished, go, open_app, settings_field, unfold, words
from ui.shared_tasks import ITEMS, shared_task
from ui.test_submissions_page import drop, frame_with, leaderboard

from dashboard.background.outputs import OPTIONS
from dashboard.scores.measures import POSITIVE_LABEL
from nlpstat_core import measure_values, read_submissions
from nlpstat_core.measures import MEASURES
from nlpstat_core.scores.submissions import kind_in_words

# Measures of each kind, the usual one first, and the number that the app shows for the best team.
MEASURES_OF = {
    "labels": ("accuracy", "macro-F1"),
    "label-sets": ("multilabel macro-F1", "multilabel micro-F1"),
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
    assert f"**3 systems** · **60 items** with {kind_in_words(kind)}" in words(app)
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

    if kind == "tags":
        by_type = frame_with(app, "difference").set_index("label")
        assert "share" not in by_type.columns
        assert sorted(by_type.index) == sorted({tag[2:] for tags in board.gold for tag in tags if tag != "O"})
        assert np.all(np.diff(by_type["difference"].abs()) <= 1e-12)
        assert "Which types of spans make the difference" in said
        unfold(go(app, "leaderboard"))
        types = sorted({tag[2:] for tags in board.gold for tag in tags if tag != "O"})
        shown = next(frame.value for frame in app.dataframe if f"{types[0]} " in frame.value.columns)
        assert sorted(name.strip() for name in shown.columns[1:]) == types
        assert "Spans of each type in gold" in words(app)

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
    kinds = {"labels", "label-sets", "texts", "tags", "trees"}
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
    next(box for box in app.text_input if box.label == POSITIVE_LABEL).set_value("happy")
    button(app, "Read again")()
    assert not app.error
    beta = next(field for field in app.number_input if field.label.startswith("β"))
    finished(beta.set_value(2.0).run())
    label = next(box for box in app.selectbox if box.label == POSITIVE_LABEL)
    finished(label.set_value("sad").run())
    teams = {team: (data, task.name) for team, data in task.outputs.items()}
    board = read_submissions((task.gold[1], task.gold[0]), teams, measure="f-beta")
    found = measure_values(board, beta=2.0, positive="sad")[:, 0]
    frame = leaderboard(app)
    assert dict(zip(frame["System"], frame["Score"], strict=True)) == pytest.approx(
        dict(zip(board.systems, found, strict=True))
    )


def test_links_and_settings_files_bring_measures_and_options() -> None:
    """Made on one board, used by two other sessions: before the files are there, and after."""
    task = shared_task("labels")

    def dropped(at: AppTest) -> AppTest:
        drop(at, "gold", task.gold)
        return drop(at, "outputs", ("export.zip", task.export()))

    at = dropped(open_app())
    here = at.session_state["_session"]
    menu = next(menu for menu in at.multiselect if menu.label.startswith("Measures"))
    finished(menu.set_value(["macro-f1", "f-beta"]).run())
    next(box for box in at.text_input if box.label == POSITIVE_LABEL).set_value("sad")
    button(at, "Read again")()
    beta = next(field for field in at.number_input if field.label.startswith("β"))
    finished(beta.set_value(2.0).run())
    assert not at.error
    link = next(code.value for code in at.code if "outputs=" in code.value)
    query = dict(parse_qsl(urlsplit(link).query))
    told = {"measure": ["macro-f1", "f-beta"], "positive": "sad", "beta": 2.0}
    assert json.loads(query["outputs"]) == told
    settings = json.dumps({"reading": {**here.scores.reading, **told}}).encode()

    linked = open_app(**query)
    assert "load the same gold and outputs" in linked.info[0].value
    dropped(linked)
    loaded = dropped(open_app())
    settings_field(loaded).upload("replay.json", settings, "application/json").run()
    finished(loaded)
    waiting = open_app()
    settings_field(waiting).upload("replay.json", settings, "application/json").run()
    dropped(finished(waiting))
    for other in (linked, loaded, waiting):
        assert not other.error
        its = other.session_state["_session"]
        assert its.scores.fingerprint == here.scores.fingerprint
        assert its.submitted.outputs.measures == ("macro-f1", "f-beta")
        assert np.array_equal(its.submitted.outputs.values, here.submitted.outputs.values)


@pytest.mark.parametrize(
    "told", ['{"measure":1}', '{"beta":"2"}', '{"lowercase":"no"}', '{"what":"x"}', "[", "1"]
)
def test_a_link_that_tells_nonsense_of_outputs_is_said(told: str) -> None:
    assert "How gold and outputs are to be read can't be understood" in words(open_app(outputs=told))


@pytest.mark.parametrize("key", ["names-gold-and-outputs", "parses-gold-and-outputs"])
def test_examples_in_conll_columns_are_one_click_away(app: AppTest, key: str) -> None:
    finished(next(one for one in app.button if one.key == f"example {key}").click().run())
    assert not app.error
    assert "**4 systems** · **150 items**" in words(app)
