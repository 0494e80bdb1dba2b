"""All metrics or data sets of an upload: what they say together, and every system on each of them."""

import streamlit as st

from dashboard.boards import draw_headline
from dashboard.panels import current_analysis, signature_line
from dashboard.several_boards import draw_across, draw_only_one

st.title("Boards")
analysis = current_analysis()
if analysis is not None:
    if not draw_across(analysis):
        draw_headline(analysis, brief=True)
        draw_only_one()
    signature_line(analysis)
