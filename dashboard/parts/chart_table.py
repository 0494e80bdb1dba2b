"""A chart with its numbers as a table one key away, for keyboards and screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.parts.folded import folded
from dashboard.text import NO_VALUE

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def draw_chart(
    figure: Figure, *, key: str, alt: str, config: dict[str, object], table: pd.DataFrame | None = None
) -> None:
    """A chart, and below it the same as a table.

    table: Its numbers; read off its lines or bars where not given.
    """
    st.plotly_chart(figure, key=key, config=config, alt=alt)
    with folded("The same as a table", key) as opened:
        if opened:
            frame = figure_table(figure) if table is None else table
            st.dataframe(frame, hide_index=table is None, alt=alt, placeholder=NO_VALUE)


def figure_table(figure: Figure) -> pd.DataFrame:
    """The numbers of lines or bars: one row a place on the x-axis, one column a series."""
    axes = figure.layout
    across, up = axes.xaxis.title.text or "x", axes.yaxis.title.text or "y"
    series = [
        pd.Series(list(trace.y), index=list(trace.x), name=trace.name or up, dtype=float)
        for trace in figure.data
    ]
    frame = pd.concat(series, axis=1).sort_index().rename_axis(across)
    return frame.reset_index()
