"""The heatmap: all pairs at a glance; a cell opens its pair."""

import streamlit as st

from dashboard.heatmap.page import draw_heatmap
from dashboard.parts.leaderboard import draw_headline
from dashboard.parts.panels import current_analysis, show_problems, show_remarks, signature_line

st.title("Heatmap")
analysis = current_analysis()
if analysis is not None:
    draw_headline(analysis, brief=True)
    show_problems(analysis.notes)
    draw_heatmap(analysis, "heatmap")
    show_remarks(analysis.notes)
    signature_line(analysis)
