"""Draws the board figure: the whole board in one picture to publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.heatmaps import legend, remembered_cells
from dashboard.state import session
from dashboard.theme import CHART_CONFIG
from nlpstat_core.wording import headline

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from nlpstat_core.analysis import Analysis


def draw_board_figure(analysis: Analysis) -> None:
    """The picture, or a sentence where the board is too long for one.

    Parameters
    ----------
    analysis : Analysis
    """
    from dashboard.figures.board import MOST_SYSTEMS, board_figure, letters_shown

    board = analysis.leaderboard
    if len(board) > MOST_SYSTEMS:
        st.info(
            f"One picture holds up to {MOST_SYSTEMS} systems; this board has {len(board):,}. "
            "The heatmap shows any part of it."
        )
        return
    cells = remembered_cells(analysis, "p", list(range(len(board))))
    told = "Systems that share a letter are not separated. " if letters_shown(board) else ""
    st.caption(
        f"{legend(cells, hint=False)} · columns are numbered by rank · a dashed line separates clusters. "
        f"{told}The camera button above the picture saves it as SVG."
    )

    def draw() -> Figure:
        return board_figure(
            board, cells, level=analysis.config.level, metric=analysis.scores.metric or "score"
        )

    st.plotly_chart(
        session().drawing((cells, "board"), draw),
        key="board figure",
        config=CHART_CONFIG,
        alt="The board in one picture: rank, system, score with interval, and for every pair whether it is "
        f"separated. {headline(analysis)}",
    )
