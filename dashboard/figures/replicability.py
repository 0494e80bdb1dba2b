"""In how many data sets the row beats the column: a square of numbers."""

import numpy as np
import plotly.graph_objects as go

from dashboard.text import plotly, short
from dashboard.theme import EVIDENCE, LIGHT, Palette, base_layout, ink_on
from nlpstat_core.arrays import FloatArray

MOST_SYSTEMS = 40
CELL_PIXELS = 34
NOT_SHOWN = "·"


def replicability_figure(
    names: tuple[str, ...], counts: FloatArray, n_datasets: int, palette: Palette = LIGHT
) -> go.Figure:
    """The counts as numbers on colours that leave the page's with them; a dot where nothing is shown.

    names: Systems in the order of rows and columns.
    counts (float array, shape (k, k)): Row beats column in at least so many data sets; NaN where they are not
        compared.
    Returns: One heatmap whose text are the counts; its hover tells the sentence.
    """
    k = len(names)
    labels = [plotly(short(name, 22)) for name in names]
    colours = (palette.no_evidence[0], *palette.evidence)
    shades = [colours[_shade(count, n_datasets)] if count >= 0 else "" for count in np.ravel(counts)]
    hover = [[_sentence(names[i], names[j], counts[i, j], n_datasets) for j in range(k)] for i in range(k)]
    there = [divmod(cell, k) for cell, shade in enumerate(shades) if shade]
    axis = {"tickmode": "array", "tickvals": list(range(k)), "ticktext": labels, "showgrid": False}
    axis |= {"zeroline": False, "ticks": "", "tickfont": {"size": 12 if k <= 20 else 9}}
    above = int(max(map(len, labels)) * 6.6 + 40)
    # Not annotations: those are written in the page's own ink, and these in that of their cell.
    written = go.Scatter(
        x=[column for _, column in there],
        y=[row for row, _ in there],
        mode="text",
        text=[str(int(counts[cell])) if counts[cell] else NOT_SHOWN for cell in there],
        textfont={"size": 13 if k <= 20 else 10, "color": [ink_on(shade) for shade in shades if shade]},
        hoverinfo="skip",
    )
    return go.Figure(
        [
            go.Heatmap(
                z=[[_shade(count, n_datasets) if count >= 0 else None for count in row] for row in counts],
                zmin=-0.5,
                zmax=len(colours) - 0.5,
                colorscale=_steps(colours),
                showscale=False,
                xgap=1,
                ygap=1,
                hovertext=hover,
                hovertemplate="%{hovertext}<extra></extra>",
            ),
            written,
        ],
        base_layout(
            height=int(above + 20 + max(140, k * CELL_PIXELS)),
            margin={"l": 8, "r": 32, "t": above, "b": 8},
            xaxis={**axis, "side": "top", "tickangle": -70, "range": [-0.5, k - 0.5]},
            yaxis={**axis, "range": [k - 0.5, -0.5]},
        ),
    )


def _shade(count: float, n_datasets: int) -> int:
    """0 for none, then four steps up to all data sets."""
    return 0 if count == 0 else 1 + min(len(EVIDENCE) - 1, int((count - 1) * len(EVIDENCE) / n_datasets))


def _steps(palette: tuple[str, ...]) -> list[list[object]]:
    """A colour scale of equal steps without blending."""
    n = len(palette)
    ends = ((i / n, (i + 1) / n, colour) for i, colour in enumerate(palette))
    return [[place, colour] for low, high, colour in ends for place in (low, high)]


def _sentence(row: str, column: str, count: float, n_datasets: int) -> str:
    if np.isnan(count):
        return ""
    if not count:
        return f"{plotly(row)} is not shown to beat {plotly(column)} in any data set"
    return f"{plotly(row)} beats {plotly(column)} in at least {int(count)} of {n_datasets} data sets"
