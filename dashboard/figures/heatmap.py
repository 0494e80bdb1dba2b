"""All pairs of systems as a square of cells."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import scale_below
from dashboard.figures.cells import MOST_NAMED_COLUMNS, P_VIEW, Cells
from dashboard.text import plotly, short
from dashboard.theme import BLUE, INKS, LIGHT, NEUTRAL, Palette, base_layout, colour_at, ink_on
from nlpstat_core.arrays import IntArray, ObjectArray
from nlpstat_core.report.exports.tables.square import BETTER, CONTRADICTION, EQUIVALENT, SIGNS, WORSE
from nlpstat_core.report.wording.few_units import MARK

MOST_SVG = 80  # above, the browser draws thousands of marks faster on a canvas
CELL_PIXELS = 34
NAME_LETTERS, NUMBERED_NAME_LETTERS, SLANTED_LETTERS = 22, 34, 18
# With so many rows the whole figure fits on a laptop's screen below the answer; larger ones get their pixels.
FITS, FIT_PIXELS, LEAST_ROW = 40, 390, 10.5
LARGE_PIXELS = 800
SMALLEST_MARK = 5.0
SHADES = 64  # inks are chosen for so many steps of the colour scale
SYMBOLS = {BETTER: "triangle-up", WORSE: "triangle-down", EQUIVALENT: "diamond", CONTRADICTION: "x"}


def heatmap_figure(cells: Cells, *, title: str = "", palette: Palette = LIGHT) -> go.Figure:
    """The heatmap of some systems, best first from the top left.

    Returns: Traces: the colours, the signs of the verdicts, and invisible marks, called "pairs", that tell
        the cell's sentence and can be clicked; y and x of a mark are its row and column.
    """
    scale = colour_scale(cells.view, palette)
    traces = [_colours(cells, scale)]
    scatter = go.Scatter if cells.size <= MOST_SVG else go.Scattergl
    mark = max(4.0, min(11.0, 240 / cells.size))
    inks = cell_inks(cells, scale)
    for verdict, symbol in SYMBOLS.items():
        for ink in INKS:
            rows, columns = np.nonzero((cells.verdict == verdict) & (inks == ink))
            if rows.size:
                traces.append(_signs(scatter, rows, columns, symbol, ink, mark))
    for ink in INKS if cells.few is not None else ():
        rows, columns = np.nonzero(cells.few & (inks == ink))
        if rows.size:
            font = {"size": max(6.0, 0.8 * mark), "color": ink}
            beside = {"mode": "text", "text": MARK, "textposition": "middle right", "textfont": font}
            traces.append(scatter(x=columns + 0.12, y=rows, hoverinfo="skip", name=MARK, **beside))
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
                _wrapped(_hover_text(cells, row, column)) for row, column in zip(rows, columns, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    return go.Figure(traces, _layout(cells, title))


def _signs(
    scatter: type[go.Scatter | go.Scattergl],
    rows: IntArray,
    columns: IntArray,
    symbol: str,
    ink: str,
    size: float,
) -> go.Scatter | go.Scattergl:
    """The signs of one verdict in one ink; equivalence is the sign of the legend where cells have room."""
    marks: dict[str, object] = {"mode": "markers", "marker": sign_marker(symbol, size, ink)}
    if symbol == SYMBOLS[EQUIVALENT] and scatter is go.Scatter:
        marks = {"mode": "text", "text": SIGNS[EQUIVALENT]}
        marks["textfont"] = {"size": size + 6, "color": ink, "weight": "bold"}
    return scatter(x=columns, y=rows, hoverinfo="skip", **marks)


def colour_scale(view: str, palette: Palette) -> list[tuple[float, str]]:
    """The colour scale of a view."""
    return p_scale(palette) if view == P_VIEW else list(palette.diverging)


def cell_inks(cells: Cells, scale: list[tuple[float, str]]) -> ObjectArray:
    """White or black for the sign in every cell, whichever is read better on its colour.

    Returns array of str, shape (k, k).
    """
    lowest = 0.0 if cells.view == P_VIEW else -1.0
    place = np.nan_to_num((cells.colour - lowest) / (1.0 - lowest), nan=0.0)
    # A step in the scale lies between two shades, never inside one.
    shades = np.array([ink_on(colour_at(scale, (step + 0.5) / SHADES)) for step in range(SHADES)])
    inks: ObjectArray = shades[np.clip((place * SHADES).astype(int), 0, SHADES - 1)]
    return inks


def _colours(cells: Cells, scale: list[tuple[float, str]]) -> go.Heatmap:
    return go.Heatmap(
        z=cells.colour,
        zmin=0.0 if cells.view == P_VIEW else -1.0,
        zmax=1.0,
        colorscale=scale,
        hoverinfo="skip",
        xgap=1 if cells.size <= 60 else 0,
        ygap=1 if cells.size <= 60 else 0,
        colorbar=scale_below(cells.label, *zip(*cells.ticks, strict=True)),
    )


def p_scale(palette: Palette = LIGHT) -> list[tuple[float, str]]:
    """Near the page's colour up to alpha, then a step to blue that leaves the page with the evidence.

    Returns: A Plotly colour scale on [0, 1]; alpha lies at 0.5.
    """
    pale, dark = palette.no_evidence, palette.evidence
    places = np.linspace(0.55, 1.0, len(dark))
    stops = [(0.0, pale[0]), (0.5, pale[1]), (0.5, dark[0])]
    return stops + [(float(place), colour) for place, colour in zip(places, dark, strict=True)]


def sign_marker(symbol: str, size: float, ink: str = INKS[0]) -> dict[str, object]:
    """In the ink of its cell with an edge of the other: seen on every colour, and in grey print."""
    return {
        "symbol": symbol,
        "size": size,
        "color": ink,
        "line": {"color": INKS[ink == INKS[0]], "width": 1.0 if size >= 7 else 0.5},
    }


def _hover_text(cells: Cells, row: np.int64, column: np.int64) -> str:
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
    rows_high = _rows_high(k)
    font = {"size": int(np.clip(0.8 * rows_high / k, 6, 12))}
    numbers = [str(place + 1) for place in range(k)]
    numbered = k > MOST_NAMED_COLUMNS
    if numbered:
        names = [plotly(short(name, NUMBERED_NAME_LETTERS)) for name in cells.names]
        rows = [f"{name}  {number}" for name, number in zip(names, numbers, strict=True)]
    else:
        rows = [plotly(short(name, NAME_LETTERS if k <= 12 else SLANTED_LETTERS)) for name in cells.names]
    columns = {"ticktext": numbers if numbered else rows, "tickangle": 0 if numbered else -70}
    axis = {
        "tickmode": "array",
        "tickvals": list(range(k)),
        "tickfont": font,
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "fixedrange": k <= 30,
    }
    above = 34 if numbered else int(max(map(len, rows)) * font["size"] * 0.54 + 14)
    return base_layout(
        title={"text": plotly(title)} if title else None,
        # However large its cell is, a mark is found from all over it.
        hoverdistance=-1 if k <= MOST_SVG else 20,
        height=int(above + 64 + rows_high),
        # The buttons stand at the right, where they cover no name.
        modebar={"orientation": "v", "bgcolor": "rgba(0,0,0,0)", "color": NEUTRAL, "activecolor": BLUE},
        margin={"l": 8, "r": 44, "t": above, "b": 60},
        xaxis={**axis, **columns, "side": "top", "range": [-0.5, k - 0.5]},
        # Cells needn't be square: on a phone tall cells use the screen better and are easier to hit.
        yaxis={**axis, "ticktext": rows, "range": [k - 0.5, -0.5]},
    )


def _rows_high(k: int) -> float:
    """Pixels for all rows."""
    if k <= FITS:
        return max(min(k * CELL_PIXELS, FIT_PIXELS), k * LEAST_ROW, 120)
    return LARGE_PIXELS
