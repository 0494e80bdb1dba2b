"""Draws how one system stands to the others: a forest plot against a baseline, or a table of its pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.figures.system_pairs import (
    BETTER,
    EQUIVALENT,
    NOT_COMPARED,
    UNDECIDED,
    WORSE,
    Standing,
    standing,
    standing_table,
)
from dashboard.parts.folded import fold
from dashboard.parts.open_pair import finish_double_click, open_pair
from dashboard.parts.result_table import decimal_format, first_rows_high
from dashboard.session.address import link_to_pair
from dashboard.session.state import session
from dashboard.text import NO_VALUE, markdown, short
from dashboard.theme import CHART_CONFIG
from nlpstat_core.report.wording import headline

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

MOST_PLOTTED = 60
MOST_ROWS = 15


def known_standing(analysis: Analysis, system: str, *, others_first: bool = False) -> Standing:
    """How a system stands, made once per analysis."""
    key = ("standing", analysis.fingerprint, analysis.config, system, others_first)
    found: Standing = session().drawing(key, lambda: standing(analysis, system, others_first=others_first))
    return found


def draw_forest(analysis: Analysis, key: str, *, table: bool = False) -> None:
    """Every system's difference to the baseline with its interval; a mark opens the pair.

    analysis: With a baseline.
    table: Whether the same stands below as a table.
    """
    from dashboard.figures.forest import forest_figure

    baseline = str(analysis.config.baseline)
    found = known_standing(analysis, baseline, others_first=True)
    shown = found
    if len(found) > MOST_PLOTTED and not st.toggle(f"Plot all {len(found)} systems", key=f"all {key}"):
        shown = found.first(MOST_PLOTTED)
    config = analysis.config
    event = st.plotly_chart(
        session().drawing(
            ("forest", analysis.fingerprint, config, len(shown)),
            lambda: forest_figure(shown, level=config.level, margin=config.equivalence_margin),
        ),
        key=key,
        on_select="rerun",
        selection_mode="points",
        config=CHART_CONFIG,
        alt=f"Difference of every system to {baseline} with its interval. {headline(analysis)}",
    )
    st.caption(
        "▲ better than the baseline · ▼ worse · ◆ equivalent · ○ undecided. Select a mark to see its pair."
    )
    points = event["selection"]["points"]
    if points and 0 <= round(points[0]["y"]) < len(shown):
        open_pair(analysis, shown.other[round(points[0]["y"])], baseline)
    else:
        finish_double_click()
    if table:
        fold("The same as a table (for keyboard and screen reader)", key, _draw_rows, analysis, found, key)


def draw_pairs_of(analysis: Analysis, system: str, key: str) -> None:
    """The pairs of one system: how many it beats, and every pair as a row that can be opened."""
    against = analysis.config.baseline is not None
    found = known_standing(analysis, system, others_first=against and system == analysis.config.baseline)
    st.markdown(f"**{markdown(counts_sentence(found))}**")
    if analysis.leaderboard.letters is not None:
        letters = dict(zip(analysis.leaderboard.system, analysis.leaderboard.letters, strict=True))
        if len(letters[system]) > 1:
            st.caption(f"Letters: {letters[system]}")
    _draw_rows(analysis, found, f"{key} of {system}")


def counts_sentence(found: Standing) -> str:
    """How many systems one is better than, worse than, or neither."""
    if found.swapped:
        better, worse = found.count(BETTER), found.count(WORSE)
        text = f"{better:,} better than {found.system}, {worse:,} worse"
    else:
        text = f"{found.system} is better than {found.count(BETTER):,}, worse than {found.count(WORSE):,}"
    equivalent = found.count(EQUIVALENT)
    if equivalent:
        text += f", equivalent to {equivalent:,}"
    text += f"; {found.count(UNDECIDED):,} undecided"
    apart = found.count(NOT_COMPARED)
    return f"{text}, {apart:,} not compared." if apart else f"{text}."


def _draw_rows(analysis: Analysis, found: Standing, key: str) -> None:
    if not len(found):
        return
    frame = standing_table(found, analysis.config)
    about = f"{'system' if found.swapped else short(found.system)} minus "
    about += short(found.system) if found.swapped else "the other"
    event = st.dataframe(
        frame,
        hide_index=True,
        height=first_rows_high(len(frame), MOST_ROWS),
        column_config={
            "Δ": st.column_config.NumberColumn(
                format=decimal_format(frame["Δ"], sign="+"), help=f"Mean score, {about}."
            )
        },
        key=f"pairs {key}",
        on_select="rerun",
        selection_mode="single-row",
        alt=f"All pairs of {found.system}. {counts_sentence(found)}",
        placeholder=NO_VALUE,
    )
    rows = event["selection"]["rows"]
    if rows and rows[0] < len(found):
        other = found.other[rows[0]]
        a, b = (other, found.system) if found.swapped else (found.system, other)
        link_to_pair(f"Open the pair {markdown(short(a))} and {markdown(short(b))}", a, b)
