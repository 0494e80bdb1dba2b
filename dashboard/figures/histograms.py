"""Distributions of scores and differences."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import number_axis, vertical_line
from dashboard.figures.bins import Bins
from dashboard.text import plotly
from dashboard.theme import NEUTRAL, base_layout
from nlpstat_core.arrays import FloatArray

HEIGHT = 260


def histogram_figure(
    bins: Bins,
    *,
    name: str,
    colour: str,
    mean: float | None = None,
    zero: bool = False,
    top: int | None = None,
) -> go.Figure:
    """Counts of one set of numbers. `top`: Height of the axis where several histograms are to be compared."""
    edges: FloatArray = bins.edges
    sentences = [
        f"{low:.4g} to {high:.4g}: {n:,}" for low, high, n in zip(edges, edges[1:], bins.counts, strict=False)
    ]
    lines = [vertical_line(0.0, color=NEUTRAL, width=1.5)] if zero else []
    labels = []
    if mean is not None:
        lines.append(vertical_line(mean, color=NEUTRAL, width=2, dash="dash"))
        place = {"x": mean, "xref": "x", "xanchor": "left", "y": 1, "yref": "y domain", "yanchor": "bottom"}
        labels.append({**place, "text": f"mean {mean:.4g}", "showarrow": False})
    return go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=bins.counts,
            width=np.diff(edges),
            marker={"color": colour, "line": {"color": "rgba(255,255,255,0.6)", "width": 0.5}},
            hovertext=sentences,
            hovertemplate="%{hovertext}<extra></extra>",
        ),
        base_layout(
            shapes=lines,
            annotations=labels,
            height=HEIGHT,
            margin={"l": 8, "r": 8, "t": 28, "b": 40},
            bargap=0,
            xaxis={"title": {"text": plotly(name)}, "zeroline": False, "showgrid": False, "fixedrange": True},
            yaxis=number_axis(
                "items", range=[0, 1.05 * (int(bins.counts.max(initial=1)) if top is None else top)]
            ),
        ),
    )
