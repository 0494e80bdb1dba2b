"""Saved boards: what a team reviews together. In the menu only where a database is configured."""

import streamlit as st

from dashboard.navigation import SAVED_TITLE
from dashboard.saved.my_boards import draw_my_boards

st.title(SAVED_TITLE)
draw_my_boards()
