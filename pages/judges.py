"""What would people say of all items? A judge's board, corrected by a few human labels."""

import streamlit as st

from dashboard.judges.page import draw_judges
from dashboard.navigation import page_title

st.title(page_title("judges"))
draw_judges()
