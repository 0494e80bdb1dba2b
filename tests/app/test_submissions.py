"""A competition platform's export in Chromium: dropped, compared, and its pair looked at."""

from __future__ import annotations

from typing import Any

import pytest
from app.driver import settle
from ui.test_submissions_page import platform_export, table, task

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_a_platforms_export_to_the_pair(page: Any, server: str) -> None:
    gold, outputs = task()
    page.goto(server)
    page.get_by_text("Gold and outputs instead of scores").click()
    fields = (("gold", "gold.csv", table(gold)), ("outputs", "export.zip", platform_export(outputs)))
    for what, name, data in fields:
        field = page.locator(f"[class*=st-key-{what}-] input[type=file]")
        field.wait_for(state="attached")
        settle(page)
        field.set_input_files(files=[{"name": name, "mimeType": "text/plain", "buffer": data}])
        page.get_by_text("Now drop the outputs" if what == "gold" else "joined by ids").first.wait_for()
    page.locator("[data-testid=stSidebarNavLink][href$='/pair']").click()
    page.get_by_text("Which labels make the difference").wait_for()
    shown = page.locator("[class*=st-key-confusion] .heatmaplayer image")
    shown.nth(1).wait_for(state="attached")
    assert shown.count() == 2
    chart = page.get_by_label("Confusion matrix of team0").first
    right = sum(one == label for one, label in zip(outputs["team0"], gold, strict=True))
    assert f"{right} of 60 right" in str(chart.get_attribute("aria-label"))
