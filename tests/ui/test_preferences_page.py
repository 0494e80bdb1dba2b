"""The page of preferences: an upload or the example, the board, a pair, choices, refusals, forgetting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from ui.driver import button, finished, go, open_app, score_file, unfold, upload, words

import nlpstat_core as ns

FILE = Path(__file__).resolve().parents[2] / "data" / "battles.csv"


def drop(at: AppTest, data: bytes, name: str = "battles.csv") -> AppTest:
    """Drop battles on the page's own field."""
    field: Any = next(one for one in at.file_uploader if str(one.key).startswith("battles-"))
    field.upload(name, data, "text/csv").run()
    return finished(at)


def test_the_example_is_one_click_away() -> None:
    at = open_app("preferences")
    assert "Battles say which of two systems was better" in words(at)
    button(at, "Try the example")()
    finished(at)
    assert not at.exception
    text = words(at)
    board = ns.rank_preferences(ns.read_battles(FILE))
    assert "**8 systems** · **2,400 battles**" in text
    assert "24 of 28 pairs are found to differ" in text
    assert "2,400 battles; ties as half wins, errors by prompt, Holm, alpha 0.05" in text
    frame = next(one.value for one in at.dataframe if "Strength" in one.value.columns)
    assert frame["System"].tolist() == board.leaderboard_frame()["system"].tolist()
    assert frame["Strength"].to_numpy() == pytest.approx(board.strength[board.order])
    assert len(at.get("plotly_chart")) == 2
    table = pd.read_csv(FILE)
    pair = {"Avocet-70B", "Bittern-2-chat"}
    met = int((table["model_a"].isin(pair) & table["model_b"].isin(pair)).sum())
    for said in (
        "'Avocet-70B' and 'Bittern-2-chat' are not found to differ",
        f"In {met} battles between them",
        "No misfit is found: in none of",
        "the one shown first gets 55.5 % of the points",
        "other choices decide every pair as this board does",
        "the most informative next battle is Fulmar-7B against Gadwall-3B",
    ):
        assert said in text.replace("\\", ""), said
    unfold(at)
    assert not at.exception
    assert len(at.get("plotly_chart")) == 3
    assert "depend on the order of the battles" in words(at)
    listed = [one.value for one in at.dataframe if "shown first" in one.value.columns]
    assert len(listed[0]) == met


def test_menus_change_the_board() -> None:
    at = open_app("preferences")
    drop(at, FILE.read_bytes())
    finished(at.segmented_control(key="preferences ties").set_value("davidson").run())
    assert "ties with their own parameter" in words(at)
    finished(at.selectbox(key="preferences clusters").set_value("prompt and judge").run())
    assert "errors by prompt and judge" in words(at)
    finished(at.selectbox(key="preferences group").set_value("category").run())
    finished(at.selectbox(key="preferences entry").set_value("maths").run())
    table = pd.read_csv(FILE)
    maths = ns.rank_preferences(
        table[table["category"] == "maths"], ties="davidson", clusters=("prompt", "judge")
    )
    assert f"{maths.n_battles:,} of 2,400 battles" in words(at)
    frame = next(one.value for one in at.dataframe if "Strength" in one.value.columns)
    assert frame["Strength"].to_numpy() == pytest.approx(maths.strength[maths.order])
    finished(at.segmented_control(key="preferences observed").set_value(True).run())
    assert not at.exception
    a, b = maths.systems[0], maths.systems[1]
    finished(at.selectbox(key="preferences a").set_value(a).run())
    finished(at.selectbox(key="preferences b").set_value(a).run())
    assert "Choose two different systems" in words(at)
    finished(at.selectbox(key="preferences b").set_value(b).run())
    row = maths.pairs_frame().iloc[0]
    assert f"won {row.wins_a:,}" in words(at)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"item,S,T\n1,2,3\n", "columns of the two systems"),
        (b"model_a,model_b,winner\nx,y,\n", "has a verdict"),
        (b"model_a,model_b,winner\nx,y,a\nx,y,a\n", "Strengths are infinite"),
    ],
)
def test_battles_that_cannot_be_used(data: bytes, said: str) -> None:
    at = open_app("preferences")
    drop(at, data)
    assert not at.exception
    assert said in words(at).replace("\\", "")


