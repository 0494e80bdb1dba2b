"""Draws the board figure: the whole board in one picture to publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.state import session
from dashboard.svgs import draw_svg
from nlpstat_core.exports.board_figure import MOST_SYSTEMS, board_svg
from nlpstat_core.wording import headline

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis


def draw_board_figure(analysis: Analysis) -> None:
    """The core's picture of the board; of a long board its beginning.

    Parameters
    ----------
    analysis : Analysis
    """
    letters = analysis.leaderboard.letters is not None
    told = "Systems that share a letter are not separated. " if letters else ""
    if len(analysis.leaderboard) > MOST_SYSTEMS:
        told += (
            f"The picture holds the first {MOST_SYSTEMS} systems; the heatmap shows any part of the board."
        )
    st.caption(f"Rows are systems, best first; the columns at the right are the same systems by rank. {told}")
    key = ("board figure", analysis.fingerprint, analysis.config)
    document: str = session().drawing(key, lambda: board_svg(analysis))
    draw_svg(
        "board",
        document,
        "The board in one picture: rank, system, letters, score with interval, and for every pair whether "
        f"it is separated. {headline(analysis)}",
    )
