"""What systems answered beside gold: confusion matrices, and numbers against gold."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.axes import dashed, number_axis, scatter_of
from dashboard.text import plotly, short
from dashboard.theme import BLUE, LIGHT, Palette, base_layout, colour_at, ink_on
from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.submissions.by_label import Confusion

CELL, LEAST, MOST = 44, 240, 640  # pixels
MOST_WRITTEN = 12  # labels whose counts fit into the cells
LONGEST_LABEL = 14


def confusion_figure(confusion: Confusion, palette: Palette) -> go.Figure:
    """Gold labels down, outputs across; colours are shares of the row, so that rare labels are seen."""
    rows, columns = len(confusion.gold), len(confusion.given)
    whole = confusion.counts.sum(axis=1, keepdims=True)
    share = np.divide(confusion.counts, whole, out=np.zeros(confusion.counts.shape), where=whole > 0)
    words = [
        [
            f"gold {plotly(right)}, answered {plotly(given)}:<br>{count:,} items, {100 * part:.3g} %"
            for given, count, part in zip(confusion.given, counts, parts, strict=True)
        ]
        for right, counts, parts in zip(
            confusion.gold, confusion.counts.tolist(), share.tolist(), strict=True
        )
    ]
    scale = [(0.0, palette.no_evidence[0]), (0.15, palette.evidence[0]), (1.0, palette.evidence[-1])]
    heatmap = go.Heatmap(
        z=share,
        zmin=0,
        zmax=1,
        colorscale=scale,
        showscale=False,
        xgap=1,
        ygap=1,
        hovertext=words,
        hovertemplate="%{hovertext}<extra></extra>",
    )
    traces: list[go.Heatmap | go.Scatter] = [heatmap]
    if max(rows, columns) <= MOST_WRITTEN:
        down, across = np.indices((rows, columns))
        traces.append(
            go.Scatter(
                x=across.ravel(),
                y=down.ravel(),
                text=[f"{count:,}" for count in confusion.counts.ravel().tolist()],
                textfont={"color": [ink_on(colour_at(scale, part)) for part in share.ravel().tolist()]},
                mode="text",
                hoverinfo="skip",
                showlegend=False,
            )
        )
    return go.Figure(
        traces,
        base_layout(
            height=int(np.clip(90 + CELL * rows, LEAST, MOST)),
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis=_axis("Answered", confusion.given),
            yaxis=_axis("Gold", confusion.gold) | {"autorange": "reversed"},
        ),
    )


def _axis(title: str, labels: Sequence[str]) -> dict[str, object]:
    return {
        "title": {"text": title},
        "tickvals": list(range(len(labels))),
        "ticktext": [plotly(short(label, LONGEST_LABEL)) for label in labels],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    }


def against_gold_figure(
    gold: FloatArray, outputs: FloatArray, limits: tuple[float, float], palette: Palette = LIGHT
) -> go.Figure:
    """Outputs of a system against gold, and the line where they are equal.

    limits: Of both axes, the same for both systems of a pair.
    """
    # Points that let others shine through are pale on a light page, and would be dim on a dark one.
    points = (
        {"color": BLUE, "opacity": 0.5}
        if palette is LIGHT
        else {"color": palette.evidence[-1], "opacity": 0.7}
    )
    ends = list(limits)
    return go.Figure(
        [
            dashed(ends, ends),
            scatter_of(gold.size)(
                x=gold,
                y=outputs,
                mode="markers",
                marker={"size": 6, **points},
                hovertemplate="gold %{x:.4g}, answered %{y:.4g}<extra></extra>",
            ),
        ],
        base_layout(
            height=340,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            xaxis=number_axis("Gold", range=ends),
            yaxis=number_axis("Answered", range=ends),
        ),
    )
