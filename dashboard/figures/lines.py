"""Straight lines: across a figure, as entries of its layout, and through marks, as their intervals.

Plotly's own `add_hline` and `update_layout` go through the whole figure at each call; a figure that is made
at once, with its lines in the layout, takes a tenth of the time.
"""

from dashboard.theme import NEUTRAL
from nlpstat_core.arrays import FloatArray


def vertical_line(x: float, **line: object) -> dict[str, object]:
    """A line from the bottom of the figure to its top.

    **line: Colour, width and dash.
    Returns: One of a layout's `shapes`.
    """
    return {"type": "line", "xref": "x", "yref": "y domain", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line}


def horizontal_line(y: float, **line: object) -> dict[str, object]:
    """A line from the left of the figure to its right.

    **line: Colour, width and dash.
    Returns: One of a layout's `shapes`.
    """
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
    """Intervals through marks.

    low, middle, high (float arrays, one entry per mark).
    width: Of the caps, in pixels.
    Returns: A trace's `error_x` or `error_y`.
    """
    return {
        "type": "data",
        "symmetric": False,
        "array": high - middle,
        "arrayminus": middle - low,
        "color": color,
        "thickness": thickness,
        "width": width,
    }
