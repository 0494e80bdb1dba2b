"""Previews of the reports: HTML as it opens, Markdown and LaTeX as source."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import streamlit as st

from dashboard.background import tasks
from dashboard.parts.panels import delivered
from dashboard.session.results import Answer, ask

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.report.exports.documents.blocks import Section

PREVIEW = "preview"
HTML, MARKDOWN, LATEX = "HTML", "Markdown", "LaTeX"
KINDS: dict[str, Literal["html", "markdown", "latex"]] = {HTML: "html", MARKDOWN: "markdown", LATEX: "latex"}
# Larger reports are for a browser window of their own; the source is shown from its beginning.
MOST_HTML, MOST_SOURCE = 3_000_000, 40_000
FRAME_PIXELS = 640


def draw_previews(analysis: Analysis, sections: Sequence[Section] = ()) -> None:
    """The menu of formats and the chosen report, made in the background."""
    kind = st.segmented_control(
        "Preview of the report",
        (HTML, MARKDOWN, LATEX),
        key="preview kind",
        persist_state="session",
        help="The same files as below.",
    )
    if kind is None:
        return
    written = delivered(ask_report(analysis, kind, sections), "Writing the report")
    if written is None:
        return
    if kind == HTML:
        _draw_html(written)
    else:
        if len(written) > MOST_SOURCE:
            st.caption(f"The first {MOST_SOURCE:,} of {len(written):,} characters; the file below has all.")
        language = "markdown" if kind == MARKDOWN else "latex"
        st.code(written[:MOST_SOURCE], language=language, wrap_lines=True, height=FRAME_PIXELS)


def ask_report(analysis: Analysis, kind: str, sections: Sequence[Section] = ()) -> Answer[str]:
    """A report as text. `kind`: HTML, MARKDOWN or LATEX."""
    key = (analysis.fingerprint, analysis.config, kind, *(section.statements for section in sections))
    return ask(PREVIEW, key, tasks.report, analysis, KINDS[kind], sections, quick=True)


def _draw_html(text: str) -> None:
    if len(text) > MOST_HTML:
        st.info("This report is too long for a preview: download report.html below.")
        return
    # As a data address the report is a page of its own origin: whatever it held could not reach the app.
    st.iframe(f"data:text/html;base64,{b64encode(text.encode()).decode()}", height=FRAME_PIXELS)
