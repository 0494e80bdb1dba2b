"""Draws the sentences for a paper with their copy button, or why there are none yet and what settles that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.doubts import draw_doubts
from dashboard.session.state import session
from nlpstat_core.report.exports.paper.sentence import PaperSentence, paper_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

FORMS = ("Text", "LaTeX", "Markdown", "BibTeX")


def draw_paper_sentence(analysis: Analysis) -> None:
    """The sentences in the form that is chosen, ready to be copied."""
    key = ("paper sentence", analysis.fingerprint, analysis.config)
    said: PaperSentence | None = session().drawing(key, lambda: paper_sentence(analysis))
    if said is None:
        st.markdown("There is no sentence to copy before this is settled:")
        draw_doubts(analysis.scores)
        return
    form = st.segmented_control(
        "Form", FORMS, default=FORMS[0], required=True, key="paper form", persist_state="session"
    )
    code = {"Text": said.text, "LaTeX": said.latex, "Markdown": said.markdown, "BibTeX": said.bibtex}[form]
    language = {"LaTeX": "latex", "Markdown": "markdown", "BibTeX": "bibtex"}.get(form)
    st.code(code, language=language, wrap_lines=True)
    st.caption("Copy it with the button at its top right; LaTeX and Markdown cite by the keys under BibTeX.")
