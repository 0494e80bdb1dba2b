"""The report: what was done in one place, and every file to take away."""

import streamlit as st

from dashboard.boards import draw_headline, draw_omnibus
from dashboard.downloads import draw_downloads, replay_text
from dashboard.panels import current_analysis, notes_of, show_problems, show_remarks

st.title("Report")
analysis = current_analysis()
if analysis is not None:
    draw_headline(analysis)
    show_problems(notes_of(analysis))
    show_remarks(notes_of(analysis))
    draw_omnibus(analysis)
    st.subheader("Files", divider="grey")
    draw_downloads(analysis)
    st.subheader("To get the same numbers again", divider="grey")
    st.markdown("The settings and the fingerprint of the scores; with both, any copy gives the same digits.")
    st.code(f"{analysis.signature}\n{analysis.fingerprint}", language=None, wrap_lines=True)
    with st.expander("Settings in full (replay.json)"):
        st.code(replay_text(analysis), language="json")
