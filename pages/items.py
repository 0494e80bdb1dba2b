"""Items: difficulty, agreement with the rest, and how far the ranking depends on them."""

import streamlit as st

from dashboard.items.outputs import draw_item_outputs
from dashboard.items.page import draw_items
from dashboard.parts.panels import current_analysis, signature_line

st.title("Items")
analysis = current_analysis()
if analysis is not None:
    if draw_item_outputs(analysis):
        draw_items(analysis)
    signature_line(analysis)
