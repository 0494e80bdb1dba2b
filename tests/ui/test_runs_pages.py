"""Runs and items in the app: the question, what varies, dots of run means, the Items page."""

from __future__ import annotations

import json

import numpy as np
from ui.driver import button, go, open_app, score_file, unfold, upload, words


def runs_file(systems: int = 8, units: int = 20, runs: int = 3) -> bytes:
    """Long data of systems with several seeds."""
    rng = np.random.default_rng(1)
    item = rng.normal(0, 1, units)
    lines = ["system,item,seed,topic,score"]
    for s in range(systems):
        own = item + rng.normal(0, 0.3, units)
        for r in range(runs):
            scores = own + rng.normal(0, 0.2) + rng.normal(0, 0.5, units) + 0.4 * s
            lines += [f"sys{s},u{i},{r},topic {i % 3},{score:.3f}" for i, score in enumerate(scores)]
    return "\n".join(lines).encode()


def test_the_page_asks_what_runs_are_and_takes_the_answer() -> None:
    at = upload(open_app(), runs_file())
    assert not at.exception
    text = words(at)
    assert "3 runs per system" in text
    assert "taken as separate training runs" in text
    at = button(at, "No, they are repeated samples")()
    at = go(at, "scores")
    assert "averaged" in words(at)
    assert "hold for these runs only" in words(at)
    at = button(at, "No, they are training runs")()
    assert "taken as separate training runs" in words(go(at, "scores"))


def test_the_leaderboard_shows_what_varies_and_dots() -> None:
    at = unfold(go(upload(open_app(), runs_file()), "leaderboard"))
    assert not at.exception
    text = words(at)
    assert "What varies: items and runs" in text
    assert "with twice the items" in text
    assert "cheapest design" in text
    assert "Small open dots" in text
    plot = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert len(plot["data"]) == 2
    at.selectbox(key="variation a").select("sys0").run()
    assert not at.exception
    assert "sys0 minus sys1" in words(at)


def test_a_board_of_one_run_asks_nothing() -> None:
    at = upload(open_app(), score_file(4))
    assert "runs per system" not in words(at)
    assert "What varies" not in words(go(at, "leaderboard"))


def test_items_can_be_searched_and_filtered() -> None:
    at = go(upload(open_app(), runs_file()), "items")
    assert not at.exception
    assert "None of 20 items has the same score for every system." in words(at)
    config = json.loads(at.dataframe[0].proto.columns)
    assert config["p"]["label"] == "Adjusted p (not negative)"
    assert "null hypothesis" in config["p"]["help"]
    assert "split-half reliability" in words(at).lower()
    assert len(at.dataframe[0].value) == 20
    at.text_input(key="items search").input("topic 1").run()
    assert len(at.dataframe[0].value) == 7
    at.text_input(key="items search").input("[nothing like it]").run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 0


def test_items_are_solved_where_scores_are_0_and_1() -> None:
    rows = [f"u{i},{i % 2},{i % 3 % 2},{int(i < 6)}" for i in range(20)]
    at = go(upload(open_app(), "\n".join(["item,A,B,C", *rows]).encode()), "items")
    assert "that none of them solve)" in words(at)


def test_items_of_few_systems_say_what_is_missing() -> None:
    at = go(upload(open_app(), score_file(2)), "items")
    assert not at.exception
    assert "need eight systems" in words(at)
