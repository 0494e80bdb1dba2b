"""All metrics or data sets of an upload: what they say together, and every system on each of them."""

import streamlit as st

from dashboard.boards.overall import draw_composed
from dashboard.boards.page import draw_across, draw_only_one
from dashboard.navigation import page_title
from dashboard.parts.leaderboard import draw_headline
from dashboard.parts.panels import current_analysis, signature_line
from dashboard.session.state import session

st.title(page_title("boards"))
analysis = current_analysis()
if analysis is not None:
    if session().composed is not None:
        draw_headline(analysis, brief=True)
        draw_composed()
    elif not draw_across(analysis):
        draw_headline(analysis, brief=True)
        draw_only_one()
    signature_line(analysis)
