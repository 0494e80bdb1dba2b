"""The standard error of a difference over items and runs."""

import numpy as np
import plotly.graph_objects as go

from dashboard.theme import BLUE, GRID, NEUTRAL, base_layout
from nlpstat_core.formatting import format_score
from nlpstat_core.power.variation.results import PairVariation

_FACTORS = np.geomspace(0.25, 8, 41)
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def variation_figure(parts: PairVariation) -> go.Figure:
    """One line for each number of runs, over the number of items; the present design is marked."""
    units = np.unique(np.maximum(2, np.round(_FACTORS * parts.n_units)))
    now = max(2, round(parts.n_runs))
    runs = list(dict.fromkeys([2, max(2, now // 2), now, 2 * now, 4 * now]))
    lines = [
        go.Scatter(
            x=units,
            y=parts.error(units, count),
            mode="lines",
            name=f"{count} runs",
            line={"color": BLUE if count == now else NEUTRAL, "dash": dash, "width": 2},
            hovertemplate=f"%{{x:,}} items, {count} runs<br>standard error %{{y:.4g}}<extra></extra>",
        )
        for count, dash in zip(sorted(runs), DASHES, strict=False)
    ]
    mark = go.Scatter(
        x=[parts.n_units],
        y=[parts.now],
        mode="markers",
        name="now",
        marker={"size": 12, "color": BLUE, "symbol": "diamond"},
        hovertemplate=f"now: standard error {format_score(parts.now)}<extra></extra>",
    )
    return go.Figure(
        [*lines, mark],
        base_layout(
            height=340,
            margin={"l": 8, "r": 16, "t": 8, "b": 8},
            showlegend=True,
            legend={"orientation": "h", "y": -0.25},
            xaxis={"title": {"text": "Items"}, "type": "log", "gridcolor": GRID, "fixedrange": True},
            yaxis={
                "title": {"text": "Standard error"},
                "rangemode": "tozero",
                "gridcolor": GRID,
                "fixedrange": True,
            },
        ),
    )
