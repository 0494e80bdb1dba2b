"""The pages of power and of posterior probabilities in Chromium, on a desktop and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from app.driver import drop, settle
from ui.driver import score_file

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["desktop", "phone"])
def test_the_pages_answer_plan_and_draw(page: Any, server: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(server)
    page.locator("input[type=file]").wait_for(state="attached")
    drop(page, score_file(5, units=60))
    page.get_by_text("pairs are found to differ").first.wait_for()
    _open(page, "Power")
    page.get_by_text("For a typical pair, true differences below").wait_for()
    page.get_by_text("One pair: power by the size").click()
    page.get_by_role("figure", name="Power by items").wait_for()
    _nothing_sticks_out(page, size[0])
    assert page.get_by_text("test items are needed").count() == 1
    assert page.locator(".js-plotly-plot .scatterlayer").count() >= 2
    _open(page, "Posterior")
    page.get_by_text("is the best system with probability").wait_for()
    page.get_by_text("Scores and ranks").wait_for()
    page.locator(".js-plotly-plot .scatterlayer").nth(1).wait_for(state="attached")
    _nothing_sticks_out(page, size[0])


def _open(page: Any, title: str) -> None:
    settle(page)
    if not page.get_by_test_id("stSidebarNav").is_visible():
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()


def _nothing_sticks_out(page: Any, width: int) -> None:
    settle(page)
    assert page.get_by_text("Traceback").count() == 0
    wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= width + 1, "nothing sticks out to the side"
