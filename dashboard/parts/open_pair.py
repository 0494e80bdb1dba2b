"""From a cell, a mark or a row to the page of its pair."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from dashboard.session.address import link_to_pair
from dashboard.session.requests import ask_pair
from dashboard.session.state import session
from dashboard.text import markdown, short

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

# Long enough for the second click of a double click, too short for somebody who goes back.
DOUBLE_CLICK_SECONDS = 0.5


def open_pair(analysis: Analysis, a: str, b: str) -> None:
    """Go to the pair page with two systems, a − b as they were chosen."""
    session().opened = opened = (time.monotonic(), a, b)
    ask_pair(analysis, *opened[1:], patience=0)  # done while the browser changes the page
    link_to_chosen(*opened[1:], follow=opened[0])


def finish_double_click() -> None:
    """The second click of a double click reaches the page that is being left: go on to the pair."""
    opened = session().opened
    if opened is not None and time.monotonic() - opened[0] < DOUBLE_CLICK_SECONDS:
        link_to_chosen(*opened[1:], follow=time.monotonic())


def link_to_chosen(a: str, b: str, *, follow: float | None = None) -> None:
    """A link to the page of a pair, as a − b; it is followed at once where a moment is given."""
    label = f"Open the pair {markdown(short(a))} and {markdown(short(b))}"
    link_to_pair(label, a, b, follow=follow)
