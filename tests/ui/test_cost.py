"""Score against cost on the page of the items."""

from __future__ import annotations

import numpy as np
import pytest
from ui.driver import finished, go, score_file, upload, words

from dashboard.figures.cost import cost_figure
from dashboard.items.cost import TITLE
from nlpstat_core.analysis.cost import score_against_cost
from nlpstat_core.readers import read_scores
from nlpstat_core.report.wording.cost import front_headline, front_legend


def costly_file(systems=4, n=40) -> bytes:
    rng = np.random.default_rng(1)
    rows = ["model,item,accuracy,cost,latency_s"]
    for k in range(systems):
        for i in range(n):
            rows.append(
                f"m{k},q{i},{int(rng.random() < 0.4 + 0.1 * k)},{rng.gamma(3, 0.01 * (k % 3 + 1)):.4f},"
                f"{rng.gamma(3, 1 + k):.3f}"
            )
    return "\n".join(rows).encode()


def test_the_items_page_begins_with_score_and_cost(app) -> None:
    upload(app, costly_file())
    assert "Kept as costs beside the scores" in words(app)
    assert TITLE in [link.label for link in go(app, "leaderboard").get("page_link")]
    go(app, "items")
    assert not app.exception
    scores = read_scores((costly_file(), "scores.csv"))
    found = score_against_cost(scores, "cost")
    text = words(app)
    assert TITLE in text
    assert front_headline(found) in text
    assert front_legend(found) in text
    frame = next(one.value for one in app.dataframe if "Beaten by" in one.value)
    assert frame["System"].tolist() == list(found.systems)
    assert frame["Probability, %"].tolist() == pytest.approx(100 * found.probability)
    finished(app.selectbox(key="items cost").set_value("latency_s").run())
    assert front_headline(score_against_cost(scores, "latency_s")) in words(app)


def test_boards_without_costs_say_nothing_of_them(app) -> None:
    upload(app, score_file(3))
    go(app, "items")
    assert TITLE not in words(app)


def test_the_picture_tells_the_front_from_the_rest_and_escapes_names() -> None:
    scores = read_scores((costly_file().replace(b"m1", b"<b>m1</b>"), "scores.csv"))
    found = score_against_cost(scores, "cost")
    figure = cost_figure(found)
    steps, on, off = figure.data
    assert len(on.x) == len(found.front)
    assert len(on.x) + len(off.x) == len(found.systems)
    assert list(steps.x) == sorted(steps.x)
    assert "<b>m1</b>" not in figure.to_json().replace("\\u003c", "<")


def test_the_report_takes_score_against_cost_where_there_are_costs(app) -> None:
    upload(app, costly_file())
    go(app, "report")
    finished(app.pills(key="report sections").set_value(["cost"]).run())
    assert not app.exception
    text = words(app)
    assert TITLE in text
    scores = read_scores((costly_file(), "scores.csv"))
    assert front_headline(score_against_cost(scores, "cost")) in text


def test_the_report_offers_no_costs_where_there_are_none(app) -> None:
    upload(app, score_file(3))
    go(app, "report")
    assert "Score against cost" not in app.pills(key="report sections").options
