"""A difference with its interval inside or outside the equivalence margin."""

import math

import plotly.graph_objects as go

from dashboard.figures.axes import vertical_line
from dashboard.theme import BLUE, NEUTRAL


def margin_figure(difference: float, interval: tuple[float, float], margin: float) -> go.Figure:
    """The difference as a point on its interval, over the band of differences that don't matter.

    difference: a − b, metric points.
    interval: Infinite at an open end, NaN where undefined.
    """
    finite = [abs(end) for end in (*interval, difference) if math.isfinite(end)]
    reach = 1.15 * max([margin, *finite])
    ends = [min(max(end, -reach), reach) for end in interval if not math.isnan(end)]
    band = {"type": "rect", "xref": "x", "yref": "y domain", "x0": -margin, "x1": margin, "y0": 0, "y1": 1}
    return go.Figure(
        [
            go.Scatter(
                x=ends, y=[0] * len(ends), mode="lines", line={"color": BLUE, "width": 3}, hoverinfo="skip"
            ),
            go.Scatter(x=[difference], y=[0], mode="markers", marker={"color": BLUE, "size": 11}),
        ],
        {
            "height": 130,
            "margin": {"l": 10, "r": 10, "t": 10, "b": 35},
            "showlegend": False,
            "xaxis": {"range": [-reach, reach], "title": {"text": "A − B, metric points"}},
            "yaxis": {"visible": False, "range": [-1, 1]},
            "shapes": [
                {**band, "fillcolor": NEUTRAL, "opacity": 0.2, "line": {"width": 0}, "layer": "below"},
                vertical_line(0, color=NEUTRAL, width=1, dash="dash"),
            ],
        },
    )
