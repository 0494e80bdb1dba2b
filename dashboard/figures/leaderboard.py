"""Scores with their intervals, best system on top."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import horizontal_line, interval_bars, number_axis, rows_layout
from dashboard.text import plotly, short
from dashboard.theme import BLUE, NEUTRAL
from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.results.columns import Leaderboard


def leaderboard_figure(
    board: Leaderboard,
    *,
    level: float,
    metric: str = "score",
    shown: Sequence[int] | None = None,
    run_means: Sequence[FloatArray] | None = None,
) -> go.Figure:
    """Mean scores with confidence intervals; a dashed line between clusters.

    shown: Positions in the leaderboard, rising; None shows all.
    run_means: Means of the runs of every system in column order, drawn as dots beside its interval.
    Returns: One scatter trace, a second one of run means; one shape per cluster line.
    """
    at = np.arange(len(board)) if shown is None else np.asarray(shown)
    places = np.arange(at.size)
    score, low, high = board.score[at], board.interval[at, 0], board.interval[at, 1]
    clusters = () if board.cluster is None else np.flatnonzero(np.diff(board.cluster[at])).tolist()
    figure = go.Figure(
        go.Scatter(
            x=score,
            y=places,
            mode="markers",
            marker={"size": 9, "color": BLUE, "line": {"color": "#FFFFFF", "width": 1}},
            error_x=interval_bars(low, score, high),
            hovertext=[_hover(board, int(i)) for i in at],
            hovertemplate="%{hovertext}<extra></extra>",
        ),
        rows_layout(
            [plotly(f"{board.rank[i]}. {short(board.system[i])}") for i in at],
            # Two lines: on a phone one would be cut.
            number_axis(f"Mean {plotly(metric)}<br>with {100 * level:g}% interval"),
            around=108,
            below=66,
            shapes=[horizontal_line(y + 0.5, color=NEUTRAL, width=1.5, dash="dash") for y in clusters],
        ),
    )
    if run_means is not None:
        figure.add_trace(_dots(board, at, run_means))
        figure.update_layout(showlegend=False)
    return figure


def _dots(board: Leaderboard, at: IntArray, run_means: Sequence[FloatArray]) -> go.Scatter:
    """The mean of every run, a little below the system's interval."""
    own = [run_means[int(board.column[i])] for i in at]
    return go.Scatter(
        x=np.concatenate(own),
        y=np.repeat(np.arange(at.size), [means.size for means in own]) + 0.28,
        mode="markers",
        marker={"size": 5, "color": NEUTRAL, "symbol": "circle-open"},
        hovertemplate="one run: %{x:.4g}<extra></extra>",
        showlegend=False,
    )


def _hover(board: Leaderboard, i: int) -> str:
    parts = [
        f"{board.system[i]}: {format_score(float(board.score[i]))}",
        f"interval {format_interval(float(board.interval[i, 0]), float(board.interval[i, 1]))}",
        f"{board.n_units[i]:,} items",
    ]
    if board.rank_interval is not None:
        parts.append(f"ranks {board.rank_interval[i, 0]} to {board.rank_interval[i, 1]}")
    return "<br>".join(plotly(part) for part in parts)
