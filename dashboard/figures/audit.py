"""p-values of true null hypotheses beside the uniform distribution."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import horizontal_line
from dashboard.theme import BLUE, GRID, NEUTRAL, base_layout
from nlpstat_core.arrays import IntArray


def histogram_figure(counts: IntArray) -> go.Figure:
    """Shares of p-values in equal parts of [0, 1] with the line of equal shares."""
    bins = counts.size
    total = max(int(counts.sum()), 1)
    return go.Figure(
        [
            go.Bar(
                x=(np.arange(bins) + 0.5) / bins,
                y=100 * counts / total,
                width=1 / bins,
                marker={"color": BLUE, "line": {"color": "#FFFFFF", "width": 1}},
                hovertemplate="%{y:.1f} % of p-values<extra></extra>",
            )
        ],
        base_layout(
            height=220,
            margin={"l": 8, "r": 8, "t": 10, "b": 40},
            xaxis={"title": {"text": "p"}, "range": [0, 1], "showgrid": False},
            yaxis={"title": {"text": "% of pairs"}, "gridcolor": GRID, "rangemode": "tozero"},
            shapes=[horizontal_line(100 / bins, color=NEUTRAL, width=2, dash="dash")],
        ),
    )
