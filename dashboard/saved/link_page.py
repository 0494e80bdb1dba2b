"""Draws what a link leads to: a published board to read, or one participant's sheet. No account is needed."""

import streamlit as st

from dashboard.parts.link_problems import SHARED_LINK
from dashboard.saved import work
from dashboard.saved.board_page import delivered_projection, draw_files, draw_projection
from dashboard.text import markdown
from nlpstat_core.errors import NlpstatError
from nlpstat_core.saved_boards.access import board_of_link, by_link
from nlpstat_core.saved_boards.projection import overview

LONGEST_TOKEN = 200


def draw_shared() -> None:
    """The whole page."""
    token = st.query_params.get(SHARED_LINK)
    if not token:
        st.title("Shared board")
        st.info("This page shows what a link leads to. Open the link that you were sent.")
        return
    viewer = by_link(token[:LONGEST_TOKEN])
    try:
        database = work.database()
        seen = overview(database, viewer, board_of_link(database, viewer))
        st.title(markdown(seen.access.title))
        found = delivered_projection(viewer, seen, seen.access.latest)
    except NlpstatError as error:
        st.title("Shared board")
        st.error(markdown(str(error)))
        return
    if found is not None:
        draw_projection(found)
        if found.files:
            with st.expander("Files"):
                draw_files(viewer, found, "shared file")
