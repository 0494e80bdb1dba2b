"""Draws what the two systems of a pair answered, where a board comes from gold and outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background.outputs import PairOutputs
from dashboard.parts.folded import folded
from dashboard.parts.measure import in_front
from dashboard.parts.panels import delivered
from dashboard.parts.result_table import decimal_format, draw_frame, tall
from dashboard.session.state import session
from dashboard.session.submissions import ask_outputs
from dashboard.text import NO_VALUE, markdown, printable, short
from dashboard.theme import STILL_CONFIG, palette_of
from nlpstat_core.formatting import count_of, format_fixed_interval, interval_decimals

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.board.submissions.by_label import Confusion
    from nlpstat_core.board.submissions.differing import DifferingItems

ONE_RIGHT, ALL = "Exactly one is right", "All that differ"
WIDE = 215


def draw_outputs(pair: PairResult, analysis: Analysis) -> None:
    """Confusion matrices, labels, numbers against gold, and the items that make the difference.

    analysis: With the pair in the order that was chosen. Nothing is drawn where the board comes from scores.
    """
    if session().submitted is None:
        return
    step = "" if analysis.units.measured is None else "1. "  # of a mean the scores of items are the first
    st.header(f"{step}What the two systems answered", divider="grey", anchor="outputs")
    a, b = pair.system_a, pair.system_b
    found = delivered(ask_outputs(analysis, a, b), "Looking at their outputs")
    if found is None:
        return
    st.markdown(_differing_sentence(found, a, b))
    if found.confusions:
        _draw_confusions(found.confusions, a, b)
    if found.labels is not None:
        _draw_labels(found, analysis, a, b)
    if found.points is not None and found.points.size:
        _draw_numbers(found.points, a, b)
    _draw_items(found, a, b)


def _differing_sentence(found: PairOutputs, a: str, b: str) -> str:
    """On how many items they differ, and who is right there."""
    shared = count_of(found.n_shared, "item")
    first = f"Of {shared} that both have answered, their answers differ on **{found.n_differing:,}**"
    names = markdown(a), markdown(b)
    if found.kind == "numbers":
        whose = f"{names[0]} is nearer to gold on **{found.only_a:,}**, {names[1]} on **{found.only_b:,}**"
    elif found.kind == "texts":
        whose = f"only {names[0]} gives exactly gold's text on **{found.only_a:,}**, only {names[1]} on "
        whose += f"**{found.only_b:,}**"
    else:
        one = found.only_a + found.only_b
        each = f"{names[0]} on {found.only_a:,}, {names[1]} on {found.only_b:,}"
        whose = f"exactly one is right on **{one:,}**: {each}"
    return f"{first}; {whose}."


def _draw_confusions(confusions: tuple[Confusion, ...], a: str, b: str) -> None:
    from dashboard.figures.outputs import confusion_figure

    palette = palette_of(st.context.theme.type)
    for place, (column, name, confusion) in enumerate(zip(st.columns(2), (a, b), confusions, strict=True)):
        right = int(sum(confusion.counts[i, i] for i in range(min(confusion.counts.shape))))
        with column:
            st.markdown(f"**{markdown(short(name))}**")
            st.plotly_chart(
                confusion_figure(confusion, palette),
                key=f"confusion {place}",
                config=STILL_CONFIG,
                alt=f"Confusion matrix of {name}: {right:,} of {int(confusion.counts.sum()):,} right.",
            )
    st.caption(
        "Rows are gold's labels, columns what was answered; the stronger the colour, the larger the share of "
        "the row."
    )
    with folded("The same as tables", "confusion tables") as opened:
        if opened:
            for name, confusion in zip((a, b), confusions, strict=True):
                frame = pd.DataFrame(
                    confusion.counts,
                    index=[f"gold {printable(label)}" for label in confusion.gold],
                    columns=[printable(label) for label in confusion.given],
                )
                st.markdown(f"**{markdown(name)}**")
                st.dataframe(frame, alt=f"Confusion matrix of {name}.")


def _draw_labels(found: PairOutputs, analysis: Analysis, a: str, b: str) -> None:
    """F1 of every label (type of span) of both, those that make most of the difference first."""
    labels = found.labels
    assert labels is not None
    spans = found.kind == "tags"
    one, many, counted = (
        ("type of span", "types of spans", "Spans") if spans else ("label", "labels", "Items")
    )
    order = np.argsort(-np.abs(labels.difference), kind="stable")
    first = int(order[0])
    st.markdown(
        f"**Which {many} make the difference.** The largest in F1 is on {markdown(labels.labels[first])}: "
        f"{labels.f1_a[first]:.3f} and {labels.f1_b[first]:.3f}."
    )
    ends = np.stack([labels.low, labels.high], axis=1)
    places = max(2, interval_decimals(ends))
    frame = pd.DataFrame(
        {
            "label": [printable(labels.labels[i]) for i in order],
            "items": labels.support[order],
            "a": labels.f1_a[order],
            "b": labels.f1_b[order],
            "difference": labels.difference[order],
            "interval": [format_fixed_interval(low, high, places) for low, high in ends[order].tolist()],
        }
    )
    if not spans:  # F1 of all spans together is no mean over their types
        frame["share"] = labels.share[order]
    level = f"{100 * analysis.config.level:g}%"
    draw_frame(
        frame,
        f"F1 of {a} and {b} by {one}.",
        column_config={
            "label": in_front(one),
            "items": st.column_config.NumberColumn(
                counted, help=f"{counted} of this {one.split()[0]} in gold."
            ),
            "a": st.column_config.NumberColumn(f"F1 of {printable(short(a))}", format="%.3f"),
            "b": st.column_config.NumberColumn(f"F1 of {printable(short(b))}", format="%.3f"),
            "difference": st.column_config.NumberColumn("Difference, first − second", format="%+.3f"),
            "interval": st.column_config.TextColumn(
                f"{level} interval",
                help="Of this difference alone, not adjusted: jackknife over items"
                + (" by document." if analysis.config.block_column else "."),
            ),
            "share": st.column_config.NumberColumn(
                "Part of macro-F1's", format="%+.4f", help="These add up to the difference in macro-F1."
            ),
        },
        height=tall(len(frame)),
    )


def _draw_numbers(points: np.ndarray, a: str, b: str) -> None:
    from dashboard.figures.outputs import against_gold_figure

    low, high = float(points.min()), float(points.max())
    room = 0.04 * (high - low or 1.0)
    for place, (column, name) in enumerate(zip(st.columns(2), (a, b), strict=True)):
        with column:
            st.markdown(f"**{markdown(short(name))}**")
            st.plotly_chart(
                against_gold_figure(
                    points[0], points[1 + place], (low - room, high + room), palette_of(st.context.theme.type)
                ),
                key=f"against gold {place}",
                config=STILL_CONFIG,
                alt=f"Outputs of {name} against gold on {points.shape[1]:,} items.",
            )
    st.caption("The dashed line is where outputs are gold's.")


def _draw_items(found: PairOutputs, a: str, b: str) -> None:
    """The items on which they differ, by what they do to the measure."""
    exact = found.kind in ("labels", "label-sets", "tags", "trees")
    view = ALL
    if exact:
        view = st.segmented_control(
            "Items", [ONE_RIGHT, ALL], default=ONE_RIGHT, required=True, key="outputs view"
        )
    items, many = found.items, found.n_differing
    if view == ONE_RIGHT:
        items, many = found.only_one, found.only_a + found.only_b
    listed = len(items.rows)
    st.caption(
        f"{count_of(many, 'item')}, those first that move the difference in {markdown(found.title)} most."
        + (f" The first {listed:,} are listed." if listed < many else "")
    )
    frame, titles = items_frame(found, items, a, b)
    wide = found.kind in ("texts", "tags", "trees")
    event = st.dataframe(
        frame,
        hide_index=True,
        key="outputs items",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            key: st.column_config.NumberColumn(
                title,
                width=90,
                format=decimal_format(frame[key], 3, sign="+"),
                help=f"{in_front(found.title)} of the first system minus the second: with this item, less "
                "without it.",
            )
            if key == "influence"
            else st.column_config.TextColumn(
                title, width=WIDE if wide and key in ("gold", "a", "b") else None
            )
            for key, title in titles.items()
        },
        height=tall(listed),
        placeholder=NO_VALUE,
        alt=f"Items on which {a} and {b} differ, with gold and both outputs.",
    )
    chosen = event["selection"]["rows"]
    if wide and listed:
        _draw_whole(found, items, chosen[0] if chosen and chosen[0] < listed else 0, a, b)


def _draw_whole(found: PairOutputs, items: DifferingItems, place: int, a: str, b: str) -> None:
    """One item in full: a table cuts long texts, and a narrow screen has no room for its columns."""
    own = {name: cells[items.rows[place]] for name, cells in found.texts.items()}
    texts = {"Gold": items.gold[place], short(a): items.output_a[place], short(b): items.output_b[place]}
    with st.container(border=True):
        st.caption(markdown(f"Item {items.items[place]}; select a row to read another one."))
        for name, text in [*own.items(), *texts.items()]:
            st.markdown(f"**{markdown(name)}**: {markdown(text) or '(nothing)'}")


def items_frame(
    found: PairOutputs, items: DifferingItems, a: str, b: str
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Items with gold, both outputs and their influence.

    Returns titles: By key of the column, as a file may call a column like one of these.
    """
    right = {"a": printable(short(a)), "b": printable(short(b)), "both": "both", "neither": "neither"}
    columns: dict[str, object] = {"item": items.items}
    columns["influence"] = items.influence / max(found.n_shared - 1, 1)
    columns |= {"gold": items.gold, "a": items.output_a, "b": items.output_b}
    titles = {"item": "Item", "influence": "Moves it by", "gold": "Gold", "a": right["a"], "b": right["b"]}
    if found.kind != "texts":  # hardly a translation is gold's very words
        columns["right"] = [right[one] for one in items.right]
        titles["right"] = "Nearer to gold" if found.kind == "numbers" else "Right"
    for place, (name, cells) in enumerate(found.texts.items()):
        columns[f"text {place}"] = [cells[row] for row in items.rows]
        titles[f"text {place}"] = printable(name)
    return pd.DataFrame(columns), titles
