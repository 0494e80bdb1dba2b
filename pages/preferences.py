"""A or B: systems ranked by battles."""

import streamlit as st

from dashboard.navigation import page_title
from dashboard.preferences.page import draw_preferences

st.title(page_title("preferences"))
draw_preferences()
