"""The probability of every rank for every system."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.text import plotly, short
from dashboard.theme import GRID, base_layout
from nlpstat_core.arrays import FloatArray

ROW_PIXELS = 24
MOST_WRITTEN = 16  # more columns have no room for numbers
SEEN = 0.005  # a share that rounds to 1 %
# Light to dark, so that grey print keeps the order.
SHADES = [[0.0, "#E6EEF6"], [0.25, "#A9C3DF"], [0.5, "#5C8DBF"], [0.75, "#2B5C97"], [1.0, "#00224E"]]
MOST_TICKS = 12


def ranks_figure(systems: Sequence[str], shares: FloatArray) -> go.Figure:
    """Systems by rank, each cell the share of resamples in which the system has the rank.

    systems: Best first.
    shares (float array, shape (n_shown, n_systems)).
    Returns: One heatmap; ranks nobody shown ever has are cut off at the right.
    """
    seen = np.flatnonzero((shares >= SEEN).any(axis=0))
    columns = int(seen[-1]) + 1 if seen.size else 1
    part = np.where(shares[:, :columns] >= SEEN, shares[:, :columns], np.nan)
    written = columns <= MOST_WRITTEN
    rows = len(systems)
    return go.Figure(
        go.Heatmap(
            z=part,
            x=np.arange(1, columns + 1),
            y=np.arange(len(systems)),
            zmin=0.0,
            zmax=1.0,
            colorscale=SHADES,
            xgap=1,
            ygap=1,
            customdata=np.array([[plotly(name)] * columns for name in systems], dtype=object),
            hovertemplate="%{customdata}: rank %{x} in %{z:.1%}<extra></extra>",
            hoverongaps=False,
            texttemplate="%{z:.0%}" if written else None,
            colorbar={
                "orientation": "h",
                "thickness": 10,
                "len": 0.6,
                "y": -0.02,
                "yanchor": "top",
                "tickformat": ".0%",
                "title": {"text": "share of resampled test sets", "side": "bottom"},
            },
        ),
        base_layout(
            height=int(150 + ROW_PIXELS * max(rows, 3)),
            margin={"l": 8, "r": 16, "t": 48, "b": 72},
            xaxis={
                "title": {"text": "Rank"},
                "side": "top",
                "range": [0.5, columns + 0.5],
                # Beyond that as many as there is room for; with so many ranks they are whole numbers.
                "dtick": 1 if columns <= MOST_TICKS else None,
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            yaxis={
                "tickmode": "array",
                "tickvals": np.arange(rows),
                "ticktext": [plotly(short(name)) for name in systems],
                "range": [rows - 0.5, -0.5],
                "gridcolor": GRID,
                "zeroline": False,
                "fixedrange": True,
            },
        ),
    )
