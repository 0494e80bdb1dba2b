"""A board of preferences: strengths with intervals, who beats whom, and ratings in the order of time."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import LEGEND_ABOVE, interval_bars, number_axis, rows_layout, scale_below
from dashboard.text import plotly, short
from dashboard.theme import BLUE, GRID, LIGHT, NEUTRAL, Palette, base_layout, colour_at, ink_on
from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.methods.preferences.elo import EloPaths
from nlpstat_core.results.preferences import Preferences

CELL_PIXELS = 44
SHARES = ("0 %", "50 %", "100 %")
MOST_WRITTEN = 14  # systems of a square whose cells hold numbers
SLANTED_LETTERS, NAME_LETTERS = 16, 22


def strengths_figure(found: Preferences, shown: int) -> go.Figure:
    """Strengths with their intervals, the strongest on top. `shown`: How many systems."""
    order = found.order[:shown]
    level = f"{100 * (1 - found.alpha):g}%"
    colours = [BLUE if found.rank_interval[i, 0] == 1 else NEUTRAL for i in order]
    trace = go.Scatter(
        x=found.strength[order],
        y=np.arange(order.size),
        mode="markers",
        marker={"size": 9, "color": colours},
        error_x=interval_bars(found.lower[order], found.strength[order], found.upper[order], width=3),
        hovertext=[
            f"{plotly(found.systems[i])}: {format_score(float(found.strength[i]))}<br>"
            f"interval {format_interval(float(found.lower[i]), float(found.upper[i]))}<br>"
            f"{found.battles[i]:,} battles"
            for i in order
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    return go.Figure(
        trace,
        rows_layout(
            [plotly(f"{found.rank[i]}. {short(found.systems[i])}") for i in order],
            number_axis(
                f"Strength (log odds, mean 0)<br>with {level} interval", zeroline=True, zerolinecolor=GRID
            ),
            around=96,
            below=66,
            above=12,
            row=28,
        ),
    )


def observed_shares(found: Preferences) -> tuple[FloatArray, IntArray]:
    """Observed share of points of the row against the column, and battles; NaN and 0 where they never met.

    Returns: Float and int arrays, shape (n_systems, n_systems).
    """
    n = len(found.systems)
    battles = np.zeros((n, n), dtype=np.int64)
    met = found.wins + found.losses + found.ties
    battles[found.left, found.right] = battles[found.right, found.left] = met
    shares = np.full((n, n), np.nan)
    with np.errstate(invalid="ignore"):
        own = (found.wins + found.ties / 2) / met
    shares[found.left, found.right], shares[found.right, found.left] = own, 1 - own
    return shares, battles


def shares_figure(found: Preferences, shown: int, *, observed: bool, palette: Palette = LIGHT) -> go.Figure:
    """P(row beats column), a tie being half a win: by the model, or of the battles themselves.

    shown: How many systems, from the strongest.
    """
    order = found.order[:shown]
    share, battles = observed_shares(found)
    square = np.ix_(order, order)
    fitted, seen, met = found.share[square], share[square], battles[square]
    values = seen if observed else fitted
    names = [found.systems[i] for i in order]
    rows, columns = np.nonzero(~np.eye(order.size, dtype=bool))
    hover = [
        f"{plotly(names[row])} against {plotly(names[column])}<br>by strengths "
        f"{100 * fitted[row, column]:.0f} % of the points<br>"
        + (
            f"in {met[row, column]:,} battles {100 * seen[row, column]:.0f} %"
            if met[row, column]
            else "they never met"
        )
        for row, column in zip(rows, columns, strict=True)
    ]
    traces: list[object] = [
        go.Heatmap(
            z=values,
            zmin=0,
            zmax=1,
            colorscale=list(palette.diverging),
            hoverinfo="skip",
            xgap=1,
            ygap=1,
            # More numbers run into each other on a phone.
            colorbar=scale_below("Row beats column (a tie is half a win)", [0, 0.5, 1], SHARES),
        ),
        go.Scatter(
            x=columns,
            y=rows,
            mode="markers",
            marker={"symbol": "square", "size": 5, "opacity": 0},
            hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
        ),
    ]
    if order.size <= MOST_WRITTEN:
        there = ~np.isnan(values[rows, columns])
        at = (rows[there], columns[there])
        traces.append(
            go.Scatter(
                x=at[1],
                y=at[0],
                mode="text",
                text=[f"{100 * value:.0f}" for value in values[at]],
                textfont={
                    "size": 11,
                    "color": [ink_on(colour_at(palette.diverging, float(value))) for value in values[at]],
                },
                hoverinfo="skip",
            )
        )
    ticks = [plotly(short(name)) for name in names]
    axis = {"tickmode": "array", "tickvals": np.arange(order.size), "showgrid": False, "fixedrange": True}
    numbered = order.size > MOST_WRITTEN
    return go.Figure(
        traces,
        base_layout(
            height=int(190 + CELL_PIXELS * max(order.size, 3) * (0.5 if numbered else 1)),
            margin={"l": 8, "r": 52, "t": 8, "b": 70},  # room for the last slanted name
            showlegend=False,
            xaxis={
                **axis,
                "side": "top",
                "ticktext": _numbers(order.size) if numbered else ticks,
                "tickangle": 0 if numbered else -45,
                "zeroline": False,
            },
            yaxis={
                **axis,
                "ticktext": [f"{found.rank[i]}. {name}" for i, name in zip(order, ticks, strict=True)],
                "range": [order.size - 0.5, -0.5],
                "zeroline": False,
            },
        ),
    )


def _numbers(size: int) -> list[str]:
    """Places of columns, so few that they stand apart on a phone: the first, and every fifth or tenth."""
    step = 5 if size <= 20 else 10
    return [str(place) if place == 1 or place % step == 0 else "" for place in range(1, size + 1)]


def elo_figure(paths: EloPaths, colours: list[str]) -> go.Figure:
    """Ratings in the order of time; a cross where another order of the same battles would have ended."""
    traces: list[object] = []
    for place, name in enumerate(paths.systems):
        colour = colours[place % len(colours)]
        traces += [
            go.Scatter(
                x=paths.after,
                y=paths.ratings[:, place],
                mode="lines",
                name=plotly(short(name)),
                line={"color": colour, "width": 2},
            ),
            go.Scatter(
                x=paths.after[-1:],
                y=paths.shuffled[place : place + 1],
                mode="markers",
                showlegend=False,
                marker={"color": colour, "symbol": "x", "size": 9},
                hovertemplate=f"{plotly(short(name))}, the same battles shuffled: %{{y:.0f}}<extra></extra>",
            ),
        ]
    return go.Figure(
        traces,
        base_layout(
            height=380,
            margin={"l": 8, "r": 16, "t": 40, "b": 48},
            showlegend=True,
            legend=LEGEND_ABOVE | {"y": 1.0},
            xaxis={"title": {"text": "Battles so far"}, "gridcolor": GRID, "fixedrange": True},
            yaxis={"title": {"text": "Elo rating"}, "gridcolor": GRID, "fixedrange": True},
        ),
    )
