"""Differences with intervals, one row each: by the values of a label, or by system."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import interval_bars, number_axis, rows_layout, vertical_line
from dashboard.text import plotly, short
from dashboard.theme import NEUTRAL, PURPLE
from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.pairs.influence import Groups
from nlpstat_core.formatting import format_interval, format_score


def groups_figure(groups: Groups, shown: IntArray, *, whole: float, title: str) -> go.Figure:
    """One row per value of the label: its difference with its interval.

    shown: Positions in `groups`, from the top.
    whole: Difference over all units, drawn as a dashed line; no difference is a solid one.
    """
    return differences_figure(
        [groups.name[i] or "(empty)" for i in shown],
        groups.difference[shown],
        groups.interval[shown],
        [_hover_text(groups, int(i)) for i in shown],
        whole=whole,
        title=title,
    )


def differences_figure(
    names: Sequence[str],
    difference: FloatArray,
    interval: FloatArray,
    sentences: Sequence[str],
    *,
    title: str,
    whole: float | None = None,
) -> go.Figure:
    """One row per difference with its interval; no difference is a solid line.

    names: From the top.
    difference (float array, shape (n,)).
    interval (float array, shape (n, 2)).
    whole: Drawn as a dashed line.
    """
    lines = [vertical_line(0.0, color=NEUTRAL, width=1.5)]
    if whole is not None:
        lines.append(vertical_line(whole, color=NEUTRAL, width=2, dash="dash"))
    return go.Figure(
        go.Scatter(
            x=difference,
            y=np.arange(len(names)),
            mode="markers",
            marker={"size": 9, "color": PURPLE, "line": {"color": "#FFFFFF", "width": 1}},
            error_x=interval_bars(interval[:, 0], difference, interval[:, 1]),
            hovertext=list(sentences),
            hovertemplate="%{hovertext}<extra></extra>",
        ),
        rows_layout(
            [plotly(short(name)) for name in names],
            number_axis(plotly(title)),
            around=90,
            below=48,
            shapes=lines,
        ),
    )


def _hover_text(groups: Groups, i: int) -> str:
    low, high = groups.interval[i]
    return (
        f"{plotly(short(groups.name[i], 60))}: {format_score(float(groups.difference[i]))}<br>"
        f"interval {format_interval(float(low), float(high))}<br>{groups.n_units[i]:,} items"
    )
