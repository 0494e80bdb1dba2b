"""The power page in Chromium, on a desktop and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from app.driver import drop, settle
from ui.driver import score_file

pytestmark = pytest.mark.browser


def _open_power(page: Any, server: str) -> None:
    page.goto(server)
    page.locator("input[type=file]").wait_for(state="attached")
    drop(page, score_file(5, units=60))
    page.get_by_text("pairs are found to differ").first.wait_for()
    settle(page)
    if not page.get_by_test_id("stSidebarNav").is_visible():
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Power", exact=True).click()
    page.get_by_text("For a typical pair, true differences below").wait_for()
    page.get_by_text("One pair: power by the size").click()
    page.get_by_role("figure", name="Power by items").wait_for()
    settle(page)


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["desktop", "phone"])
def test_the_page_answers_plans_and_draws(page: Any, server: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    _open_power(page, server)
    assert page.get_by_text("test items are needed").count() == 1
    assert page.locator(".js-plotly-plot .scatterlayer").count() >= 2
    assert page.get_by_text("Traceback").count() == 0
    wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= size[0] + 1, "nothing sticks out to the side"
