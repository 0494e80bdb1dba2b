"""What can be taken away: every file of an analysis, made when its button is pressed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from dashboard.background import tasks
from dashboard.background.files import MAKERS
from dashboard.background.workers import Task, work_queue
from dashboard.parts.file_buttons import file_button
from dashboard.parts.measure import measure_name
from dashboard.parts.panels import delivered
from dashboard.session.requests import ask_methods
from dashboard.session.results import is_quick, session_jobs
from dashboard.session.state import session
from nlpstat_core.installed import own_command
from nlpstat_core.report.exports.documents.blocks import Section

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

Content = TypeVar("Content", str, bytes)
DESCRIPTIONS = {
    "analysis.json": "Everything in one file: settings, notes, leaderboard, pairs",
    "leaderboard.csv": "The leaderboard, one row per system",
    "pairs.csv": "All pairs, one row each, full precision",
    "report.html": "Report to read or print",
    "report.md": "Report as Markdown",
    "report.tex": "The whole report as a LaTeX document, for an appendix",
    "table.tex": "The leaderboard as a small LaTeX table, to be pasted into a paper",
    "analysis.xlsx": "Everything as an Excel workbook, one sheet per table",
    "everything.zip": "All of these files, and figures (SVG), items, methods and references (BibTeX)",
    "participants.zip": "One page per system: own rank interval, whom it ties with, where it loses",
    "participants-hidden-names.zip": "The same with the names of all other systems hidden",
    "replay.json": f"These settings, for `{own_command()} {{command}} --config replay.json` or a colleague",
}
SLOW = ("analysis.xlsx", "everything.zip", "participants.zip", "participants-hidden-names.zip")


def draw_methods(analysis: Analysis, sections: Sequence[Section] = ()) -> None:
    """The methods paragraph, ready to be copied, and its references."""
    found = delivered(ask_methods(analysis, sections), "Writing the methods paragraph")
    if found is None:
        return
    section, references = found
    st.code(section, language=None, wrap_lines=True)
    with st.expander("References (BibTeX)"):
        st.code(references, language="bibtex")


def draw_downloads(analysis: Analysis, sections: Sequence[Section] = ()) -> None:
    """One button per file."""
    of_sections = {name: section.title for section in sections for name in section.files}
    command = "analyse FILE" if measure_name(analysis.scores) is None else "submissions GOLD FILE"
    for name in (*MAKERS, *of_sections):
        left, right = st.columns([1, 2], vertical_alignment="center")
        with left:
            file_button(name, _deferred(analysis, name, sections), width="stretch")
        described = DESCRIPTIONS.get(name) or of_sections.get(name, "")
        right.markdown(described.replace("{command}", command))


def _deferred(analysis: Analysis, name: str, sections: Sequence[Section]) -> Callable[[], bytes]:
    """One file of the analysis, made only when somebody wants it."""
    quick = name not in SLOW and is_quick(analysis.scores, analysis.config)
    return deferred(name, Task(tasks.file, (analysis, name, sections)), quick=quick)


def deferred(name: str, task: Task[Content], *, quick: bool = False) -> Callable[[], Content]:
    """A file, made by a worker process when somebody wants it; no longer when its session has ended.

    A session has one file made at a time, so that nobody who takes all of them keeps others waiting.

    quick: Whether that takes a moment; then it doesn't wait for other users' files.
    Returns: Gives the content, on whatever thread it is called.
    """
    jobs, turn = session_jobs(), session().downloading

    def made() -> Content:
        chosen = work_queue("quick" if quick else "files")
        with turn:
            kind = f"file {name}"
            job = jobs.ask(kind, time.monotonic_ns(), partial(chosen.do, task), chosen.pool)
            try:
                content = job.result()
            finally:
                jobs.drop(kind)
        return content

    return made
