"""Axes, legends and lines of figures, as entries of a layout, and layouts that several figures share.

Plotly's own `add_hline` and `update_layout` go through the whole figure at each call; a figure that is made
at once, with its lines in the layout, takes a tenth of the time.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.theme import GRID, NEUTRAL, base_layout
from nlpstat_core.arrays import FloatArray

ROW_PIXELS = 24
MOST_SVG = 3_000  # above, the browser draws points faster on a canvas
LEGEND_ABOVE = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}


def number_axis(title: str, **more: object) -> dict[str, object]:
    """An axis of numbers."""
    return {"title": {"text": title}, "gridcolor": GRID, "zeroline": False, "fixedrange": True, **more}


def rows_layout(
    labels: Sequence[str],
    axis: Mapping[str, object],
    *,
    around: int,
    below: int,
    above: int = 8,
    row: int = ROW_PIXELS,
    **more: object,
) -> dict[str, object]:
    """The layout of rows of marks, each at the height of its number, over an axis of numbers.

    around: Pixels beside those of the rows; above, below: margins; row: pixels of one.
    """
    many = len(labels)
    rows = {
        "tickmode": "array",
        "tickvals": np.arange(many),
        "ticktext": labels,
        "range": [many - 0.4, -0.6],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }
    margin = {"l": 8, "r": 16, "t": above, "b": below}
    return base_layout(height=int(around + row * max(many, 3)), margin=margin, xaxis=axis, yaxis=rows, **more)


def scale_below(title: str, ticks: Sequence[float], texts: Sequence[str]) -> dict[str, object]:
    """The colour scale of a square of systems, below it."""
    return {
        "orientation": "h",
        "thickness": 12,
        "len": 0.9,
        "y": -0.02,
        "yanchor": "top",
        "title": {"text": title, "side": "top"},
        "tickvals": ticks,
        "ticktext": texts,
        "tickangle": 0,
    }


def scatter_of(points: int) -> type[go.Scatter | go.Scattergl]:
    """The trace that draws so many points fastest."""
    return go.Scatter if points <= MOST_SVG else go.Scattergl  # type: ignore[no-any-return]  # plotly is untyped


def dashed(x: object, y: object) -> go.Scatter:
    """A dashed line that says nothing by itself, to compare points with."""
    line = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def vertical_line(x: float, **line: object) -> dict[str, object]:
    """A line from the bottom of the figure to its top, one of a layout's `shapes`."""
    return {"type": "line", "xref": "x", "yref": "y domain", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line}


def horizontal_line(y: float, **line: object) -> dict[str, object]:
    """A line from the left of the figure to its right, one of a layout's `shapes`."""
    return {"type": "line", "xref": "x domain", "yref": "y", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line}


def interval_bars(
    low: FloatArray,
    middle: FloatArray,
    high: FloatArray,
    *,
    color: str = NEUTRAL,
    thickness: float = 2,
    width: float = 4,
) -> dict[str, object]:
    """Intervals through marks: a trace's `error_x` or `error_y`. `width`: Of the caps, in pixels."""
    return {
        "type": "data",
        "symmetric": False,
        "array": high - middle,
        "arrayminus": middle - low,
        "color": color,
        "thickness": thickness,
        "width": width,
    }
