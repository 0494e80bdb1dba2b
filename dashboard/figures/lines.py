"""Straight lines across a figure, as entries of a layout.

Plotly's own `add_hline` and `update_layout` go through the whole figure at each call; a figure that is made
at once, with its lines in the layout, takes a tenth of the time.
"""


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
