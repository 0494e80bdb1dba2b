"""What can be taken away: every file of an analysis, made when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nlpstat_core.exports.bundle import bundle, replay_json
from nlpstat_core.exports.excel import workbook
from nlpstat_core.exports.folder import FILES
from nlpstat_core.exports.methods_text import methods_text, references_bib
from nlpstat_core.exports.participant import participant_sheets

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

DESCRIPTIONS = {
    "analysis.json": "Everything in one file: settings, notes, leaderboard, pairs",
    "leaderboard.csv": "The leaderboard, one row per system",
    "pairs.csv": "All pairs, one row each, full precision",
    "report.html": "Report to read or print",
    "report.md": "Report as Markdown",
    "report.tex": "Tables and methods for LaTeX",
    "analysis.xlsx": "Everything as an Excel workbook, one sheet a table",
    "everything.zip": "All of these files with the figures (SVG), methods paragraph and references (BibTeX)",
    "participants.zip": "One page per system: own rank interval, whom it ties with, where it loses",
    "participants-hidden-names.zip": "The same with the names of all other systems hidden",
    "replay.json": "These settings, for `nlpstat analyse FILE --config replay.json` or a colleague",
}
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MIME = {
    "json": "application/json",
    "csv": "text/csv",
    "html": "text/html",
    "md": "text/markdown",
    "xlsx": XLSX,
    "zip": "application/zip",
}


def files() -> tuple[tuple[str, Callable[[Analysis], str | bytes]], ...]:
    """Name and maker of every file offered.

    Returns
    -------
    tuple of (str, callable)
    """
    return (
        *FILES,
        ("analysis.xlsx", workbook),
        ("everything.zip", bundle),
        ("participants.zip", participant_sheets),
        ("participants-hidden-names.zip", partial(participant_sheets, hide_others=True)),
        ("replay.json", replay_json),
    )


def draw_methods(analysis: Analysis) -> None:
    """The methods paragraph, ready to be copied, and its references.

    Parameters
    ----------
    analysis : Analysis
    """
    st.code(methods_text(analysis), language=None, wrap_lines=True)
    with st.expander("References (BibTeX)"):
        st.code(references_bib(analysis), language="bibtex")


def draw_downloads(analysis: Analysis) -> None:
    """One button per file.

    Parameters
    ----------
    analysis : Analysis
    """
    for name, make in files():
        left, right = st.columns([1, 2], vertical_alignment="center")
        left.download_button(
            name,
            data=_deferred(make, analysis),
            file_name=name,
            mime=MIME.get(name.rpartition(".")[2], "text/plain"),
            key=f"download {name}",
            on_click="ignore",
            icon=":material/download:",
            width="stretch",
        )
        right.markdown(DESCRIPTIONS.get(name, ""))


def _deferred(make: Callable[[Analysis], str | bytes], analysis: Analysis) -> Callable[[], bytes]:
    """The file as bytes, made off the script's thread and only when somebody wants it."""

    def made() -> bytes:
        content = make(analysis)
        return content.encode("utf-8") if isinstance(content, str) else content

    return made
