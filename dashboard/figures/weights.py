"""At which weights of two or three tracks which system is first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from dashboard.text import plotly as escaped
from dashboard.theme import BLUE, GREY, NEUTRAL, ORANGE, PURPLE, SKY

if TYPE_CHECKING:
    from nlpstat_core.results.tracks import Outlook

COLOURS = (BLUE, ORANGE, PURPLE, SKY, GREY)
HEIGHT = {2: 170, 3: 380}
# Corners of the triangle: the first track below left, the second below right, the third above.
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])


def weights_figure(found: Outlook) -> go.Figure:
    """A line (two tracks) or a triangle (three), in parts by who is first; a mark where we are."""
    two = len(found.tracks) == 2
    figure = go.Figure()
    for place, (system, corners) in enumerate(found.regions.items()):
        if two:
            low, high = sorted(corners[:, 0])
            points = np.array([[low, 0.0], [high, 0.0], [high, 1.0], [low, 1.0]])
        else:
            points = corners @ TRIANGLE
        figure.add_trace(
            go.Scatter(
                x=[*points[:, 0], points[0, 0]],
                y=[*points[:, 1], points[0, 1]],
                mode="lines",
                fill="toself",
                name=escaped(system),
                line={"color": COLOURS[place % len(COLOURS)], "width": 1},
                hoverinfo="name",
            )
        )
        middle = points.mean(axis=0)
        figure.add_annotation(
            x=middle[0], y=middle[1], text=escaped(system), showarrow=False, yshift=18 if two else 0
        )
    shares = np.array(found.shares)
    here = np.array([shares[0], 0.5]) if two else shares @ TRIANGLE
    figure.add_trace(
        go.Scatter(
            x=[here[0]],
            y=[here[1]],
            mode="markers",
            name="these weights",
            marker={"size": 12, "symbol": "x", "color": NEUTRAL, "line": {"width": 2, "color": "#FFFFFF"}},
            hoverinfo="name",
        )
    )
    if not two:
        for corner, track, shift in zip(TRIANGLE, found.tracks, (-14, -14, 14), strict=True):
            figure.add_annotation(
                x=corner[0], y=corner[1], text=f"only {escaped(track)}", showarrow=False, yshift=shift
            )
    figure.update_layout(
        height=HEIGHT[len(found.tracks)],
        margin={"l": 40, "r": 40, "t": 25, "b": 40},
        showlegend=False,
        xaxis={
            "visible": two,
            "range": [-0.02, 1.02] if two else [-0.1, 1.1],
            "tickformat": ".0%",
            "title": {"text": f"share of {escaped(found.tracks[0])}"},
        },
        yaxis={"visible": False, "range": [-0.1, 1.1] if two else [-0.08, 0.95]},
    )
    if not two:
        figure.update_yaxes(scaleanchor="x")
    return figure
