"""A connection is lost for a moment, for so long that the server ends the session, and by a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app.driver import drop, open_page, running_server, score_file, settle
from app.relay import Relay, relay

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
TTL_SECONDS = 2  # after which this server ends the session of a browser that is gone
ANSWER = "14 of 15 pairs are found to differ"


def lost_until(page: Any, line: Relay, to: int, *, seconds: float = 0) -> None:
    """Cut the line, see what is said of it, wait, and have it led to a port again."""
    line.lead(None)
    page.get_by_text("the server keeps your scores and settings for 30 minutes").wait_for()
    assert page.get_by_text("Streamlit server").count() == 0
    page.wait_for_timeout(1000 * seconds)
    line.lead(to)
    page.get_by_role("dialog").wait_for(state="detached")


def level(page: Any) -> Any:
    return page.get_by_test_id("stSidebar").get_by_role("spinbutton", name="Significance level α")


def test_what_is_kept_and_said(page: Any, server: str, tmp_path: Path) -> None:
    options = ("--server.disconnectedSessionTTL", str(TTL_SECONDS))
    with running_server(tmp_path / "log", options=options) as own:
        port, another = (int(address.rpartition(":")[2]) for address in (own, server))
        with relay(port) as line:
            page.goto(f"http://127.0.0.1:{line.port}")
            page.get_by_role("heading", name="Which systems really differ?").wait_for()
            drop(page, score_file())
            page.get_by_text(ANSWER).first.wait_for()
            level(page).fill("0.01")
            level(page).press("Enter")
            page.wait_for_url("**alpha=0.01*")
            settle(page)
            lost_until(page, line, port)
            open_page(page, "Leaderboard")  # the same session, as if nothing had been
            page.get_by_text(ANSWER).first.wait_for()
            lost_until(page, line, port, seconds=3 * TTL_SECONDS)
            open_page(page, "Heatmap")  # a session of its own, with what was kept for the tab
            page.get_by_text("Your scores and settings are still here.").wait_for()
            page.get_by_text("at 0.01").first.wait_for()
            settle(page)
            lost_until(page, line, another)  # a server at the same address that knows nothing of it
            page.get_by_test_id("stSidebarNav").get_by_role("link", name="Scores", exact=True).click()
            page.get_by_text("it was restarted, or more than").wait_for()
            settle(page)
            drop(page, score_file())
            page.get_by_text(ANSWER).first.wait_for()
            assert level(page).input_value() == "0.01"
