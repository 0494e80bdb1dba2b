"""The leaderboard: scores with intervals, rank intervals, clusters, and how firm all of it is."""

import streamlit as st

from dashboard.boards import draw_headline, draw_intervals, draw_omnibus, draw_table
from dashboard.firmness import draw_robustness
from dashboard.panels import current_analysis, notes_of, show_problems, show_remarks, signature_line
from dashboard.picture import draw_board_figure
from dashboard.several import draw_across

st.title("Leaderboard")
analysis = current_analysis()
if analysis is not None:
    draw_headline(analysis)
    show_problems(notes_of(analysis))
    draw_table(analysis, "leaderboard table", most_rows=25)
    draw_omnibus(analysis)
    st.subheader("Scores with intervals")
    draw_intervals(analysis, "leaderboard plot")
    st.subheader("The board in one picture", divider="grey")
    draw_board_figure(analysis)
    st.subheader("Would other choices change the board?", divider="grey")
    draw_robustness(analysis)
    draw_across(analysis)
    show_remarks(notes_of(analysis))
    signature_line(analysis)
