"""The board figure: rank, system, letters, score with interval and the all-pairs matrix, row by row."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dashboard.cells import P_VIEW, Cells
from dashboard.figures.heatmap import SYMBOLS, p_scale, sign_marker
from dashboard.text import plotly, short
from dashboard.theme import BLUE, DIVERGING, GRID, NEUTRAL, base_layout
from nlpstat_core.formatting import format_score
from nlpstat_core.results import Leaderboard

ROW_PIXELS = 22
MOST_SYSTEMS = 60
MOST_LETTERS = 10  # cut letters would say something false
SCORES = (0.0, 0.38)
MATRIX = (0.42, 1.0)


def board_figure(board: Leaderboard, cells: Cells, *, level: float, metric: str = "score") -> go.Figure:
    """Everything about a board in one picture whose rows are the systems, best first.

    Parameters
    ----------
    board : Leaderboard
    cells : Cells
        All systems of the board, in its order.
    level : float
        Confidence level of the intervals, for the axis title.
    metric : str
        What the scores are, for the axis title.

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: scores with intervals (left), colours and signs of all pairs (right); both halves share the
        vertical axis, and a pale and a dashed shape mark each cluster line.
    """
    k = len(board)
    places = np.arange(k)
    figure = go.Figure(
        go.Scatter(
            x=board.score,
            y=places,
            mode="markers",
            marker={"size": 8, "color": BLUE, "line": {"color": "#FFFFFF", "width": 1}},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": board.interval[:, 1] - board.score,
                "arrayminus": board.score - board.interval[:, 0],
                "color": NEUTRAL,
                "thickness": 2,
                "width": 3,
            },
            hovertext=[
                f"{plotly(short(name, 60))}: {format_score(float(score))}"
                for name, score in zip(board.system, board.score, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Heatmap(
            z=cells.colour,
            xaxis="x2",
            zmin=0.0 if cells.view == P_VIEW else -1.0,
            zmax=1.0,
            colorscale=p_scale() if cells.view == P_VIEW else [list(stop) for stop in DIVERGING],
            xgap=1,
            ygap=1,
            hoverinfo="skip",
            colorbar={
                "orientation": "h",
                "thickness": 10,
                "len": MATRIX[1] - MATRIX[0],
                "x": sum(MATRIX) / 2,
                "y": -0.01,
                "yanchor": "top",
                "title": {"text": cells.label, "side": "bottom"},
                "tickvals": [place for place, _ in cells.ticks],
                "ticktext": [text for _, text in cells.ticks],
            },
        )
    )
    for verdict, symbol in SYMBOLS.items():
        rows, columns = np.nonzero(cells.verdict == verdict)
        if rows.size:
            marks = go.Scatter(
                x=columns,
                y=rows,
                xaxis="x2",
                mode="markers",
                marker=sign_marker(symbol, max(4.0, min(9.0, 240 / k))),
                hoverinfo="skip",
            )
            figure.add_trace(marks)
    if board.cluster is not None:
        for place in np.flatnonzero(np.diff(board.cluster)):
            line = {"type": "line", "xref": "paper", "y0": float(place) + 0.5, "y1": float(place) + 0.5}
            # A pale line below the dashes: they would vanish on the darkest cells.
            figure.add_shape(line, x0=MATRIX[0], x1=1, line={"color": "#FFFFFF", "width": 4})
            figure.add_shape(line, x0=0, x1=1, line={"color": NEUTRAL, "width": 2, "dash": "dash"})
    figure.update_layout(_layout(board, f"Mean {plotly(metric)}, {100 * level:g}% interval"))
    return figure


def letters_shown(board: Leaderboard) -> bool:
    """Whether the letters are there and few enough to stand beside the names.

    Parameters
    ----------
    board : Leaderboard

    Returns
    -------
    bool
    """
    return board.letters is not None and max(map(len, board.letters)) <= MOST_LETTERS


def row_labels(board: Leaderboard) -> list[str]:
    """What stands at the left of each row: rank, system, and letters where they are few.

    Parameters
    ----------
    board : Leaderboard

    Returns
    -------
    list of str
    """
    named = [plotly(f"{board.rank[i]}. {short(name, 24)}") for i, name in enumerate(board.system)]
    if board.letters is None or not letters_shown(board):
        return named
    return [f"{name}  <b>{letters}</b>" for name, letters in zip(named, board.letters, strict=True)]


def _layout(board: Leaderboard, score_title: str) -> dict[str, object]:
    k = len(board)
    font = {"size": 12 if k <= 30 else 10}
    still = {"zeroline": False, "fixedrange": True}
    return base_layout(
        height=int(150 + ROW_PIXELS * max(k, 4)),
        margin={"l": 8, "r": 8, "t": 34, "b": 84},
        xaxis={
            **still,
            "domain": SCORES,
            "gridcolor": GRID,
            "title": {"text": score_title},
            "nticks": 5,
        },
        xaxis2={
            **still,
            "domain": MATRIX,
            "side": "top",
            "tickmode": "array",
            "tickvals": list(range(k)),
            "ticktext": [str(rank) for rank in board.rank],
            "tickfont": {"size": 10 if k <= 30 else 8},
            "tickangle": 0,
            "range": [-0.5, k - 0.5],
            "showgrid": False,
        },
        yaxis={
            **still,
            "tickmode": "array",
            "tickvals": list(range(k)),
            "ticktext": row_labels(board),
            "tickfont": font,
            "range": [k - 0.5, -0.5],
            "showgrid": False,
        },
    )
