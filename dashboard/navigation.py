"""The pages, in the order of the menu. All are always registered, with data or without."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from nlpstat_core.saved_boards import configured

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

FOLDER = Path(__file__).resolve().parent.parent / "pages"


class Entry(NamedTuple):
    """A page of the menu: section, file and part of the address, title, icon of Streamlit's font."""

    section: str
    name: str
    title: str
    icon: str


# A new page is one file and one line.
PAGES: tuple[Entry, ...] = (
    Entry("Board", "scores", "Scores", ":material/upload_file:"),
    Entry("Board", "leaderboard", "Leaderboard", ":material/leaderboard:"),
    Entry("Board", "heatmap", "Heatmap", ":material/grid_on:"),
    Entry("Closer look", "pair", "Pair", ":material/compare_arrows:"),
    Entry("Closer look", "items", "Items", ":material/checklist:"),
    Entry("Closer look", "posterior", "Posterior", ":material/stacked_line_chart:"),
    Entry("Closer look", "boards", "Metrics and data sets", ":material/stacked_bar_chart:"),
    Entry("Closer look", "metrics", "Metrics against people", ":material/groups:"),
    Entry("Closer look", "judges", "Judges", ":material/gavel:"),
    Entry("Closer look", "preferences", "Preferences (A or B)", ":material/swords:"),
    Entry("Next time", "power", "Power", ":material/bolt:"),
    Entry("Publish", "report", "Report", ":material/description:"),
    Entry("Publish", "methods", "Methods", ":material/menu_book:"),
)
LANDING = PAGES[0].name
# Only where a database is configured; the second isn't in the menu, links lead to it.
SAVED, SHARED = "saved", "shared"
SAVED_TITLE = "Saved boards"


def page_path(name: str) -> Path:
    """The file of a page; every link goes by it."""
    return FOLDER / "saved" / f"{name}.py" if name in (SAVED, SHARED) else FOLDER / f"{name}.py"


def page_title(name: str | None) -> str:
    """What the menu calls a page."""
    return next((entry.title for entry in PAGES if entry.name == name), SAVED_TITLE)


def pages() -> dict[str, list[Page]]:
    """The pages as Streamlit wants them, by section of the menu."""
    found: dict[str, list[Page]] = {}
    for section, name, title, icon in PAGES:
        page = st.Page(page_path(name), title=title, icon=icon, url_path=name, default=name == LANDING)
        found.setdefault(section, []).append(page)
    if configured() is not None:
        saved, shared = page_path(SAVED), page_path(SHARED)
        found[PAGES[-1].section] += [
            st.Page(saved, title=SAVED_TITLE, icon=":material/bookmarks:", url_path=SAVED),
            st.Page(shared, title="Shared board", url_path=SHARED, visibility="hidden"),
        ]
    return found