def test_the_system_of_arena_hard_is_asked_for() -> None:
    games = [[{"score": "A>B"}, {"score": "A>>B"}], [{"score": "B>A"}, {"score": "A=B"}]]
    records = [{"question_id": f"q{i}", "model": f"m{i % 3}", "games": games[i // 3 % 2]} for i in range(24)]
    at = open_app("preferences")
    drop(at, "\n".join(map(json.dumps, records)).encode(), "judgment.jsonl")
    assert "name it below" in words(at)
    finished(at.text_input(key="preferences baseline").set_value("gpt").run())
    assert not at.exception
    assert "**4 systems** · **48 battles**" in words(at)


def test_forgetting_leaves_nothing_and_scores_stay() -> None:
    at = open_app()
    upload(at, score_file(3))
    go(at, "preferences")
    drop(at, FILE.read_bytes())
    button(at, "Forget these battles")()
    assert "Battles say which of two systems was better" in words(at)
    here = at.session_state["_session"]
    assert here.battles is None
    assert not any(kind.startswith("preference") for kind, _ in here.results)
    assert here.scores is not None


def test_odd_names_and_two_systems_alone() -> None:
    rng = np.random.default_rng(0)
    rows = [f'"*a* $x$","<b>b</b>",{rng.choice(["model_a", "model_b", "tie"])}' for _ in range(40)]
    at = open_app("preferences")
    drop(at, "\n".join(["model_a,model_b,winner", *rows]).encode())
    assert not at.exception
    assert "The fit can't be tested" in words(at)
    assert "nothing: battles are independent" in at.selectbox(key="preferences clusters").options
    unfold(at)
    assert not at.exception


def test_battles_dropped_on_scores_open_here_and_scores_know_the_way_back() -> None:
    at = open_app()
    upload(at, FILE.read_bytes(), "battles.csv")
    assert "verdicts on pairs of answers" in words(at)
    assert [link.proto.label for link in at.main.get("page_link")] == [
        "Rank the systems by these preferences"
    ]
    go(at, "preferences")
    assert not at.exception
    assert "**8 systems** · **2,400 battles**" in words(at)
    here = at.session_state["_session"]
    assert (here.problem, here.refused) == (None, None)
    drop(at, score_file(3), "scores.csv")
    assert "columns of the two systems" in words(at).replace("\\", "")
    assert "page Scores" in at.main.get("page_link")[0].proto.label
    assert "**2,400 battles**" in words(at)


def test_scores_that_are_loaded_become_battles_by_one_click() -> None:
    at = open_app("preferences")
    assert not [one for one in at.button if one.label == "Make battles of the loaded scores"]
    at = open_app()
    upload(at, score_file(3))
    go(at, "preferences")
    button(at, "Make battles of the loaded scores")()
    finished(at)
    assert not at.exception
    scores = at.session_state["_session"].scores
    board = ns.rank_preferences(ns.battles_of_scores(scores))
    assert f"**3 systems** · **{board.n_battles:,} battles**" in words(at)
    frame = next(one.value for one in at.dataframe if "Strength" in one.value.columns)
    assert frame["Strength"].to_numpy() == pytest.approx(board.strength[board.order])


def test_connected_groups_are_boards_where_not_all_systems_are() -> None:
    rows = ["u,v,a", "v,u,a", "v,u,tie"] * 9 + ["x,y,a", "y,x,a"] * 7 + ["x,u,a"]
    at = open_app("preferences")
    drop(at, "\n".join(["model_a,model_b,winner", *rows]).encode())
    text = words(at).replace("\\", "")
    assert "Strengths are infinite" in text
    assert "Choose *a connected group* under *Only battles of*" in text
    finished(at.selectbox(key="preferences group").set_value("a connected group").run())
    assert not at.exception
    assert list(at.selectbox(key="preferences entry").options) == ["u", "x"]
    text = words(at).replace("\\", "")
    assert "27 of 42 battles: those among the systems that wins and ties connect with 'u' both ways" in text
    finished(at.selectbox(key="preferences entry").set_value("x").run())
    assert "14 of 42 battles" in words(at)
    unfold(at)
    assert not at.exception
