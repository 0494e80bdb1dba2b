"""The report: what was done in one place, and every file to take away."""

import streamlit as st

from dashboard.parts.downloads import draw_downloads, draw_methods
from dashboard.parts.leaderboard import draw_headline, draw_omnibus
from dashboard.parts.panels import current_analysis, link_to_saving, show_problems, show_remarks
from dashboard.parts.paper_sentence import draw_paper_sentence
from dashboard.parts.paper_table import draw_paper_table
from dashboard.parts.setting_buttons import draw_documents
from dashboard.report.added_sections import choose_sections
from dashboard.report.previews import draw_previews
from nlpstat_core.report.exports.data.plain import replay_json
from nlpstat_core.report.wording.paper import PAPER_TITLE

st.title("Report")
analysis = current_analysis()
if analysis is not None:
    draw_headline(analysis)
    draw_documents(analysis)
    show_problems(analysis.notes)
    st.header(PAPER_TITLE, divider="grey")
    draw_paper_sentence(analysis)
    st.header("A table for the paper", divider="grey")
    draw_paper_table(analysis)
    show_remarks(analysis.notes)
    with st.expander("Tests of all systems together"):
        draw_omnibus(analysis)
    st.header("Methods", divider="grey")
    sections = choose_sections(analysis)
    draw_methods(analysis, sections)
    draw_previews(analysis, sections)
    st.header("Files", divider="grey")
    link_to_saving()
    draw_downloads(analysis, sections)
    st.header("To get the same numbers again", divider="grey")
    st.markdown("The settings and the fingerprint of the scores; with both, any copy gives the same digits.")
    st.code(f"{analysis.signature}\n{analysis.fingerprint}", language=None, wrap_lines=True)
    with st.expander("Settings in full (replay.json)"):
        st.code(replay_json(analysis), language="json")
