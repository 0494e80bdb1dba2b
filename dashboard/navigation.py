"""The pages, in the order of the menu. All are always registered, with data or without."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from nlpstat_core.saved_boards import configured

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

FOLDER = Path(__file__).resolve().parent.parent / "pages"

# A new page is one file and one line: file, title, icon (from the font Streamlit bundles).
PAGES: tuple[tuple[str, str, str], ...] = (
    ("scores", "Scores", ":material/upload_file:"),
    ("leaderboard", "Leaderboard", ":material/leaderboard:"),
    ("heatmap", "Heatmap", ":material/grid_on:"),
    ("boards", "Boards", ":material/stacked_bar_chart:"),
    ("pair", "Pair", ":material/compare_arrows:"),
    ("items", "Items", ":material/checklist:"),
    ("posterior", "Posterior", ":material/stacked_line_chart:"),
    ("power", "Power", ":material/bolt:"),
    ("metrics", "Metrics", ":material/groups:"),
    ("report", "Report", ":material/description:"),
    ("methods", "Methods", ":material/menu_book:"),
)
LANDING = PAGES[0][0]
# Only where a database is configured; the second isn't in the menu, links lead to it.
SAVED, SHARED = "saved", "shared"


def page_path(name: str) -> Path:
    """The file of a page; every link goes by it."""
    return FOLDER / "saved" / f"{name}.py" if name in (SAVED, SHARED) else FOLDER / f"{name}.py"


def page_title(name: str | None) -> str:
    """What the menu calls a page."""
    return next((title for own, title, _ in PAGES if own == name), "My boards")


def pages() -> list[Page]:
    """The pages as Streamlit wants them."""
    found = [
        st.Page(page_path(name), title=title, icon=icon, url_path=name, default=name == LANDING)
        for name, title, icon in PAGES
    ]
    if configured() is not None:
        saved, shared = page_path(SAVED), page_path(SHARED)
        found.append(st.Page(saved, title="My boards", icon=":material/bookmarks:", url_path=SAVED))
        found.append(st.Page(shared, title="Shared board", url_path=SHARED, visibility="hidden"))
    return found
