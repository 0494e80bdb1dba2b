"""Single units of a pair: a against b, and the differences against a normal distribution."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import dashed, scatter_of
from dashboard.figures.points import Points
from dashboard.text import plotly, short
from dashboard.theme import BLUE, GRID, NEUTRAL, ORANGE, PURPLE, base_layout
from nlpstat_core.formatting import format_score
from nlpstat_core.methods.diagnosis.normality import NormalScores
from nlpstat_core.scores.direction import advantage

HEIGHT = 460


def scatter_figure(
    points: Points, a: str, b: str, units: Sequence[str], *, lower_is_better: bool
) -> go.Figure:
    """Scores of a against scores of b, one mark per distinct point; its area shows how many units it holds.

    a, b: Names of the systems; a is on the horizontal axis.
    units: What to call the first unit of each point.
    Returns: Traces: the line a = b, then the points in the colour of the better system.
    """
    low = float(min(points.x.min(), points.y.min()))
    high = float(max(points.x.max(), points.y.max()))
    scatter = scatter_of(points.x.size)
    traces = [dashed([low, high], [low, high])]
    largest = float(points.counts.max())
    ahead = np.sign(advantage(points.x - points.y, lower_is_better))
    marks: tuple[tuple[int, str, str], ...] = (
        (1, BLUE, "circle"),
        (-1, ORANGE, "diamond"),
        (0, NEUTRAL, "square"),
    )
    for side, colour, symbol in marks:
        here = ahead == side
        size = 6 + (24 * np.sqrt(points.counts[here] / largest) if largest > 1 else 0)
        traces.append(
            scatter(
                x=points.x[here],
                y=points.y[here],
                mode="markers",
                marker={"size": size, "color": colour, "opacity": 0.65, "symbol": symbol},
                hovertext=[_hover_text(points, int(i), units) for i in np.flatnonzero(here)],
                hovertemplate="%{hovertext}<br>%{x:.4g} and %{y:.4g}<extra></extra>",
            )
        )
    return go.Figure(traces, _layout(plotly(short(a)), plotly(short(b))))


def _hover_text(points: Points, i: int, units: Sequence[str]) -> str:
    number = int(points.counts[i])
    return plotly(short(units[points.first[i]], 60)) if number == 1 else f"{number:,} items"


def normal_figure(scores: NormalScores) -> go.Figure:
    """Q–Q plot of the differences with the line through the quartiles.

    Returns: Traces: the line where it is defined, then the points.
    """
    traces = []
    if np.isfinite(scores.slope):
        ends = scores.expected[[0, -1]]
        traces.append(dashed(ends, scores.intercept + scores.slope * ends))
    traces.append(
        scatter_of(scores.expected.size)(
            x=scores.expected,
            y=scores.observed,
            mode="markers",
            marker={"size": 6, "color": PURPLE, "opacity": 0.65},
            hovertext=[f"difference {format_score(float(value))}" for value in scores.observed],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    return go.Figure(traces, _layout("quantile of a normal distribution", "difference per item"))


def _layout(x_title: str, y_title: str) -> dict[str, object]:
    axis = {"gridcolor": GRID, "zeroline": False}
    return base_layout(
        height=HEIGHT,
        margin={"l": 8, "r": 8, "t": 16, "b": 48},
        xaxis={**axis, "title": {"text": x_title}},
        yaxis={**axis, "title": {"text": y_title}},
    )
