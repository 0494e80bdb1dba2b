"""Random visits in which no page may fail, and what such visits have found."""

from __future__ import annotations

import numpy as np
import pytest
from ui.driver import finished, go, open_app, score_file, unfold, upload, words
from visitor import STEPS_A_VISIT, PageFailed, Visit, one_visit, report

from nlpstat_core.methods.diagnosis.summary import summarise

SEED = 7
VISITS = 4  # `python -m tests.visitor` goes on for thousands of steps


@pytest.mark.parametrize("number", range(VISITS))
def test_no_page_fails_whatever_a_visitor_does(number: int) -> None:
    for _, visit, text in one_visit(SEED, number, STEPS_A_VISIT):
        assert visit is None, report(SEED, number, visit, text)


def test_a_failing_page_is_told_with_the_way_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visitor sees what it is there for."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("dashboard.power.page.draw_known", broken)
    visit = Visit("power/0")
    at = upload(open_app(), score_file(3))
    with pytest.raises(PageFailed, match="on purpose"):
        visit.checked(lambda: go(at, "power"))
    assert "--seed 3 --visit 4" in report(3, 4, visit, "on purpose")
    assert visit.path[0] in report(3, 4, visit, "on purpose")


def test_more_systems_than_are_plotted_against_a_baseline() -> None:
    app = upload(open_app(), score_file(70, units=20))
    finished(app.selectbox(key="baseline").set_value("sys000").run())
    go(app, "leaderboard")
    unfold(app)
    assert not app.exception
    assert any(toggle.label == "Plot all 69 systems" for toggle in app.toggle)


def test_settings_that_fit_nothing_leave_the_report_with_a_human_metric() -> None:
    rows = [f"u{i},{s},{40 + i % 7 + j},{i % 5 + j}" for i in range(20) for j, s in enumerate("AB")]
    app = upload(open_app(), "\n".join(["item,system,BLEU,MQM", *rows]).encode())
    go(app, "report")
    finished(app.number_input(key="equivalence_margin").set_value(0.0).run())
    assert not app.exception
    assert "results of the previous settings" in words(app)
    go(app, "metrics")
    assert not app.exception


def test_a_mark_and_a_cell_that_are_selected_at_once() -> None:
    """Each has its link to a pair."""
    app = upload(open_app(), score_file(5, units=12))
    app.session_state["fold landing heatmap"] = True
    app.session_state["landing heatmap chart"] = {"selection": {"points": [{"x": 3, "y": 0}]}}
    app.session_state["landing heatmap table"] = {"selection": {"cells": [[2, "sys003"]]}}
    finished(app.run())
    assert not app.exception
    assert sum(link.label.startswith("Open the pair") for link in app.get("page_link")) == 2


def test_a_mark_and_a_cell_of_a_larger_board_choose_nothing() -> None:
    app = upload(open_app(), score_file(3, units=12))
    app.session_state["fold landing heatmap"] = True
    app.session_state["landing heatmap chart"] = {"selection": {"points": [{"x": 4, "y": 0}]}}
    app.session_state["landing heatmap table"] = {"selection": {"cells": [[4, "sys004"]]}}
    finished(app.run())
    assert not app.exception
    assert not [link for link in app.get("page_link") if link.label.startswith("Open the pair")]
    app.session_state["posterior chart"] = {"selection": {"points": [{"x": 4, "y": 0}]}}
    go(app, "posterior")
    assert not app.exception


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e150])
def test_scores_whose_squares_are_no_numbers_any_more(scale: float) -> None:
    values = np.random.default_rng(1).normal(1, 1, 30)
    assert summarise(values * scale).skewness == pytest.approx(summarise(values).skewness)


def test_one_sided_intervals_at_an_odd_level() -> None:
    app = upload(open_app(), score_file(2, units=30))
    app.number_input(key="alpha").set_value(0.999999999).run()
    app.selectbox(key="alternative").set_value("less").run()
    app.number_input(key="equivalence_margin").set_value(100.0).run()
    go(finished(app), "pair")
    assert not app.exception
