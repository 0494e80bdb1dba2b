"""Draws a closer look at one pair: nothing is computed before one of the views is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.figures.points import points
from dashboard.navigation import page_path
from dashboard.pair.diagnosis import draw_normal
from dashboard.pair.solved_units import UNITS, choose_solved
from dashboard.pair.unit_tables import groups_table, units_table
from dashboard.parts.panels import delivered
from dashboard.parts.result_table import draw_frame, tall
from dashboard.session.requests import ask_left_out
from dashboard.text import markdown
from dashboard.theme import CHART_CONFIG, STILL_CONFIG
from nlpstat_core.arrays import IntArray
from nlpstat_core.board.pairs.influence import Groups, driving_units, grouping_labels, shared_units, slices
from nlpstat_core.formatting import count_of
from nlpstat_core.report.wording.influence import EXPLORATION, left_out_sentence, slices_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis

SCATTER, QQ, LEAVE, SLICES = "Scatter plot", "Q–Q plot", "Leave one out", "Slices"
MOST_LISTED = 5_000
MOST_PLOTTED = 40


def draw_exploration(pair: PairResult, analysis: Analysis) -> None:
    """The menu of views and the chosen one."""
    measured = analysis.units.measured is not None
    labels = grouping_labels(analysis.units, np.flatnonzero(shared_units(analysis, row_of(pair, analysis))))
    if measured and not labels:
        return
    st.header("A closer look", divider="grey")
    if pair.n_units == 0:
        st.info("These two systems share no item.")
        return
    views = [*([] if measured else [UNITS, SCATTER, QQ]), *([LEAVE, SLICES] if labels else [])]
    view = st.segmented_control(
        "Show which items make the difference", views, key="closer", persist_state="session"
    )
    if not labels:
        st.caption("With a label column (document, domain …) in the file, slices are offered here, too.")
    if view == UNITS:
        _units(pair, analysis)
        st.page_link(page_path("items"), label="These items over all systems")
    elif view == SCATTER:
        _scatter(pair, analysis)
    elif view == QQ:
        difference = driving_units(analysis, row_of(pair, analysis)).difference
        draw_normal(pair, difference, "closer qq")
    elif view == LEAVE and labels:
        _leave_one_out(pair, analysis, _label(labels, analysis, most=True))
    elif view == SLICES and labels:
        _slices(pair, analysis, _label(labels, analysis, most=False))


def row_of(pair: PairResult, analysis: Analysis) -> int:
    """The row of a pair in the table of all pairs."""
    found = analysis.pairs.find(*(analysis.units.index(name) for name in (pair.system_a, pair.system_b)))
    assert found is not None
    return found


def _label(labels: tuple[str, ...], analysis: Analysis, *, most: bool) -> str:
    """The label column to group by: first the one of most values (documents), or of fewest (domains)."""
    columns = analysis.units.labels
    ordered = sorted(labels, key=lambda name: len(set(columns[name])), reverse=most)
    return str(st.selectbox("By", ordered, key=f"closer label {most}", width=260))


def _units(pair: PairResult, analysis: Analysis) -> None:
    driving = driving_units(analysis, row_of(pair, analysis))
    wanted = st.text_input("Search in ids and labels", key="closer search", placeholder="part of a text")
    frame, titles = units_table(analysis.units, driving, pair, wanted)
    if analysis.units.solved_or_not:
        frame = choose_solved(frame, pair, lower_is_better=analysis.scores.lower_is_better)
    total = len(frame)
    st.caption(
        f"{count_of(total, 'item')}, largest differences first; a click on a column's title sorts by it."
        + (f" The first {MOST_LISTED:,} are listed." if total > MOST_LISTED else "")
    )
    draw_frame(
        frame.head(MOST_LISTED),
        f"Items of {pair.system_a} and {pair.system_b} by the size of their difference.",
        column_config={key: st.column_config.Column(label=title) for key, title in titles.items()},
        height=tall(total),
    )


def _scatter(pair: PairResult, analysis: Analysis) -> None:
    from dashboard.figures.scatter import scatter_figure

    driving = driving_units(analysis, row_of(pair, analysis))
    a, b = markdown(pair.system_a), markdown(pair.system_b)
    st.caption(f"● {a} is better · ◆ {b} is better · ■ equal; larger marks hold more items.")
    st.plotly_chart(
        scatter_figure(
            points(driving.score_a, driving.score_b),
            pair.system_a,
            pair.system_b,
            analysis.units.unit_names(driving.rows),
            lower_is_better=analysis.scores.lower_is_better,
        ),
        key="closer scatter",
        config=CHART_CONFIG,
        alt=f"Scores of {pair.system_a} against {pair.system_b} on {pair.n_units:,} items.",
    )


def _leave_one_out(pair: PairResult, analysis: Analysis, label: str) -> None:
    st.info(EXPLORATION, icon=":material/travel_explore:")
    answer = ask_left_out(analysis, row_of(pair, analysis), label)
    groups = delivered(answer, f"Leaving out one {markdown(label)} at a time")
    if groups is not None:
        st.markdown(markdown(left_out_sentence(groups, pair, analysis.config.alpha)))
        order = np.argsort(-np.abs(groups.difference - pair.difference), kind="stable")
        _draw_groups(groups, order, pair, analysis, "Difference without it")


def _slices(pair: PairResult, analysis: Analysis, label: str) -> None:
    st.info(EXPLORATION, icon=":material/travel_explore:")
    groups = slices(analysis, row_of(pair, analysis), label)
    st.markdown(markdown(slices_sentence(groups, pair)))
    if label == analysis.config.block_column:
        st.caption("Each slice is one document, so it has no interval over documents.")
    _draw_groups(groups, np.argsort(-groups.n_units, kind="stable"), pair, analysis, "Difference")


def _draw_groups(groups: Groups, order: IntArray, pair: PairResult, analysis: Analysis, title: str) -> None:
    from dashboard.figures.slices import groups_figure

    first = order[:MOST_PLOTTED]
    if len(first) < len(groups):
        st.caption(f"The plot shows the first {len(first)} of {len(groups):,}; the table holds all.")
    st.plotly_chart(
        groups_figure(groups, first, whole=pair.difference, title=f"{title}, first − second"),
        key="closer groups",
        config=STILL_CONFIG,
        alt=f"{title} by {groups.label}, with intervals; the table below has the numbers.",
    )
    st.caption("Solid line: no difference. Dashed line: the difference over all items.")
    draw_frame(groups_table(groups, order, title, analysis.config.alpha), height=tall(len(groups)))
