"""The report: what was done in one place, and every file to take away."""

import streamlit as st

from dashboard.boards import draw_headline, draw_omnibus
from dashboard.downloads import draw_downloads, draw_methods
from dashboard.panels import current_analysis, notes_of, show_problems, show_remarks
from dashboard.previews import draw_previews
from nlpstat_core.exports.bundle import replay_json

st.title("Report")
analysis = current_analysis()
if analysis is not None:
    draw_headline(analysis)
    show_problems(notes_of(analysis))
    show_remarks(notes_of(analysis))
    draw_omnibus(analysis)
    st.subheader("Methods", divider="grey")
    draw_methods(analysis)
    draw_previews(analysis)
    st.subheader("Files", divider="grey")
    draw_downloads(analysis)
    st.subheader("To get the same numbers again", divider="grey")
    st.markdown("The settings and the fingerprint of the scores; with both, any copy gives the same digits.")
    st.code(f"{analysis.signature}\n{analysis.fingerprint}", language=None, wrap_lines=True)
    with st.expander("Settings in full (replay.json)"):
        st.code(replay_json(analysis), language="json")
