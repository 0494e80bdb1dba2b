"""Draws score against cost: both intervals, the front, and how probably each system is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.navigation import page_path
from dashboard.parts.chart_table import draw_chart
from dashboard.parts.file_buttons import file_button
from dashboard.parts.panels import as_information, delivered, show_remarks
from dashboard.parts.result_table import draw_result, tall
from dashboard.parts.sidebar import KEEP
from dashboard.session.requests import ask_cost_front
from dashboard.text import markdown, printable
from dashboard.theme import STILL_CONFIG, palette_of
from nlpstat_core.report.exports.data.csv_text import csv_text

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

TITLE = "Score against cost"


def link_to_costs(analysis: Analysis) -> None:
    """The way to the section, where the scores have costs."""
    if analysis.units.costs:
        st.page_link(page_path("items"), label=TITLE, icon=":material/payments:")


def draw_costs(analysis: Analysis) -> None:
    """The section; the boards it is drawn for have costs."""
    st.header(TITLE, divider="grey")
    names = list(analysis.units.costs)
    cost = names[0]
    if len(names) > 1:
        cost = st.selectbox("Cost", names, format_func=printable, key="items cost", width=280, **KEEP)
    found = delivered(
        ask_cost_front(analysis, cost),
        "Resampling items for score and cost",
        refused=as_information,
    )
    if found is None:
        return
    from dashboard.figures.cost import cost_figure
    from nlpstat_core.report.exports.tables.cost import front_table
    from nlpstat_core.report.wording.cost import front_headline, front_legend, front_sentence

    with st.container(border=True):
        st.markdown(f"**{markdown(front_headline(found))}**")
        st.caption(markdown(front_sentence(found)))
    draw_chart(
        cost_figure(found, palette_of(st.context.theme.type)),
        key="items cost figure",
        config=STILL_CONFIG,
        alt=f"Mean {found.metric} against mean {found.cost} with intervals. {front_headline(found)}",
        table=found.to_frame(),
    )
    draw_result(
        front_table(found),
        f"Every system with {found.metric}, {found.cost} and the front. {front_headline(found)}",
        height=tall(len(found.systems), 12),
    )
    st.caption(markdown(front_legend(found)))
    show_remarks(found.notes, about="on score and cost")
    file_button("cost.csv", csv_text(found.to_frame()))
