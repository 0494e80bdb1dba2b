"""Power against the size of the test set, and spread against the size of the evaluation unit."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard.figures.axes import LEGEND_ABOVE, horizontal_line, number_axis, vertical_line
from dashboard.theme import BLUE, NEUTRAL, ORANGE, base_layout
from nlpstat_core.formatting import count_of, format_score
from nlpstat_core.power import PowerCurve, UnitSizes

HEIGHT = 340
SERIES = (BLUE, ORANGE, NEUTRAL)
DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x")
BAND = "rgba(0, 114, 178, 0.18)"


def power_figure(curve: PowerCurve, *, target: float = 0.8) -> go.Figure:
    """Power with its band by the number of units.

    Returns: Traces: upper and lower end of the band, the curve.
    """
    x = curve.sizes
    edge = {"x": x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    sizes = [f"{size:,} items" for size in x]
    if curve.documents is not None:
        sizes = [
            f"{text} in {count_of(int(n), 'document')}"
            for text, n in zip(sizes, curve.documents, strict=True)
        ]
    lines = [
        f"{size}: power {power:.3f}<br>band {low:.3f} to {high:.3f}"
        for size, power, low, high in zip(sizes, curve.power, curve.lower, curve.upper, strict=True)
    ]
    seen = go.Scatter(
        x=x,
        y=curve.power,
        name="power",
        mode="lines+markers",
        line={"color": BLUE, "width": 2.5},
        marker={"size": 8, "line": {"color": "#FFFFFF", "width": 1}},
        hovertext=lines,
        hovertemplate="%{hovertext}<extra></extra>",
    )
    plain = {"showarrow": False, "yanchor": "bottom"}
    layout = _layout("Items in the test set", "Power", [-0.02, 1.02])
    layout["shapes"] = [
        horizontal_line(target, color=NEUTRAL, width=1.5, dash="dash"),
        vertical_line(curve.n_units, color=NEUTRAL, width=1.5, dash="dot"),
    ]
    # At the right end, where power is high, the label of the target would stand in the curve.
    left = {"x": 0, "xref": "x domain", "xanchor": "left", "y": target, "yref": "y"}
    low = {"x": curve.n_units, "xref": "x", "xanchor": "right", "y": 0, "yref": "y domain"}
    layout["annotations"] = [
        {**plain, **left, "text": f"{100 * target:g} %"},
        {**plain, **low, "text": f"here: {curve.n_units:,}"},
    ]
    band = go.Scatter(y=curve.lower, fill="tonexty", fillcolor=BAND, **edge)
    return go.Figure([go.Scatter(y=curve.upper, **edge), band, seen], layout)


def runs_power_figure(curves: Sequence[PowerCurve], *, target: float = 0.8) -> go.Figure:
    """Power by the number of items, a line for each number of runs.

    curves: Of one pair at the same sizes.
    Returns: A line for each; its label stands at its right end.
    """
    traces = []
    for place, curve in enumerate(curves):
        runs = (curve.n_runs or (0, 0))[0]
        traces.append(
            go.Scatter(
                x=curve.sizes,
                y=curve.power,
                name=f"{runs} runs",
                mode="lines+markers",
                line={
                    "color": SERIES[place % len(SERIES)],
                    "width": 2.5,
                    "dash": DASHES[place % len(DASHES)],
                },
                marker={"size": 7, "symbol": SYMBOLS[place % len(SYMBOLS)]},
                hovertext=[
                    f"{size:,} items, {runs} runs: power {power:.3f}"
                    for size, power in zip(curve.sizes, curve.power, strict=True)
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    layout = _layout("Items in the test set", "Power", [-0.02, 1.02])
    layout["shapes"] = [
        horizontal_line(target, color=NEUTRAL, width=1.5, dash="dash"),
        vertical_line(curves[0].n_units, color=NEUTRAL, width=1.5, dash="dot"),
    ]
    layout["annotations"] = [
        {
            "showarrow": False,
            "yanchor": "bottom",
            "x": curves[0].n_units,
            "xref": "x",
            "xanchor": "right",
            "y": 0,
            "yref": "y domain",
            "text": f"here: {curves[0].n_units:,}",
        }
    ]
    layout["legend"] = LEGEND_ABOVE
    return go.Figure(traces, {**layout, "showlegend": True})


def unit_size_figure(found: UnitSizes) -> go.Figure:
    """Standard deviation by rows per unit, as the rows stand and shuffled."""
    traces = []
    series = (
        ("order of the file", found.sd, BLUE, "solid", "circle"),
        ("shuffled", found.sd_shuffled, ORANGE, "dash", "diamond"),
    )
    for name, sd, colour, dash, symbol in series:
        traces.append(
            go.Scatter(
                x=found.sizes,
                y=sd,
                name=name,
                mode="lines+markers",
                line={"color": colour, "width": 2, "dash": dash},
                marker={"size": 6, "symbol": symbol},
                hovertext=[
                    f"{size} rows, {name}: {format_score(float(value))}"
                    for size, value in zip(found.sizes, sd, strict=True)
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    layout = _layout("Rows per item", "Standard deviation", None, rangemode="tozero")
    layout["legend"] = LEGEND_ABOVE
    return go.Figure(traces, {**layout, "showlegend": True})


def _layout(x: str, y: str, limits: list[float] | None, *, rangemode: str = "normal") -> dict[str, object]:
    return base_layout(
        height=HEIGHT,
        margin={"l": 8, "r": 16, "t": 32, "b": 48},
        xaxis=number_axis(x),
        yaxis=number_axis(y, range=limits, rangemode=rangemode),
    )
