"""All pairs of systems as a square of cells."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dashboard.cells import BETTER, CONTRADICTION, EQUIVALENT, P_VIEW, WORSE, Cells
from dashboard.text import plotly, short
from dashboard.theme import DIVERGING, EVIDENCE, NO_EVIDENCE, base_layout

MOST_SVG = 80  # above, the browser draws thousands of marks faster on a canvas
CELL_PIXELS = 34
SMALLEST_MARK = 5.0
BUTTONS_PIXELS = 48
SYMBOLS = {
    BETTER: "triangle-up",
    WORSE: "triangle-down",
    EQUIVALENT: "diamond-open",
    CONTRADICTION: "x",
}


def heatmap_figure(cells: Cells, *, title: str = "") -> go.Figure:
    """The heatmap of some systems, best first from the top left.

    Parameters
    ----------
    cells : Cells
    title : str
        Plain text above the figure.

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: the colours, the signs of the verdicts, and invisible marks, called "pairs", that tell the
        cell's sentence and can be clicked; y and x of a mark are its row and column.
    """
    traces = [_colours(cells)]
    scatter = go.Scatter if cells.size <= MOST_SVG else go.Scattergl
    mark = max(4.0, min(11.0, 240 / cells.size))
    for verdict, symbol in SYMBOLS.items():
        rows, columns = np.nonzero(cells.verdict == verdict)
        if rows.size:
            traces.append(
                scatter(
                    x=columns,
                    y=rows,
                    mode="markers",
                    marker=sign_marker(symbol, mark),
                    hoverinfo="skip",
                )
            )
    rows, columns = np.indices((cells.size, cells.size)).reshape(2, -1)
    traces.append(
        scatter(
            x=columns,
            y=rows,
            mode="markers",
            name="pairs",
            # One in every cell, and small: the nearest counts, and marks that overlap are equally near.
            marker={"symbol": "square", "size": SMALLEST_MARK, "opacity": 0},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
            hovertext=[
                _wrapped(_told(cells, row, column)) for row, column in zip(rows, columns, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    return go.Figure(traces, _layout(cells, title))


def _colours(cells: Cells) -> go.Heatmap:
    scale = p_scale() if cells.view == P_VIEW else [list(stop) for stop in DIVERGING]
    return go.Heatmap(
        z=cells.colour,
        zmin=0.0 if cells.view == P_VIEW else -1.0,
        zmax=1.0,
        colorscale=scale,
        hoverinfo="skip",
        xgap=1 if cells.size <= 60 else 0,
        ygap=1 if cells.size <= 60 else 0,
        colorbar={
            "orientation": "h",
            "thickness": 12,
            "len": 0.9,
            "y": -0.02,
            "yanchor": "top",
            "title": {"text": cells.label, "side": "top"},
            "tickvals": [place for place, _ in cells.ticks],
            "ticktext": [text for _, text in cells.ticks],
            "tickangle": 0,
        },
    )


def p_scale() -> list[list[object]]:
    """Pale up to alpha, then a step to blue that gets darker with the evidence.

    Returns
    -------
    list of [place, colour]
        A Plotly colour scale on [0, 1]; alpha lies at 0.5.
    """
    pale, dark = NO_EVIDENCE, EVIDENCE
    places = np.linspace(0.55, 1.0, len(dark))
    stops: list[list[object]] = [[0.0, pale[0]], [0.5, pale[1]], [0.5, dark[0]]]
    return stops + [[float(place), colour] for place, colour in zip(places, dark, strict=True)]


def sign_marker(symbol: str, size: float) -> dict[str, object]:
    """White with a dark edge: seen on the darkest and on the palest cell, and in grey print.

    Parameters
    ----------
    symbol : str
    size : float

    Returns
    -------
    dict
        A Plotly marker.
    """
    return {
        "symbol": symbol,
        "size": size,
        "color": "#FFFFFF",
        "line": {"color": "#1A1A1A", "width": 1.0 if size >= 7 else 0.5},
    }


def _told(cells: Cells, row: np.int64, column: np.int64) -> str:
    """What the mark of a cell says."""
    if row == column:
        return cells.names[row]
    return str(cells.sentence[row, column]) or f"{cells.names[row]} and {cells.names[column]}: not compared"


def _wrapped(sentence: str, width: int = 60) -> str:
    """A sentence over several lines, because hover labels don't wrap and phones are narrow."""
    lines, line = [], ""
    for word in plotly(sentence).split(" "):
        if line and len(line) + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "<br>".join([*lines, line])


def _layout(cells: Cells, title: str) -> dict[str, object]:
    k = cells.size
    labels = [plotly(short(name, 22)) for name in cells.names]
    font = {"size": 12 if k <= 30 else 10 if k <= 60 else 8 if k <= 110 else 6}
    axis = {
        "tickmode": "array",
        "tickvals": list(range(k)),
        "ticktext": labels,
        "tickfont": font,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "fixedrange": k <= 30,
    }
    # The margin above leaves room for the buttons, which would cover the last names otherwise.
    above = int(max(map(len, labels)) * font["size"] * 0.55 + BUTTONS_PIXELS)
    return base_layout(
        title={"text": plotly(title)} if title else None,
        # However large its cell is, a mark is found from all over it.
        hoverdistance=-1 if k <= MOST_SVG else 20,
        height=int(above + 90 + min(800, max(200, k * CELL_PIXELS))),
        margin={"l": 8, "r": 32, "t": above, "b": 60},
        xaxis={**axis, "side": "top", "range": [-0.5, k - 0.5], "tickangle": -70},
        # Cells needn't be square: on a phone tall cells use the screen better and are easier to hit.
        yaxis={**axis, "range": [k - 0.5, -0.5]},
    )
