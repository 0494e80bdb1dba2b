"""Draws a square of pairs, and tells which cell was chosen."""

import streamlit as st

from dashboard.figures.cells import Cells
from dashboard.session.state import session
from dashboard.theme import CHART_CONFIG, palette_of


def draw_square(square: Cells, key: str, alt: str) -> tuple[int, int] | None:
    """Row and column of the cell that is selected; None where none is."""
    from dashboard.figures.heatmap import heatmap_figure

    palette = palette_of(st.context.theme.type)
    event = st.plotly_chart(
        session().drawing((square, palette.name), lambda: heatmap_figure(square, palette=palette)),
        key=key,
        on_select="rerun",
        selection_mode="points",
        config=CHART_CONFIG,
        alt=alt,
    )
    points = event["selection"]["points"]
    return (round(points[0]["y"]), round(points[0]["x"])) if points else None
