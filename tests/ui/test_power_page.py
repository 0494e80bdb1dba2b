"""The power page: the detectable difference first, planning without data, the curve, the tables."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from ui.driver import button, finished, go, open_app, score_file, unfold, upload, words

import nlpstat_core as ns
from dashboard.figures.power import power_figure, unit_size_figure
from nlpstat_core.power import power_curve, unit_sizes
from tests.ui import deeds


@pytest.fixture
def on_power(app):
    app.session_state["curve iterations"] = 200
    upload(app, score_file(4))
    return unfold(go(app, "power"))


def test_planning_needs_no_data() -> None:
    at = open_app("power")
    assert not at.exception
    said = words(at)
    assert "No scores yet" in said
    assert "199 test items are needed" in said
    at.selectbox(key="plan for").set_value("power").run()
    assert "Power is" in words(at)
    at.selectbox(key="plan test").set_value("mcnemar").run()
    assert not at.exception
    assert "60 % of the decided items" in words(at)


def test_every_unknown_with_every_test_has_an_answer_or_a_sentence() -> None:
    at = open_app("power")
    for test in ("t", "wilcoxon", "sign", "mcnemar"):
        at.selectbox(key="plan test").set_value(test).run()
        for unknown in ("units", "power", "effect", "alpha"):
            at.selectbox(key="plan for").set_value(unknown).run()
            assert not at.exception
            assert "test items" in words(at) or at.error


def test_a_plan_that_takes_long_is_made_elsewhere_and_can_be_stopped(monkeypatch) -> None:
    at = open_app("power")
    at.selectbox(key="plan for").set_value("alpha").run()
    at.selectbox(key="plan test").set_value("mcnemar").run()
    begun = time.monotonic()
    with monkeypatch.context() as patched:
        patched.setattr("dashboard.background.power_tasks.planned", deeds.never_planned)
        at.number_input(key="plan items").set_value(100_000_000).run()
        assert not at.exception
        assert time.monotonic() - begun < 5
        time.sleep(1)
        at.run()
        assert not at.exception
        next(button for button in at.button if button.label == "Cancel").click().run()
        at.run()
    assert any("Planning was cancelled" in warning.value for warning in at.warning)
    at.number_input(key="plan items").set_value(100_000_001).run()
    assert "100,000,001 test items find" in words(finished(at))
    at.number_input(key="plan items").set_value(10**15).run()
    assert "from 2 to 1,000,000,000,000" in words(finished(at))


def test_no_plan_from_guesses_while_the_boards_answer_is_computed(app, monkeypatch) -> None:
    """Some pairs of a large board are looked at first; the rest follows, what was typed meanwhile stays."""
    monkeypatch.setattr("dashboard.background.power_tasks.board_power", deeds.never_known)
    upload(app, score_file(4))
    app.switch_page("../pages/power.py").run()
    assert not app.exception
    assert "needed" not in words(app)
    assert not app.main.number_input
    button(app, "Cancel")()
    assert "The difference to find is a guess" in words(app)
    assert "test items are needed" in words(app)

    monkeypatch.setattr("dashboard.power.page.FIRST_PAIRS", 7)
    upload(go(app, "scores"), score_file(7, seed=3))
    app.switch_page("../pages/power.py").run()
    for _ in range(100):
        if "Based on 7 of 21 pairs" in words(app):
            break
        time.sleep(0.2)
        app.run()
    said = words(app)
    assert "Based on 7 of 21 pairs" in said
    assert "more are being computed" in said
    assert "test items are needed" in said
    assert "is a guess" not in said
    assert not [label for label in (fold.label for fold in app.expander) if "every pair" in label]
    first = app.number_input(key="plan difference").value
    app.number_input(key="plan power").set_value(0.9).run()
    button(app, "Cancel")()
    assert "Based on 7 of 21 pairs" in words(app)
    monkeypatch.undo()
    button(app, "Start again")()
    assert "Based on 7 of 21 pairs" not in words(app)
    assert app.number_input(key="plan power").value == 0.9
    assert app.number_input(key="plan difference").value != first


def test_impossible_plans_are_explained() -> None:
    at = open_app("power")
    at.number_input(key="plan difference").set_value(0.0).run()
    assert not at.exception
    assert "nothing to find" in words(at)


def test_the_page_leads_with_the_detectable_difference(on_power) -> None:
    assert not on_power.exception
    said = words(on_power)
    assert "true differences below" in on_power.main.markdown[0].value
    assert "only restates the p-value" in said
    assert "6 pairs" in said
    frames = [frame.value for frame in on_power.dataframe]
    assert any("Detectable" in frame.columns and len(frame) == 6 for frame in frames)
    assert any("Needed" in frame.columns and len(frame) == 3 for frame in frames)
    assert len(on_power.get("plotly_chart")) == 2
    # The plan starts with the family of the board.
    assert on_power.number_input(key="plan comparisons").value == 6
    assert "whose power has no formula" in words(on_power)


def test_counts_plan_with_the_t_test_and_say_what_it_stands_for(app) -> None:
    rows = [f"u{i},{i % 4},5,{i % 3},5" for i in range(40)]
    upload(app, "\n".join(["item,A_correct,A_total,B_correct,B_total", *rows]).encode())
    go(app, "power")
    assert not app.exception
    assert "Exact test of accuracy”, whose power has no formula" in words(app)


def documents(icc: float, n_documents: int = 60) -> bytes:
    """Documents of 3 to 7 rows whose differences have this intraclass correlation."""
    rng = np.random.default_rng(3)
    ids = np.repeat(np.arange(n_documents), rng.integers(3, 8, n_documents))
    of_documents = np.sqrt(icc) * rng.normal(size=(n_documents, 4))[ids]
    values = 50 + 4 * (of_documents + np.sqrt(1 - icc) * rng.normal(size=(ids.size, 4)))
    lines = [f"u{row},d{ids[row]}," + ",".join(f"{v:.3f}" for v in values[row]) for row in range(ids.size)]
    return "\n".join(["item,doc,A,B,C,D", *lines]).encode()


def test_the_plan_starts_with_the_documents_of_the_board(app) -> None:
    upload(app, documents(0.5))
    app.selectbox(key="block_column").set_value("doc").run()
    unfold(go(app, "power"))
    assert not app.exception
    items = app.session_state["_session"].scores.n_units
    per_document = app.number_input(key="plan per document").value
    assert per_document == pytest.approx(items / 60, abs=0.01)
    effect = app.number_input(key="plan design effect").value
    assert effect == pytest.approx(1 + (items / 60 - 1) * 0.5, rel=0.25)
    said = words(app)
    assert f"a design effect of {effect:g} of its documents" in said
    assert f"With {items} items in 60 documents" in said
    assert f"{per_document:g} items per document" in said
    found = re.search(r"\*\*([\d,]+) test items in [\d,]+ documents are needed", said)
    assert found is not None
    assert int(found[1].replace(",", "")) == pytest.approx(items, rel=0.15)  # the headline's difference
    frames = [frame.value for frame in app.dataframe]
    every_pair = next(frame for frame in frames if "Detectable" in frame.columns)
    assert set(every_pair["Documents"]) == {60}
    near = next(frame for frame in frames if "Needed" in frame.columns)
    assert set(near["Items now"]) == {f"{items} in 60 documents"}
    assert all(text == "∞" or text.endswith("documents") for text in near["Needed"])

    finished(app.selectbox(key="block_column").set_value("none").run())
    assert app.number_input(key="plan per document").value == 1
    assert "per document, " not in words(app)
    assert not any("Documents" in frame.value.columns for frame in app.dataframe)


def test_one_design_effect_on_the_whole_page(app) -> None:
    rng = np.random.default_rng(5)
    lines = [f"u{i},d{i // 4},{rng.normal(0.3):.3f},{rng.normal():.3f}" for i in range(160)]
    upload(app, "\n".join(["item,doc,A,B", *lines]).encode())
    app.selectbox(key="block_column").set_value("doc").run()
    unfold(go(app, "power"))
    effect = app.number_input(key="plan design effect").value
    assert 0 < effect < 1  # less than independent items: nothing is cut at 1
    told = re.search(r"Design effect of \*\*doc\*\*: ([\d.]+)", words(app))
    assert told is not None
    assert float(told[1]) == pytest.approx(effect, abs=0.006)


def test_the_curve_follows_its_choices(on_power) -> None:
    assert "at an assumed difference" in words(on_power)
    finished(on_power.selectbox(key="assumed difference").set_value("the observed one").run())
    assert not on_power.exception
    assert sum("only restates the p-value" in str(item.value) for item in on_power.warning) == 1
    finished(on_power.selectbox(key="assumed difference").set_value("another").run())
    finished(on_power.number_input(key="curve shift").set_value(3.0).run())
    assert "difference of 3" in words(on_power)
    finished(on_power.selectbox(key="curve method").set_value("normal").run())
    assert "normal differences" in words(on_power)
    assert not on_power.exception
    finished(on_power.number_input(key="unit tolerance").set_value(100.0).run())
    assert "**2, 3" in words(on_power)
    finished(on_power.selectbox(key="a").set_value("sys000").run())
    finished(on_power.selectbox(key="b").set_value("sys000").run())
    assert not on_power.exception
    assert "two different systems" in words(on_power)


def test_binary_scores_and_two_systems(app) -> None:
    rows = [f"u{i},{int(i % 3 > 0)},{int(i % 4 > 0)}" for i in range(60)]
    upload(app, "\n".join(["item,A,B", *rows]).encode())
    go(app, "power")
    assert not app.exception
    assert "McNemar" in words(app)


def test_figures() -> None:
    values = np.random.default_rng(0).normal(0.3, 1, (80, 2)).round(3)
    scores = ns.ScoreMatrix(values=values, systems=("A", "B"))
    curve = power_curve(scores, "A", "B", iterations=50, shift=0.3)
    figure = power_figure(curve)
    assert [trace.name for trace in figure.data][-1] == "power"
    np.testing.assert_array_equal(figure.data[-1].y, curve.power)
    np.testing.assert_array_equal(figure.data[0].y, curve.upper)
    found = unit_sizes(scores, "A", "B")
    assert [trace.name for trace in unit_size_figure(found).data] == ["order of the file", "shuffled"]
