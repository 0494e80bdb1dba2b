"""The app as a person uses it: upload, read the heatmap, open a pair; on desktop, dark and phone."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import quote

import pytest
from app.driver import (
    click_cell,
    drop,
    no_browser,
    open_page,
    place,
    score_file,
    settle,
    tap_cell,
    wait_for_heatmap,
)

from dashboard.scores.preload import PARTS, modules
from nlpstat_core.methods.significance import TESTS

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SCREENS = {
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
# Whether the sentence at the pointer names two systems.
SPEAKS_OF = """(names) => {
    const text = document.querySelector('.hoverlayer .hovertext')?.textContent ?? '';
    return names.every((name) => text.includes(name));
}"""


def test_a_cell_speaks_of_its_own_pair_from_corner_to_corner(page, server) -> None:
    page.goto(server)
    for systems in (2, 6):
        drop(page, score_file(systems))
        page.get_by_text(f"{systems} systems", exact=True).first.wait_for()
        wait_for_heatmap(page)
        page.wait_for_function(
            "many => document.querySelector('.js-plotly-plot')?._fullLayout.xaxis.ticktext.length === many",
            arg=systems,
        )
        _corners(page, systems)


def _corners(page: Any, systems: int) -> None:
    names = page.evaluate("() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.ticktext")
    last = systems - 1
    for row, column in ((0, last), (last, 0), (0, 1), (last, last)):
        for part in (-0.4, 0.0, 0.4):
            page.mouse.move(*place(page, row + part, column - part))
            page.wait_for_function(SPEAKS_OF, arg=[names[row], names[column]])
            text = page.locator(".hoverlayer .hovertext").text_content()
            assert ("difference" in text) == (row != column)


def _seconds_to_cancel(page: Any) -> float:
    begun = time.monotonic()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Comparing all pairs of systems was cancelled").wait_for()
    return time.monotonic() - begun


def test_long_work_shows_progress_and_is_cancelled_at_once(page, server) -> None:
    page.goto(f"{server}/?test={quote(TESTS['permutation-mean'].label)}")
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    drop(page, score_file(400, 2000))
    # On a busy machine the file is read for a while first, with a bar and a button of its own.
    page.get_by_text("Comparing all pairs of systems").first.wait_for()
    page.get_by_text(re.compile("^Reading scores.csv")).wait_for(state="detached")
    took = _seconds_to_cancel(page)
    begun = time.monotonic()
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="Cancel").wait_for()
    as_any_click = time.monotonic() - begun
    _seconds_to_cancel(page)  # nothing goes on for the tests behind this one
    # The worker itself stops sooner: tests/ui/test_jobs.py; this is the way to the eye, on a machine that may
    # be busy.
    assert took < max(4, 3 * as_any_click)
    assert page.get_by_text("400 systems").count()


def test_two_sessions_do_not_see_each_other_and_files_can_be_taken_away(chromium, page, server) -> None:
    page.goto(server)
    drop(page, score_file(), "secret-name.csv")
    wait_for_heatmap(page)
    context = chromium.new_context()
    other = context.new_page()
    other.goto(f"{server}/leaderboard")
    other.get_by_text("No scores yet").wait_for()
    settle(other)
    assert "secret-name" not in other.content()
    context.close()
    open_page(page, "Report")
    settle(page)  # a click while the page is still being written goes to a button that is replaced
    with page.expect_download() as download:
        page.get_by_role("button", name="pairs.csv").click()
    text = download.value.path().read_text()
    assert text.splitlines()[0].startswith("system_a,system_b")
    assert len(text.splitlines()) == 1 + 15


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_fit_the_screen(chromium, server, screen: str, tmp_path) -> None:
    context = chromium.new_context(**SCREENS[screen])
    page = context.new_page()
    page.goto(server)
    if screen == "phone":  # with more systems a list stands there, see test_visits.py
        drop(page, score_file(10))
    else:
        page.get_by_role("button", name="Shared task, 16 systems").click()
    wait_for_heatmap(page)
    answer = page.get_by_role("heading", name=re.compile("pairs are found to differ")).bounding_box()
    assert answer["y"] + answer["height"] < SCREENS[screen]["viewport"]["height"]  # seen without scrolling
    assert page.screenshot(path=tmp_path / f"{screen}.png")
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= SCREENS[screen]["viewport"]["width"]
    if screen == "phone":
        tap_cell(page, 3, 8)
    else:
        click_cell(page, 3, 12)
    page.wait_for_url("**/pair?*")
    page.get_by_text("H0 for").first.wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    context.close()


def test_without_a_browser_tests_fail_where_they_have_to_run(monkeypatch) -> None:
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception):
        no_browser("no reason")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception):
        no_browser("no reason")


def test_charts_are_prepared_and_a_cell_opens_its_pair(page, server) -> None:
    """Their code is fetched once, while the first page is looked at, and not again for the first chart."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert len(modules()) == len(PARTS)
    with page.expect_request(lambda request: request.url.endswith(f"/{modules()[-1]}")):
        page.goto(server)
    drop(page, score_file())
    wait_for_heatmap(page)
    assert [sum(url.endswith(f"/{name}") for url in asked) for name in modules()] == [1, 1]
    assert "of 15 pairs are found to differ" in page.get_by_test_id("stMain").inner_text()
    alt = page.locator("[role=figure]").first.get_attribute("aria-label")
    assert "of 15 pairs are found to differ" in alt
    click_cell(page, 0, 5)
    page.wait_for_url("**/pair?a=sys5&b=sys0")  # the row minus the column
    page.get_by_text("H0 for").first.wait_for()
