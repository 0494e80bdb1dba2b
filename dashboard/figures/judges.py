"""A judge corrected by people: means of both, and ranks by the judge, by people, and corrected."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import LEGEND_ABOVE, interval_bars, number_axis, rows_layout, vertical_line
from dashboard.text import plotly, short
from dashboard.theme import BLUE, GRID, NEUTRAL, ORANGE, base_layout
from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.results.judge import JudgedBoard

ROW_PIXELS = 34
MOST_NAMED = 20
NAME_LETTERS, NAME_PIXELS = 18, 132


def means_figure(found: JudgedBoard, shown: int) -> go.Figure:
    """Corrected means with their intervals, and below each the mean of people's labels alone.

    shown: How many systems, from the best.
    """
    order = found.order[:shown]
    places = np.arange(order.size)
    level = f"{100 * (1 - found.alpha):g}%"
    traces = []
    for name, mean, low, high, drop, marker in (
        ("corrected", found.estimate, found.lower, found.upper, -0.14, {"color": BLUE, "size": 9}),
        (
            "people's labels alone",
            found.people,
            found.people_lower,
            found.people_upper,
            0.18,
            {"color": NEUTRAL, "size": 7, "symbol": "diamond-open"},
        ),
    ):
        traces.append(
            go.Scatter(
                name=name,
                x=mean[order],
                y=places + drop,
                mode="markers",
                marker=marker,
                error_x=interval_bars(
                    low[order],
                    mean[order],
                    high[order],
                    color=BLUE if drop < 0 else NEUTRAL,
                    thickness=2 if drop < 0 else 1,
                    width=3,
                ),
                hovertext=[
                    f"{plotly(found.systems[i])}, {name}: {format_score(float(mean[i]))}<br>"
                    f"interval {format_interval(float(low[i]), float(high[i]))}"
                    for i in order
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    return go.Figure(
        traces,
        rows_layout(
            [plotly(f"{found.rank[i]}. {short(found.systems[i])}") for i in order],
            number_axis(f"Mean {plotly(short(found.human))}<br>with {level} interval"),
            around=132,
            below=66,
            above=40,
            row=ROW_PIXELS,
            showlegend=True,
            legend=LEGEND_ABOVE | {"y": 1.0},
        ),
    )


def ranks_moved_figure(found: JudgedBoard) -> go.Figure:
    """Ranks by the judge alone, by people alone, and corrected: a line for every system, named where it ends.

    Returns: One trace a system; those whose rank the correction changes are coloured.
    """
    sources = (
        ("judge<br>alone", found.rank_judge),
        ("people<br>alone", found.rank_people),
        ("corrected", found.rank),
    )
    n = len(found.systems)
    lines = []
    for place in found.order[::-1]:
        ranks = [int(rank[place]) for _, rank in sources]
        moved = ranks[0] != ranks[2]
        name = plotly(found.systems[place])
        lines.append(
            go.Scatter(
                x=[0, 1, 2],
                y=ranks,
                mode="lines+markers",
                line={"color": ORANGE if moved else NEUTRAL, "width": 2.5 if moved else 1.5},
                marker={"size": 8, "color": ORANGE if moved else NEUTRAL},
                hovertemplate=f"{name}: rank %{{y}}<extra></extra>",
                showlegend=False,
            )
        )
    named: dict[int, list[str]] = {}
    for i in found.order if n <= MOST_NAMED else ():
        named.setdefault(int(found.rank[i]), []).append(found.systems[i])
    return go.Figure(
        lines,
        base_layout(
            height=int(132 + (ROW_PIXELS if n <= MOST_NAMED else 12) * max(n, 3)),
            margin={"l": 8, "r": NAME_PIXELS if named else 24, "t": 40, "b": 66},
            shapes=[vertical_line(x, color=GRID, width=1) for x in (0, 1, 2)],
            annotations=[
                {
                    "xref": "paper",
                    "x": 1,
                    "y": rank,
                    "text": plotly(short(", ".join(names), NAME_LETTERS)),
                    "showarrow": False,
                    "xanchor": "left",
                    "yanchor": "middle",
                    "font": {"size": 12},
                }
                for rank, names in named.items()
            ],
            xaxis={
                "tickmode": "array",
                "tickvals": [0, 1, 2],
                "ticktext": [name for name, _ in sources],
                "range": [-0.2, 2.15],
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            yaxis=number_axis("Rank", range=[n + 0.6, 0.3], dtick=1 if n <= MOST_NAMED else None),
        ),
    )


def calibration_figure(found: JudgedBoard) -> go.Figure:
    """People's share of 1 by the judge's score; dashed where both are the same, for a judge from 0 to 1."""
    bins = found.itself.calibration
    assert bins is not None
    figure = go.Figure(
        go.Scatter(
            x=bins.judged,
            y=bins.share,
            mode="markers",
            marker={"size": 9, "color": BLUE},
            error_y=interval_bars(bins.interval[:, 0], bins.share, bins.interval[:, 1]),
            hovertext=[
                f"judge {format_score(float(judged))}: people {share:.0%}<br>{count:,} labels"
                for judged, share, count in zip(bins.judged, bins.share, bins.labels, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        ),
        base_layout(
            height=340,
            margin={"l": 8, "r": 16, "t": 8, "b": 48},
            xaxis=number_axis(f"{plotly(short(found.judge))}, mean of the bin"),
            yaxis=number_axis("People's share of 1", range=[-0.05, 1.05], tickformat=".0%"),
        ),
    )
    if bins.judged.min() >= 0 and bins.judged.max() <= 1:
        figure.add_shape(
            type="line", x0=0, y0=0, x1=1, y1=1, line={"color": NEUTRAL, "width": 1, "dash": "dash"}
        )
    return figure
