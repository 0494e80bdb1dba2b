"""Links of every state lead to the same scores and settings; what a link can't have is said."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from ui.driver import PAGE_NAMES, button, finished, go, open_app, score_file, upload, words
from ui.test_several_boards import long_file
from ui.test_sharing import link_of, values_of

from nlpstat_core.config import SETTINGS
from nlpstat_core.readers import READING_KEYWORDS
from nlpstat_core.reading import KEYWORDS

# One other value of every setting; several of them together are one state of the app.
STATES: tuple[dict[str, object], ...] = (
    {
        "test": "wilcoxon",
        "correction": "bonferroni",
        "alpha": 0.01,
        "zero_method": "pratt",
        "continuity": True,
    },
    {"test": "t", "baseline": "sysB", "alternative": "less", "equivalence_margin": 1.5, "delta": 0.5},
    {"question": "each-pair", "normality_alpha": 0.1, "confidence_level": 0.9, "resamples": 2000, "seed": 7},
    {
        "unit_size": 2,
        "unit_metric": "median",
        "unit_remainder": "drop",
        "shuffle_seed": 3,
        "missing": "complete",
    },
    {"effects": ["cohen-d"], "intervals": ["estimate"], "mcnemar": "mid-p", "block_column": "dataset"},
    {"block_column": "none"},  # no documents, which is not the default
    # Their menus stand only where systems have several runs; a link may name them all the same.
    {"runs": "samples", "pooled_runs": True},
)


def set_all(app, state: dict[str, object]) -> None:
    firsts = {"baseline", "unit_size"}  # others can be chosen then
    for now in (firsts & set(state), set(state) - firsts):
        for kind in (app.selectbox, app.number_input, app.checkbox, app.multiselect):
            for widget in kind:
                if widget.key in now:
                    widget.set_value(state[widget.key])
        if now:
            finished(app.run())


def same_again(query: list[tuple[str, str]], data: bytes, name: str = "scores.csv"):
    """A new session that begins with a link and gets a file."""
    other = open_app(None, **{key: values_of(query, key) for key, _ in query})
    upload(other, data, name)
    assert not other.exception
    return other


def test_every_setting_is_in_some_state() -> None:
    assert set().union(*STATES) | {"skewness_limits"} == set(SETTINGS)


@pytest.mark.parametrize("state", STATES, ids=lambda state: next(iter(state)))
def test_a_link_of_every_state_is_that_state(app, state) -> None:
    upload(app, long_file())
    set_all(app, state)
    query = link_of(app)
    other = same_again(query, long_file())
    assert link_of(other) == query
    assert "made for other scores" not in words(other)
    assert not any("Not everything in the link" in item.value for item in other.warning)


def test_metric_data_set_and_direction_travel_and_the_right_file_is_known(app) -> None:
    upload(app, long_file())
    for label, value in (("Metric", "ter"), ("Data set", "talks")):
        box = next(box for box in app.selectbox if box.label == label)
        finished(box.set_value(value).run())
    button(app, "No, higher is better")()
    query = dict(link_of(app))
    assert (query["metric"], query["dataset"], query["direction"]) == ("ter", "talks", "higher")
    other = same_again(link_of(app), long_file())
    assert dict(link_of(other)) == query
    text = words(other) + "\n".join(item.value for item in other.sidebar.caption)
    assert "made for other scores" not in text
    assert "**30 items**" in text
    # Another metric is chosen afterwards: it is still the link's file.
    box = next(box for box in other.selectbox if box.label == "Metric")
    finished(box.set_value("bleu").run())
    assert not any("made for other scores" in item.value for item in other.sidebar.caption)


def test_another_file_is_read_by_its_own_content(app) -> None:
    upload(app, long_file())
    finished(next(box for box in app.selectbox if box.label == "Metric").set_value("ter").run())
    other = same_again(link_of(app), score_file(3))
    assert "higher is better" in words(other)
    assert any("made for other scores" in item.value for item in other.sidebar.caption)


def test_a_bad_link_says_what_it_ignored() -> None:
    at = open_app(
        "leaderboard",
        test="No such test",
        alpha="9e9",
        nonsense="1",
        direction="sideways",
        reading="{",
        baseline="Nobody",
        a="Nobody",
    )
    assert not at.exception
    text = at.warning[0].value
    for part in ("Test: ", "Significance level", "nonsense", "sideways", "How the file is to be read"):
        assert part in text
    go(at, "scores")
    upload(at, score_file(3))
    assert "Baseline: these scores have no system 'Nobody'" in at.warning[0].value
    assert "These scores have no system 'Nobody'" in at.warning[0].value
    at.button(key="link read").click().run()
    assert not any("Not everything in the link" in item.value for item in at.warning)


def test_a_link_says_nothing_but_how_a_file_is_read() -> None:
    """Bounds are the server's; what can't be used is said once the file is there, which is read without."""
    assert set(READING_KEYWORDS) == KEYWORDS
    at = open_app(None, reading='{"max_rows": 1000000000}')
    assert "How the file is to be read" in at.warning[0].value
    assert at.session_state["_session"].linked_board == {}
    at = open_app(None, reading='{"header_row": "many", "roles": 7}')
    upload(at, score_file(3))
    assert not at.exception
    assert "was read without what the link says of it" in at.warning[0].value
    assert "of 3 pairs are found to differ" in words(at)


def test_a_metric_the_file_lacks_is_said(app) -> None:
    at = open_app(None, metric="COMET")
    upload(at, long_file())
    assert not at.exception
    assert any("COMET" in item.value for item in at.warning)
    assert "of 3 pairs are found to differ" in words(at)


def test_the_board_stands_in_the_header_of_every_page(app) -> None:
    upload(app, long_file())
    for page in PAGE_NAMES:
        go(app, page)
        assert any("3 systems × 90 items" in item.proto.body for item in app.main.get("html")), page
        assert {"Metric", "Data set"} <= {box.label for box in app.main.selectbox}, page


def test_forgetting_can_be_undone_for_a_moment(app) -> None:
    upload(app, long_file())
    finished(app.selectbox(key="baseline").set_value("sysB").run())
    query = parse_qsl(app.sidebar.code[0].value.partition("?")[2])
    button(app, "Forget my data")()
    assert "sysA" not in words(app)
    button(app, "Undo")()
    assert link_of(app) == query
    assert "Against sysB" in words(app)
    button(app, "Forget my data")()
    app.session_state["_session"].forgotten.drop()
    app.run()
    assert not any(item.label.startswith("Undo") for item in app.button)
