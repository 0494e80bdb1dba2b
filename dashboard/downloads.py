"""What can be taken away: every file of an analysis, made when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import tasks
from dashboard.apart import Task, lane
from dashboard.asking import METHODS, ask_methods
from dashboard.files import MAKERS
from dashboard.panels import delivered

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


def draw_methods(analysis: Analysis) -> None:
    """The methods paragraph, ready to be copied, and its references.

    Parameters
    ----------
    analysis : Analysis
    """
    found = delivered(ask_methods(analysis), METHODS, "Writing the methods paragraph")
    if found is None:
        return
    text, references = found
    st.code(text, language=None, wrap_lines=True)
    with st.expander("References (BibTeX)"):
        st.code(references, language="bibtex")


def draw_downloads(analysis: Analysis) -> None:
    """One button per file.

    Parameters
    ----------
    analysis : Analysis
    """
    for name in MAKERS:
        left, right = st.columns([1, 2], vertical_alignment="center")
        left.download_button(
            name,
            data=_deferred(analysis, name),
            file_name=name,
            mime=MIME.get(name.rpartition(".")[2], "text/plain"),
            key=f"download {name}",
            on_click="ignore",
            icon=":material/download:",
            width="stretch",
        )
        right.markdown(DESCRIPTIONS.get(name, ""))


def _deferred(analysis: Analysis, name: str) -> Callable[[], bytes]:
    """The file, made by a helper process and only when somebody wants it."""

    def made() -> bytes:
        files = lane("files")
        task = Task(tasks.file, (analysis, name))
        content: bytes = files.pool.submit(files.helper.do, task, _untold, _never).result()
        return content

    return made


def _untold(done: int, total: int) -> None:
    """The browser shows that a download is on its way, not how far it is."""


def _never() -> bool:
    return False
