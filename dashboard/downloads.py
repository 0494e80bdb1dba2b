"""What can be taken away: every file of an analysis, made when its button is pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from nlpstat_core.exports.folder import FILES
from nlpstat_core.exports.plain import json_text

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

DESCRIPTIONS = {
    "analysis.json": "Everything in one file: settings, notes, leaderboard, pairs",
    "leaderboard.csv": "The leaderboard, one row per system",
    "pairs.csv": "All pairs, one row each, full precision",
    "report.html": "Report to read or print",
    "report.md": "Report as Markdown",
    "report.tex": "Tables and methods for LaTeX",
    "replay.json": "These settings, for `nlpstat analyse FILE --config replay.json` or a colleague",
}
MIME = {"json": "application/json", "csv": "text/csv", "html": "text/html", "md": "text/markdown"}


def replay_text(analysis: Analysis) -> str:
    """The settings as a file that the command line reads with --config.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str
    """
    return json_text({**analysis.config.to_dict(), "reading": dict(analysis.scores.reading)})


def files() -> tuple[tuple[str, Callable[[Analysis], str]], ...]:
    """Name and maker of every file offered.

    Returns
    -------
    tuple of (str, callable)
    """
    return (*FILES, ("replay.json", replay_text))


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


def _deferred(make: Callable[[Analysis], str], analysis: Analysis) -> Callable[[], bytes]:
    """The file as bytes, made off the script's thread and only when somebody wants it."""
    return lambda: make(analysis).encode("utf-8")
