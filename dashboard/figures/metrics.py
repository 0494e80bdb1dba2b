"""Metrics judged by people: pairs of metrics, systems by people and metric, single segments."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.text import plotly, short
from dashboard.theme import BLUE, LIGHT, Palette, base_layout, ink_on
from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.formatting import format_p

HEIGHT, WIDTH = 420, 300  # of a figure, and that of its axes on a phone: elsewhere there is more room
LETTER = 7.0  # pixels, about
EDGE = 20  # pixels that axes leave free beyond the outermost point, about
BINS = 40


def metric_pairs_figure(
    names: Sequence[str],
    p_adjusted: FloatArray,
    alpha: float,
    row_better: BoolArray | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """All pairs of metrics or systems: filled where they differ, ▲ where the row is better.

    names: Best first.
    p_adjusted (float array, shape (n, n)): NaN on the diagonal and where there is no test.
    row_better (bool array, shape (n, n)): None where the earlier of two is better.
    """
    n = len(names)
    steps = (alpha / 50, alpha / 5, alpha)
    level = np.where(np.isnan(p_adjusted), np.nan, sum((p_adjusted <= step).astype(int) for step in steps))
    colours = [palette.no_evidence[0], *palette.evidence[1:]]
    scale = [[(i + end) / 4, colour] for i, colour in enumerate(colours) for end in (0, 1)]
    row, column = np.indices((n, n))
    better = row < column if row_better is None else row_better
    sign = np.where(level > 0, np.where(better, "▲", "▼"), "")
    shown = [plotly(short(name, 22)) for name in names]
    figure = go.Figure(
        go.Heatmap(
            z=level,
            x=list(range(n)),
            y=list(range(n)),
            customdata=[[format_p(float(p), alpha=alpha) for p in line] for line in p_adjusted],
            text=sign if n <= BINS else None,
            texttemplate="%{text}" if n <= BINS else None,
            colorscale=scale,
            zmin=-0.5,
            zmax=3.5,
            showscale=False,
            xgap=1,
            ygap=1,
            hovertext=[[f"{a} and {b}" for b in shown] for a in shown],
            hovertemplate="%{hovertext}<br>adjusted p %{customdata}<extra></extra>",
        ),
        base_layout(height=max(260, min(840, 200 + 26 * n))),
    )
    ticks: dict[str, object] = {"tickvals": list(range(n)), "ticktext": shown, "showgrid": False}
    figure.update_xaxes(**ticks, tickangle=-60)
    figure.update_yaxes(**ticks, autorange="reversed")
    return figure


def systems_figure(
    systems: Sequence[str], human: FloatArray, metric: FloatArray, name: str, palette: Palette = LIGHT
) -> go.Figure:
    """Every system by the metric and by people, with its name."""
    names = [short(system, 18) for system in systems]
    places = label_places(human, metric, [len(label) for label in names])
    figure = go.Figure(
        go.Scatter(
            x=human,
            y=metric,
            mode="markers+text",
            text=[plotly(label) if place else "" for label, place in zip(names, places, strict=True)],
            textposition=[place or "top center" for place in places],
            textfont={"color": ink_on(palette.page)},
            marker={"size": 9, "color": BLUE},
            hovertext=[plotly(label) for label in names],
            hovertemplate="%{hovertext}<br>people %{x:.4g}, metric %{y:.4g}<extra></extra>",
            cliponaxis=False,
        ),
        base_layout(height=HEIGHT),
    )
    figure.update_xaxes(title="People (right is better)")
    figure.update_yaxes(title=f"{plotly(short(name))} (up is better)")
    return figure


def label_places(x: FloatArray, y: FloatArray, letters: Sequence[int], *, corners: bool = False) -> list[str]:
    """Where each point's label is written so that none covers another or a point, or leaves the axes.

    letters: Of each label.
    corners: Whether labels stand at the corners of their points, as where bars cross in these.
    Returns: Plotly's text positions; empty for a label without room, which the point's hover still tells.
    """
    across, up = _pixels(x, WIDTH), _pixels(y, HEIGHT - 120)
    taken = [(left - 6, left + 6, low - 6, low + 6) for left, low in zip(across, up, strict=True)]
    places = []
    for left, low, long in zip(across, up, letters, strict=True):
        half = long * LETTER / 2
        boxes = (
            _at_corners(left, low, 2 * half)
            if corners
            else {
                "top center": (left - half, left + half, low + 7, low + 21),
                "bottom center": (left - half, left + half, low - 21, low - 7),
                "middle right": (left + 7, left + 7 + 2 * half, low - 6, low + 6),
                "middle left": (left - 7 - 2 * half, left - 7, low - 6, low + 6),
            }
        )
        inside = {place: box for place, box in boxes.items() if box[0] >= -EDGE and box[1] <= WIDTH + EDGE}
        free = [place for place, box in inside.items() if not any(_overlap(box, other) for other in taken)]
        places.append(free[0] if free else "")
        if free:
            taken.append(boxes[free[0]])
    return places


def _at_corners(left: float, low: float, wide: float) -> dict[str, tuple[float, float, float, float]]:
    across = {"left": (left - 7 - wide, left - 7), "right": (left + 7, left + 7 + wide)}
    up = {"top": (low + 5, low + 19), "bottom": (low - 19, low - 5)}
    return {f"{v} {h}": (*across[h], *up[v]) for v in up for h in across}


def _pixels(values: FloatArray, size: float) -> list[float]:
    known = values[~np.isnan(values)]
    low, spread = (float(known.min()), float(np.ptp(known)) or 1.0) if known.size else (0.0, 1.0)
    return [size * (float(value) - low) / spread for value in np.nan_to_num(values, nan=low)]


def _overlap(box: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return box[0] < other[1] and other[0] < box[1] and box[2] < other[3] and other[2] < box[3]


def segments_figure(human: FloatArray, metric: FloatArray, name: str, palette: Palette = LIGHT) -> go.Figure:
    """Density of single scores by people and metric, on a logarithmic scale of colour."""
    counts, x, y = np.histogram2d(human, metric, bins=BINS)
    figure = go.Figure(
        go.Heatmap(
            z=np.where(counts > 0, np.log10(np.maximum(counts, 1)), np.nan).T,
            x=(x[:-1] + x[1:]) / 2,
            y=(y[:-1] + y[1:]) / 2,
            customdata=counts.T,
            colorscale=[[0, palette.evidence[0]], [1, palette.evidence[-1]]],
            showscale=False,
            hovertemplate="people %{x:.4g}, metric %{y:.4g}<br>%{customdata:,} scores<extra></extra>",
        ),
        base_layout(height=HEIGHT),
    )
    figure.update_xaxes(title="People (right is better)")
    figure.update_yaxes(title=f"{plotly(short(name))} (up is better)")
    return figure
