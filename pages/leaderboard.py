"""The leaderboard: scores with intervals, rank intervals, clusters, and how firm all of it is."""

import streamlit as st

from dashboard.boards import draw_headline, draw_intervals, draw_omnibus, draw_table
from dashboard.critical import draw_critical_differences
from dashboard.firmness import draw_robustness
from dashboard.panels import current_analysis, notes_of, show_problems, show_remarks, signature_line
from dashboard.picture import draw_board_figure
from dashboard.ranks import best_shares, draw_ranks, known_ranks
from dashboard.several import draw_across

st.title("Leaderboard")
analysis = current_analysis()
if analysis is not None:
    draw_headline(analysis)
    show_problems(notes_of(analysis))
    ranks = known_ranks(analysis)
    draw_table(analysis, "leaderboard table", most_rows=25, best=best_shares(ranks, analysis))
    draw_omnibus(analysis)
    st.subheader("Scores with intervals", divider="grey")
    draw_intervals(analysis, "leaderboard plot")
    st.subheader("The board in one picture", divider="grey")
    draw_board_figure(analysis)
    st.subheader("Ranks on other test sets like this one", divider="grey")
    draw_ranks(analysis, ranks)
    st.subheader("Average ranks", divider="grey")
    draw_critical_differences(analysis)
    st.subheader("Would other choices change the board?", divider="grey")
    draw_robustness(analysis)
    draw_across(analysis)
    show_remarks(notes_of(analysis))
    signature_line(analysis)
