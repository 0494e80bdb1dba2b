"""Draws the way to keep a board, where a database is configured."""

import streamlit as st

from dashboard.navigation import SAVED, page_path
from nlpstat_core.saved_boards import configured


def link_to_saving() -> None:
    """The link to the page that saves this board for later and for others to review."""
    if configured() is not None:
        label = "Keep this board: save it, review it with others, see later what changed"
        st.page_link(page_path(SAVED), label=label, icon=":material/bookmark_add:")
