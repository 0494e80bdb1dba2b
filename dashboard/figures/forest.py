"""Differences to the baseline with their intervals: a forest plot, best system on top."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import interval_bars, number_axis, rows_layout, vertical_line
from dashboard.figures.system_pairs import BETTER, EQUIVALENT, WORSE, Standing
from dashboard.text import plotly, short
from dashboard.theme import NEUTRAL, ORANGE, SKY

# A verdict is told by shape as well as by colour.
MARKS = {BETTER: ("triangle-up", SKY), WORSE: ("triangle-down", ORANGE), EQUIVALENT: ("diamond", NEUTRAL)}
UNDECIDED = ("circle-open", NEUTRAL)


def forest_figure(found: Standing, *, level: float, margin: float | None = None) -> go.Figure:
    """Every system's difference to one system, with its interval.

    found: Its rows in the order they are drawn, from the top.
    margin: Equivalence margin, metric points.
    Returns: One scatter trace that can be clicked: y of a mark is its row.
    """
    rows = np.arange(len(found))
    symbols, colours = zip(*(MARKS.get(verdict, UNDECIDED) for verdict in found.verdict), strict=True)
    low, high = found.interval[:, 0], found.interval[:, 1]
    lines = [vertical_line(0.0, color=NEUTRAL, width=1.5)]
    if margin is not None:
        lines += [vertical_line(end, color=NEUTRAL, width=1, dash="dot") for end in (-margin, margin)]
    return go.Figure(
        go.Scatter(
            x=found.difference,
            y=rows,
            mode="markers",
            marker={
                "size": 11,
                "symbol": list(symbols),
                "color": list(colours),
                "line": {"width": 1.5, "color": NEUTRAL},
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            error_x=interval_bars(low, found.difference, high),
            hovertext=[plotly(sentence) for sentence in found.sentence],
            hovertemplate="%{hovertext}<extra></extra>",
        ),
        rows_layout(
            [plotly(short(name)) for name in found.other],
            number_axis(f"Difference to {plotly(short(found.system))}<br>{100 * level:g}% interval"),
            around=96,
            below=62,
            shapes=lines,
            hoverdistance=20,
        ),
    )
