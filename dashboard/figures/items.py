"""How well random subsets of the items keep the ranking."""

import plotly.graph_objects as go

from dashboard.figures.axes import horizontal_line
from dashboard.theme import BLUE, GRID, NEUTRAL, base_layout
from nlpstat_core.board.items import KEPT, ItemTable


def agreement_figure(table: ItemTable) -> go.Figure:
    """Rank correlation with the whole board over the number of items: mean, and the lowest 5 %."""
    hover = "%{x:,} items<br>rank correlation %{y:.3f}<extra></extra>"
    lines = [
        go.Scatter(
            x=table.sizes,
            y=values,
            mode="lines+markers",
            name=name,
            line={"color": color, "dash": dash},
            hovertemplate=hover,
        )
        for values, name, color, dash in (
            (table.agreement, "mean of 200 draws", BLUE, "solid"),
            (table.agreement_low, "5 % of draws lie below", NEUTRAL, "dash"),
        )
    ]
    return go.Figure(
        lines,
        base_layout(
            height=320,
            margin={"l": 8, "r": 16, "t": 8, "b": 8},
            shapes=[horizontal_line(KEPT, color=NEUTRAL, width=1, dash="dot")],
            showlegend=True,
            legend={"orientation": "h", "y": -0.25},
            xaxis={"title": {"text": "Items"}, "gridcolor": GRID, "rangemode": "tozero", "fixedrange": True},
            yaxis={"title": {"text": "Rank correlation"}, "gridcolor": GRID, "fixedrange": True},
        ),
    )
