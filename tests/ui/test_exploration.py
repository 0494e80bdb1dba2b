"""The closer look at a pair: off at first, every view drawn, searched, escaped, marked as exploration."""

from __future__ import annotations

import numpy as np
import pytest
from ui.driver import finished, go, score_file, upload, words

from dashboard.figures.points import points
from dashboard.figures.scatter import normal_figure, scatter_figure
from dashboard.figures.slices import groups_figure
from dashboard.pair.closer_look import LEAVE, QQ, SCATTER, SLICES, UNITS
from nlpstat_core.board.pairs.influence import Groups
from nlpstat_core.methods.diagnosis.normality import normal_scores


def labelled(units: int = 60) -> bytes:
    rng = np.random.default_rng(3)
    lines = ["item,doc,difference,A,B"]
    for i in range(units):
        a, b = rng.normal(size=2)
        lines.append(f"u{i},doc{i // 6},<b>text</b> {i},{a:.3f},{b + 0.4:.3f}")
    return "\n".join(lines).encode()


def show(app, view: str):
    chosen = next(item for item in app.main.get("button_group") if "which items" in item.label)
    return finished(chosen.set_value(view).run())


def test_the_first_view_stays_light(app) -> None:
    upload(app, labelled())
    go(app, "pair")
    assert len(app.get("plotly_chart")) == 3
    assert not app.dataframe


def test_units_are_sorted_searched_and_keep_the_labels_of_the_file(app) -> None:
    upload(app, labelled())
    go(app, "pair")
    show(app, UNITS)
    assert not app.exception
    frame = app.dataframe[0].value
    assert len(frame) == 60
    assert frame["difference"].abs().is_monotonic_decreasing
    assert frame["label 1"].iloc[0].startswith("<b>text</b>")
    finished(app.text_input(key="closer search").set_value("DOC3").run())
    assert set(app.dataframe[0].value["label 0"]) == {"doc3"}
    finished(app.text_input(key="closer search").set_value("no such text").run())
    assert not app.exception
    assert len(app.dataframe[0].value) == 0


@pytest.mark.parametrize("view", [SCATTER, QQ, LEAVE, SLICES])
def test_every_view_is_drawn(app, view: str) -> None:
    upload(app, labelled())
    go(app, "pair")
    show(app, view)
    assert not app.exception
    assert len(app.get("plotly_chart")) == 4
    if view in (LEAVE, SLICES):
        assert any("Exploration only" in info.value for info in app.info)
        table = app.dataframe[0].value
        assert set(table["Value"]) == {f"doc{i}" for i in range(10)}
        assert ("p, this comparison alone" in table) == (view == LEAVE)


def test_without_labels_the_views_of_groups_are_not_offered(app) -> None:
    upload(app, score_file(3))
    go(app, "pair")
    chosen = next(item for item in app.main.get("button_group") if "which items" in item.label)
    assert len(chosen.options) == 3
    assert "slices are offered here" in words(app)


def test_equal_points_are_one_larger_mark_and_names_are_escaped() -> None:
    found = points(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    figure = scatter_figure(found, "<i>a</i>", "b", ["<u>", "v", "w", "x"], lower_is_better=True)
    assert "<i>" not in figure.to_json()
    better_a, better_b, equal = figure.data[1:]
    assert (len(better_a.x), len(better_b.x), len(equal.x)) == (0, 1, 2)
    assert list(equal.hovertext) == ["2 items", "x"]
    assert max(equal.marker.size) > min(equal.marker.size)


def test_qq_plot_draws_every_difference_and_the_line_through_the_quartiles() -> None:
    values = np.array([3.0, 1.0, 2.0, 5.0])
    line, dots = normal_figure(normal_scores(values)).data
    assert list(dots.y) == [1.0, 2.0, 3.0, 5.0]
    assert np.diff(line.y)[0] / np.diff(line.x)[0] == pytest.approx(normal_scores(values).slope)
    assert len(normal_figure(normal_scores(np.array([1.0]))).data) == 1


def test_figure_of_groups_escapes_names_and_keeps_the_order() -> None:
    groups = Groups(
        label="doc",
        name=("", "<b>x</b>", "y"),
        n_units=np.array([1, 2, 3]),
        score_a=np.zeros(3),
        score_b=np.zeros(3),
        difference=np.array([0.1, 0.2, 0.3]),
        interval=np.array([[np.nan, np.nan], [0.1, 0.3], [0.2, 0.4]]),
        p_value=np.full(3, np.nan),
    )
    figure = groups_figure(groups, np.array([2, 1, 0]), whole=0.2, title="Difference")
    assert list(figure.layout.yaxis.ticktext) == ["y", "&lt;b&gt;x&lt;/b&gt;", "(empty)"]
    assert list(figure.data[0].x) == [0.3, 0.2, 0.1]
