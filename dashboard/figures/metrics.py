"""Metrics judged by people: pairs of metrics, systems by people and metric, single segments."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.text import plotly, short
from dashboard.theme import BLUE, EVIDENCE, NO_EVIDENCE, base_layout
from nlpstat_core.arrays import FloatArray
from nlpstat_core.formatting import format_p

HEIGHT = 420
BINS = 40


def metric_pairs_figure(names: Sequence[str], p_adjusted: FloatArray, alpha: float) -> go.Figure:
    """All pairs of metrics: dark where they differ, ▲ where the row agrees better with people.

    names: Best first.
    p_adjusted (float array, shape (n, n)): NaN on the diagonal and where there is no test.
    """
    n = len(names)
    steps = (alpha / 50, alpha / 5, alpha)
    level = np.where(np.isnan(p_adjusted), np.nan, sum((p_adjusted <= step).astype(int) for step in steps))
    colours = [NO_EVIDENCE[0], *EVIDENCE[1:]]
    scale = [[(i + end) / 4, colour] for i, colour in enumerate(colours) for end in (0, 1)]
    row, column = np.indices((n, n))
    sign = np.where(level > 0, np.where(row < column, "▲", "▼"), "")
    shown = [plotly(short(name, 22)) for name in names]
    figure = go.Figure(
        go.Heatmap(
            z=level,
            x=list(range(n)),
            y=list(range(n)),
            customdata=[[format_p(float(p), alpha=alpha) for p in line] for line in p_adjusted],
            text=sign if n <= BINS else None,
            texttemplate="%{text}" if n <= BINS else None,
            colorscale=scale,
            zmin=-0.5,
            zmax=3.5,
            showscale=False,
            xgap=1,
            ygap=1,
            hovertext=[[f"{a} and {b}" for b in shown] for a in shown],
            hovertemplate="%{hovertext}<br>adjusted p %{customdata}<extra></extra>",
        ),
        base_layout(height=max(260, min(760, 120 + 26 * n))),
    )
    ticks: dict[str, object] = {"tickvals": list(range(n)), "ticktext": shown, "showgrid": False}
    figure.update_xaxes(**ticks, tickangle=-60)
    figure.update_yaxes(**ticks, autorange="reversed")
    return figure


def systems_figure(systems: Sequence[str], human: FloatArray, metric: FloatArray, name: str) -> go.Figure:
    """Every system by the metric and by people, with its name."""
    figure = go.Figure(
        go.Scatter(
            x=human,
            y=metric,
            mode="markers+text",
            text=[plotly(short(system, 18)) for system in systems],
            textposition="top center",
            marker={"size": 9, "color": BLUE},
            hovertemplate="%{text}<br>people %{x:.4g}, metric %{y:.4g}<extra></extra>",
            cliponaxis=False,
        ),
        base_layout(height=HEIGHT),
    )
    figure.update_xaxes(title="People (right is better)")
    figure.update_yaxes(title=f"{plotly(short(name))} (up is better)")
    return figure


def segments_figure(human: FloatArray, metric: FloatArray, name: str) -> go.Figure:
    """Density of single scores by people and metric, on a logarithmic scale of colour."""
    counts, x, y = np.histogram2d(human, metric, bins=BINS)
    figure = go.Figure(
        go.Heatmap(
            z=np.where(counts > 0, np.log10(np.maximum(counts, 1)), np.nan).T,
            x=(x[:-1] + x[1:]) / 2,
            y=(y[:-1] + y[1:]) / 2,
            customdata=counts.T,
            colorscale=[[0, EVIDENCE[0]], [1, EVIDENCE[-1]]],
            showscale=False,
            hovertemplate="people %{x:.4g}, metric %{y:.4g}<br>%{customdata:,} scores<extra></extra>",
        ),
        base_layout(height=HEIGHT),
    )
    figure.update_xaxes(title="People (right is better)")
    figure.update_yaxes(title=f"{plotly(short(name))} (up is better)")
    return figure
