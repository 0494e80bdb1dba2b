"""Saved boards: what a team reviews together. In the menu only where a database is configured."""

import streamlit as st

from dashboard.saved.my_boards import draw_my_boards

st.title("My boards")
draw_my_boards()
