"""The pages, in the order of the menu. All are always registered, with data or without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).resolve().parent.parent / "pages"

# A new page is one file and one line: file, title, icon (from the font Streamlit bundles).
PAGES: tuple[tuple[str, str, str], ...] = (
    ("scores", "Scores", ":material/upload_file:"),
    ("leaderboard", "Leaderboard", ":material/leaderboard:"),
    ("heatmap", "Heatmap", ":material/grid_on:"),
    ("pair", "Pair", ":material/compare_arrows:"),
    ("power", "Power", ":material/bolt:"),
    ("report", "Report", ":material/description:"),
    ("methods", "Methods", ":material/menu_book:"),
)
LANDING = PAGES[0][0]


def page_path(name: str) -> Path:
    """The file of a page; every link goes by it.

    Parameters
    ----------
    name : str
        First column of PAGES.

    Returns
    -------
    Path
    """
    return FOLDER / f"{name}.py"


def pages() -> list[Any]:
    """The pages as Streamlit wants them.

    Returns
    -------
    list of st.Page
    """
    return [
        st.Page(page_path(name), title=title, icon=icon, url_path=name, default=name == LANDING)
        for name, title, icon in PAGES
    ]
