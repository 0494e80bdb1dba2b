"""What changed since an earlier board in Chromium: two files, on a desktop and on a phone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from app.driver import drop, score_file, settle
from app.test_every_page import HOSTILE, SCREENS, inspect, watch

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

# Names that aren't one line or need quotes in a file are read elsewhere.
NAMES = [name for name in HOSTILE if not set(name) & set('\n,"')][:3]


def give(page: Any, data: bytes, name: str) -> None:
    """Drop a file on the field for the earlier board."""
    settle(page)
    page.get_by_test_id("stMain").locator("input[type=file]").set_input_files(
        files=[{"name": name, "mimeType": "text/csv", "buffer": data}]
    )


@pytest.mark.parametrize("screen", ["dark", "phone"])
def test_a_visitor_compares_with_last_months_file(
    chromium: Any, server: str, screen: str, tmp_path: Path
) -> None:
    context = chromium.new_context(**SCREENS[screen])
    context.set_default_timeout(120_000)
    page, lines = context.new_page(), list[str]()
    watch(page, lines)
    page.goto(server)
    page.locator("input[type=file]").wait_for(state="attached")
    drop(page, score_file(6))
    page.get_by_text("15 pairs are found to differ").first.wait_for()
    settle(page)
    page.get_by_role("link", name="what changed since an earlier board").click()
    page.get_by_role("heading", name="Leaderboard", level=1, exact=True).wait_for()
    settle(page)
    page.get_by_text("What changed since an earlier board?").click()
    page.get_by_text("Drop the score file of the earlier board").wait_for()

    give(page, b"no scores at all", "notes.txt")
    page.get_by_text("This file can't be used.").wait_for()
    earlier = score_file(6).replace(b"sys4,sys5", b"sys5," + NAMES[0].encode()).replace(b"sys0,", b"sys4,")
    give(page, earlier, "<i>october.csv")
    page.get_by_text("Added: sys0.").wait_for()
    page.get_by_text(f"Removed: {NAMES[0]}.").wait_for()
    page.get_by_text("Ranks that moved").wait_for()
    assert page.get_by_text("This file can't be used.").count() == 0
    assert page.get_by_text("<i>october.csv").count() == 2  # and on the fold
    inspect(page, SCREENS[screen]["viewport"]["width"])
    with page.expect_download() as download:
        page.get_by_role("button", name="changes.json").click()
    download.value.save_as(tmp_path / "changes.json")
    found = json.loads((tmp_path / "changes.json").read_text(encoding="utf-8"))
    assert (found["added"], found["removed"]) == (["sys0"], [NAMES[0]])

    # The board is what it was.
    assert page.get_by_text("scores.csv · higher is better · 6 systems × 80 items").count() == 1
    page.get_by_role("button", name="Forget this file").click()
    page.get_by_text("Added: sys0.").wait_for(state="detached")
    inspect(page, SCREENS[screen]["viewport"]["width"])
    assert page.get_by_text("15 pairs are found to differ").count() > 0
    context.close()
    assert lines == []
