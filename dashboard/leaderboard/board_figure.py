"""Draws the board figure: the whole board in one picture to publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.pairs_of_system import draw_forest
from dashboard.parts.svg import draw_svg
from dashboard.session.state import session
from nlpstat_core.report.exports.figures.board import MOST_SYSTEMS, board_svg
from nlpstat_core.report.wording import headline

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


SHOWN_AT_FIRST = 26  # more would be too small to read, and leave no room for the sentence below


def draw_board_figure(analysis: Analysis) -> None:
    """The core's picture of the board, of a long board its beginning; against a baseline a forest plot."""
    if analysis.config.baseline is not None:
        draw_forest(analysis, "board forest")
        return
    size = len(analysis.leaderboard)
    most = MOST_SYSTEMS
    whole = f"Show all {size} systems" if size <= MOST_SYSTEMS else f"Show the first {MOST_SYSTEMS} systems"
    if size > SHOWN_AT_FIRST and not st.toggle(whole, key="whole picture", persist_state="session"):
        most = SHOWN_AT_FIRST
    letters = analysis.leaderboard.letters is not None
    text = "Systems that share a letter are not separated. " if letters else ""
    if size > most:
        text += f"The picture holds the first {most} systems; the table below and the heatmap have all."
    key = ("board figure", analysis.fingerprint, analysis.config, most)
    document: str = session().drawing(key, lambda: board_svg(analysis, most))
    draw_svg(
        "board",
        document,
        "The board in one picture: rank, system, letters, score with interval, and for every pair whether "
        f"it is separated. {headline(analysis)}",
    )
    st.caption(f"Rows are systems, best first; the columns at the right are the same systems by rank. {text}")
