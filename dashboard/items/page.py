"""Draws the items over all systems: what stands out, a table to search, the reliability of the ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.navigation import page_path
from dashboard.parts.chart_table import draw_chart
from dashboard.parts.file_buttons import file_button
from dashboard.parts.panels import delivered
from dashboard.parts.result_table import decimal_format
from dashboard.parts.tables import holding
from dashboard.session.requests import ask_items
from dashboard.text import markdown, printable
from dashboard.theme import STILL_CONFIG
from nlpstat_core.board.items import ItemTable
from nlpstat_core.formatting import count_of
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.data.runs import items_frame_of
from nlpstat_core.report.wording.variation import ITEMS_CAUTION, items_sentence, reliability_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

MOST_LISTED = 5_000
P_HELP = (
    "Tests the null hypothesis that the item's correlation with the rest is not negative: one-sided, by "
    "Fisher's z, adjusted over all items (Benjamini and Hochberg). A value of 0.05 or less says that "
    "stronger systems do worse on the item. It is not the probability that the correlation is negative."
)
SEARCH = "items search"
EVERY, SEPARATE_NONE, NEGATIVE, COPIES = (
    "All items",
    "Same score for all systems",
    "Stronger systems do worse",
    "Same scores as another",
)


def draw_items(analysis: Analysis) -> None:
    """The whole page."""
    if analysis.units.n_units < 2:
        st.info("The item analysis needs at least two items.")
        return
    table = delivered(ask_items(analysis), "Analysing the items")
    if table is None:
        return
    st.markdown(f"**{markdown(items_sentence(table))}**")
    st.caption(ITEMS_CAUTION)
    if analysis.units.costs:
        from dashboard.items.cost import draw_costs

        draw_costs(analysis)
        st.header("Every item", divider="grey")
    _table(analysis, table)
    reliable = reliability_sentence(table)
    if not reliable:
        return
    st.header("How far the ranking depends on the items", divider="grey")
    st.markdown(reliable)
    if table.sizes.size:
        from dashboard.figures.items import agreement_figure

        draw_chart(
            agreement_figure(table),
            key="items curve",
            config=STILL_CONFIG,
            alt=f"Rank correlation of random subsets of the items with the whole board. {reliable}",
        )


def _table(analysis: Analysis, table: ItemTable) -> None:
    view = st.segmented_control(
        "Show",
        [EVERY, SEPARATE_NONE, NEGATIVE, COPIES],
        default=EVERY,
        key="items view",
        persist_state="session",
    )
    wanted = st.text_input(
        "Find an id, text or label",
        key=SEARCH,
        persist_state="session",
        placeholder="part of a text",
        width=380,
    )
    frame, titles = items_table(analysis, table, view or EVERY, wanted)
    if len(frame) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED:,} of {len(frame):,}; the file holds all.")
    st.dataframe(
        frame.head(MOST_LISTED),
        hide_index=True,
        column_config={
            key: title
            if frame[key].dtype.kind != "f"
            else st.column_config.NumberColumn(title, format="%.4g", help=P_HELP)
            if key == "p"
            else st.column_config.NumberColumn(title, format=decimal_format(frame[key]))
            for key, title in titles.items()
        },
        placeholder="",
        alt=f"{count_of(len(frame), 'item')} with difficulty and correlation with the rest.",
    )
    with st.container(horizontal=True):
        file_button("items.csv", csv_text(items_frame_of(analysis, table)))
        st.page_link(page_path("pair"), label="See which items decide a pair")


def items_table(
    analysis: Analysis, table: ItemTable, view: str, wanted: str
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Items of a view whose id or label holds a text, the hardest first."""
    rows = np.arange(len(table))
    names = analysis.units.unit_names(rows)
    columns: dict[str, object] = {"unit": names}
    titles = {"unit": "Item"}
    columns["mean"] = table.difficulty
    titles["mean"] = "Share solved" if not np.isnan(table.solved).all() else "Mean over systems"
    if not np.isnan(table.item_rest).all():
        columns |= {"rest": table.item_rest, "p": table.p_negative}
        titles |= {"rest": "Correlation with the rest", "p": "Adjusted p (not negative)"}
    columns["flag"], titles["flag"] = _flags(table, names), "What stands out"
    texts = ["unit", "flag"]
    for place, (name, values) in enumerate(analysis.units.labels.items()):
        columns[f"label {place}"], titles[f"label {place}"] = list(values), printable(name)
        texts.append(f"label {place}")
    frame = pd.DataFrame(columns)
    keep = {SEPARATE_NONE: table.constant, NEGATIVE: table.negative, COPIES: table.copy_of >= 0}.get(
        view, ~np.isnan(table.difficulty)
    )  # units that nobody has a score for are no items of the board
    keep = keep & holding(frame, texts, wanted)
    ease = -table.difficulty if analysis.units.lower_is_better else table.difficulty
    order = np.argsort(np.nan_to_num(ease, nan=np.inf), kind="stable")
    return frame.iloc[order[keep[order]]], titles


def _flags(table: ItemTable, names: list[str]) -> list[str]:
    found = []
    for i in range(len(table)):
        lines = []
        if table.everybody[i]:
            lines.append("all systems at the top")
        elif table.nobody[i]:
            lines.append("all systems at the bottom")
        elif table.constant[i]:
            lines.append("same score for all")
        if table.negative[i]:
            lines.append("stronger systems do worse")
        if table.copy_of[i] >= 0:
            lines.append(f"scores as {names[table.copy_of[i]]}")
        found.append("; ".join(lines))
    return found
