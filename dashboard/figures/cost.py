"""Score and cost of every system with both intervals, and the front that none beats on both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import LEGEND_ABOVE, interval_bars
from dashboard.figures.metrics import label_places
from dashboard.text import plotly as escaped
from dashboard.text import short
from dashboard.theme import BLUE, GRID, LIGHT, NEUTRAL, Palette, base_layout, ink_on
from nlpstat_core.formatting import format_interval, format_score

if TYPE_CHECKING:
    from nlpstat_core.results.cost import CostFront

HEIGHT = 460


def cost_figure(found: CostFront, palette: Palette = LIGHT) -> go.Figure:
    """Cost to the right, score upwards; systems on the front filled and joined by steps."""
    labels = [short(name, 18) for name in found.systems]
    letters = [len(label) for label in labels]
    # Intervals cross at the point and the steps leave it to the right, so that corners are free of both.
    places = label_places(found.mean_cost, found.score, letters, corners=True)
    figure = go.Figure(_steps(found), base_layout(height=HEIGHT))
    for on, name, symbol in ((True, "on the front", "circle"), (False, "matched or beaten", "circle-open")):
        at = np.flatnonzero(found.on_front == on)
        cost, score = found.mean_cost[at], found.score[at]
        figure.add_trace(
            go.Scatter(
                x=cost,
                y=score,
                mode="markers+text",
                name=name,
                text=[escaped(labels[i]) if places[i] else "" for i in at],
                textposition=[places[i] or "top center" for i in at],
                textfont={"color": ink_on(palette.page)},
                marker={"size": 10, "color": BLUE if on else NEUTRAL, "symbol": symbol},
                error_x=_bars(found.cost_interval[at], cost),
                error_y=_bars(found.score_interval[at], score),
                hovertext=[_hover(found, int(i)) for i in at],
                hovertemplate="%{hovertext}<extra></extra>",
                cliponaxis=False,
            )
        )
    figure.update_layout(
        showlegend=True,
        legend=LEGEND_ABOVE,
        margin={"l": 8, "r": 16, "t": 40, "b": 56},
    )
    better = "down" if found.lower_is_better else "up"
    quiet = {"gridcolor": GRID, "fixedrange": True, "zeroline": False}
    figure.update_xaxes(title=f"{escaped(short(found.cost))} (left is better)", **quiet)
    figure.update_yaxes(title=f"{escaped(short(found.metric))} ({better} is better)", **quiet)
    return figure


def _steps(found: CostFront) -> go.Scatter:
    """The front as steps: what a budget of so much buys."""
    at = np.flatnonzero(found.on_front)
    at = at[np.argsort(found.mean_cost[at], kind="stable")]
    return go.Scatter(
        x=found.mean_cost[at],
        y=found.score[at],
        mode="lines",
        line={"shape": "hv", "color": BLUE, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )


def _bars(ends: np.ndarray, middle: np.ndarray) -> dict[str, object]:
    known = np.where(np.isnan(ends), middle[:, None], ends)
    return interval_bars(known[:, 0], middle, known[:, 1], thickness=1.2, width=3)


def _hover(found: CostFront, i: int) -> str:
    parts = [
        found.systems[i],
        f"{found.metric} {format_score(float(found.score[i]))}, interval "
        f"{format_interval(*map(float, found.score_interval[i]))}",
        f"{found.cost} {format_score(float(found.mean_cost[i]))}, interval "
        f"{format_interval(*map(float, found.cost_interval[i]))}",
        f"on the front in {100 * found.probability[i]:.1f} % of the resamples",
    ]
    return "<br>".join(map(escaped, parts))
