"""A settings file in Chromium: it is used once, and pages open as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from app.driver import drop, open_page, score_file, settle

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_pages_open_after_a_settings_file_was_taken(page: Any, server: str, server_log: Path) -> None:
    before = len(server_log.read_text(encoding="utf-8"))
    page.goto(server)
    drop(page, score_file(4))
    page.get_by_text("6 pairs are found to differ").first.wait_for()
    settle(page)
    _load(page, {"correction": "bonferroni", "alpha": 0.01})
    _close(page, "escape")
    for title in ("Leaderboard", "Power"):
        open_page(page, title)
    assert page.get_by_test_id("stException").count() == 0
    assert page.get_by_text("Settings of replay.json are in use.").count() == 1

    # The same file can be given once more, after the settings were changed.
    page.get_by_role("button", name="Reset settings").click()
    settle(page)
    assert "correction" not in page.url
    _load(page, {"correction": "bonferroni", "alpha": 0.01})
    _close(page, "outside")
    open_page(page, "Leaderboard")
    assert page.get_by_text("Settings of replay.json are in use.").count() == 1
    text = server_log.read_text(encoding="utf-8")[before:]
    assert "Traceback" not in text
    assert "created with a default value" not in text


def _load(page: Any, settings: dict[str, Any]) -> None:
    page.get_by_role("button", name="Load settings").click()
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files(
        files=[
            {
                "name": "replay.json",
                "mimeType": "application/json",
                "buffer": json.dumps(settings).encode(),
            }
        ]
    )
    page.get_by_text("Settings of replay.json are in use.").wait_for()
    settle(page)


def _close(page: Any, closing: str) -> None:
    if closing == "escape":
        page.keyboard.press("Escape")
    else:
        page.get_by_role("heading", level=1).first.click()
    page.get_by_test_id("stPopoverBody").wait_for(state="detached")
    settle(page)
