"""Figures of posteriors: one difference with its region, and scores beside their shrunken means."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import LEGEND_ABOVE, interval_bars, vertical_line
from dashboard.text import plotly, short
from dashboard.theme import BLUE, GRID, NEUTRAL, ORANGE, PURPLE, base_layout
from nlpstat_core.arrays import FloatArray


def density_figure(x: FloatArray, density: FloatArray, margin: float, a: str, b: str) -> go.Figure:
    """The posterior of a difference, shaded by what it says.

    x, density (float arrays, shape (k,)).
    margin: Half width of the region of practical equivalence; 0 for none.
    """
    ends = np.array([end for end in {-margin, margin} if x[0] < end < x[-1]])
    places = np.union1d(x, ends)  # parts meet at the ends of the region
    x, density = places, np.interp(places, x, density)
    parts = [(x >= margin, PURPLE, f"{a} larger"), (x <= -margin, ORANGE, f"{b} larger")]
    if margin:
        parts.insert(1, (np.abs(x) <= margin, NEUTRAL, "inside the region"))
    traces = [
        go.Scatter(
            x=x[here],
            y=density[here],
            mode="lines",
            line={"width": 0},
            fill="tozeroy",
            fillcolor=colour,
            opacity=0.6,
            name=plotly(short(name, 30)),
            hoverinfo="skip",
        )
        for here, colour, name in parts
        if np.count_nonzero(here) > 1
    ]
    traces.append(
        go.Scatter(
            x=x, y=density, mode="lines", line={"color": BLUE, "width": 2}, showlegend=False, hoverinfo="skip"
        )
    )
    shapes = [vertical_line(0.0, color=NEUTRAL, width=1, dash="dash")]
    if margin:
        shapes += [vertical_line(end, color=NEUTRAL, width=1) for end in (-margin, margin)]
    return go.Figure(
        traces,
        base_layout(
            height=260,
            margin={"l": 8, "r": 8, "t": 36, "b": 40},
            showlegend=True,
            legend=LEGEND_ABOVE,
            xaxis={"title": {"text": "A − B, metric points"}, "gridcolor": GRID, "zeroline": False},
            yaxis={"visible": False, "rangemode": "tozero"},
            shapes=shapes,
        ),
    )


def shrinkage_figure(
    names: Sequence[str], score: FloatArray, estimate: FloatArray, interval: FloatArray
) -> go.Figure:
    """Raw scores as hollow dots, posterior means as filled ones with their intervals, best on top.

    names: Best first.
    score, estimate (float arrays, shape (k,)).
    interval (float array, shape (k, 2)).
    """
    places = np.arange(len(names))
    labels = [plotly(short(name, 24)) for name in names]
    return go.Figure(
        [
            go.Scatter(
                x=estimate,
                y=places,
                mode="markers",
                marker={"color": BLUE, "size": 9},
                error_x=interval_bars(
                    interval[:, 0], estimate, interval[:, 1], color=BLUE, thickness=1.5, width=0
                ),
                text=labels,
                hovertemplate="%{text}: posterior mean %{x:.4g}<extra></extra>",
            ),
            go.Scatter(
                x=score,
                y=places,
                mode="markers",
                marker={"symbol": "circle-open", "color": ORANGE, "size": 12, "line": {"width": 2}},
                text=labels,
                hovertemplate="%{text}: raw score %{x:.4g}<extra></extra>",
            ),
        ],
        base_layout(
            height=int(90 + 24 * len(names)),
            margin={"l": 8, "r": 8, "t": 10, "b": 40},
            xaxis={"title": {"text": "Score"}, "gridcolor": GRID, "zeroline": False},
            yaxis={
                "tickvals": places,
                "ticktext": labels,
                "range": [len(names) - 0.5, -0.5],
                "showgrid": False,
                "zeroline": False,
                "automargin": True,
            },
        ),
    )
