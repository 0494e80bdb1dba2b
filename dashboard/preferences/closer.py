"""Draws a closer look at a board of preferences: a pair, fit, order and style, other choices, plans, Elo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.parts.file_buttons import file_buttons
from dashboard.parts.folded import folded
from dashboard.parts.panels import delivered, show_remarks
from dashboard.parts.result_table import draw_frame, draw_result, tall
from dashboard.parts.sidebar import KEEP
from dashboard.session.preferences import (
    Ranking,
    ask_between,
    ask_checked,
    ask_elo,
)
from dashboard.text import NO_VALUE, markdown
from dashboard.theme import BLUE, CHART_CONFIG, GREY, ORANGE, PURPLE, SKY
from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, format_fixed, format_interval, format_score, p_equals
from nlpstat_core.report.wording.preferences import (
    ELO as WHY_NO_BOARD,
)
from nlpstat_core.report.wording.preferences import (
    PITFALLS,
    cycle_sentence,
    effect_sentence,
    fit_sentence,
    plan_sentence,
)

if TYPE_CHECKING:
    from nlpstat_core.results.preference_checks import PreferenceChecks
    from nlpstat_core.results.preferences import Preferences

A, B = "preferences a", "preferences b"
MOST_MISFIT, MOST_ELO = 20, 5
LINES = [BLUE, ORANGE, PURPLE, SKY, GREY]
FILES = ("report.html", "report.md", "preferences.json", "leaderboard.csv", "pairs.csv", "misfit.csv")


def draw_pair(board: Preferences, chosen: Ranking) -> None:
    """Two systems: what strengths say, what their own battles say, and these battles."""
    st.header("One pair", divider="grey")
    names = [board.systems[i] for i in board.order]
    for key, place in ((A, 0), (B, 1)):
        if st.session_state.get(key) not in names:
            st.session_state[key] = names[place]
    with st.container(horizontal=True):
        a: str = st.selectbox("System A", names, key=A, **KEEP)
        b: str = st.selectbox("System B", names, key=B, **KEEP)
    if a == b:
        st.info("Choose two different systems.")
        return
    left, right = board.systems.index(a), board.systems.index(b)
    row = int(board.rows_of(np.array([left]), np.array([right]))[0])
    sign = 1 if board.left[row] == left else -1
    ends = sorted((sign * float(board.pair_lower[row]), sign * float(board.pair_upper[row])))
    difference = sign * float(board.difference[row])
    share = 100 * float(board.share[left, right])
    verdict = "are found to differ" if board.significant[row] else "are not found to differ"
    st.markdown(
        markdown(
            f"{shown(a)} and {shown(b)} {verdict}: A − B {format_score(difference)}, "
            f"{100 * (1 - board.alpha):g} % interval {format_interval(*ends)} (of this pair alone), adjusted "
            f"{p_equals(float(board.p_adjusted[row]), alpha=board.alpha)}. By their strengths {shown(a)} "
            f"gets {format_fixed(share, 0)} % of the points against {shown(b)}."
        )
    )
    found = delivered(ask_between(chosen, a, b), "Looking for their battles")
    if found is None:
        return
    if not found.number:
        st.info("The two never met: the comparison rests on battles with others, and on the model.")
        return
    won, tied, lost = (one + other for one, other in zip(found.first, found.second, strict=True))
    points = format_fixed(100 * (won + tied / 2) / found.number, 0)
    st.markdown(
        markdown(
            f"In {count_of(found.number, 'battle')} between them {shown(a)} won {won:,}, {shown(b)} {lost:,}"
            f", and {tied:,} were ties: {points} % of the points for {shown(a)}."
        )
    )
    table = pd.DataFrame(
        [found.first, found.second],
        index=[f"{a} shown first", f"{b} shown first"],
        columns=[f"{a} won", "Ties", f"{b} won"],
    )
    st.dataframe(table, alt="Battles of the two by which was shown first.", placeholder=NO_VALUE)
    with folded("Their battles", "preferences battles") as opened:
        if opened:
            if found.number > len(found.listed):
                st.caption(f"The first {len(found.listed):,} of {found.number:,}.")
            draw_frame(found.listed, "Their battles.")


def draw_checks(board: Preferences, chosen: Ranking) -> None:
    """Whether the board fits its battles, what it rests on, and what would tell more."""
    st.header("Do strengths explain the battles?", divider="grey")
    checks = delivered(ask_checked(chosen, board), "Checking the board against its battles")
    if checks is None:
        return
    from nlpstat_core.report.exports.tables.preferences import (
        effects_table,
        misfit_table,
        plan_table,
        variants_table,
    )

    st.markdown(markdown(fit_sentence(checks)))
    for cycle in checks.cycles:
        st.markdown(markdown(cycle_sentence(cycle)))
    draw_result(
        misfit_table(checks, MOST_MISFIT),
        alt="Observed and fitted shares of pairs, the worst fit first.",
        height=tall(min(len(checks.left), MOST_MISFIT)),
    )
    if checks.effects:
        st.header("Order and style", divider="grey")
        for effect in checks.effects:
            st.markdown(markdown(effect_sentence(effect, checks.alpha)))
        draw_result(effects_table(checks), alt="Effects of order and style as log odds.")
        _draw_controlled(board, checks)
    if checks.variants:
        st.header("Would other choices change the board?", divider="grey")
        same = sum(not one.problem and not one.otherwise for one in checks.variants)
        st.markdown(
            f"{same:,} of {count_of(len(checks.variants), 'other choice')} decide every pair as this board "
            "does."
        )
        draw_result(variants_table(checks), alt="The board with one choice changed.")
    st.header("Next time", divider="grey")
    st.markdown(markdown(plan_sentence(checks)))
    plan = plan_table(checks)
    draw_result(plan, alt=plan.remark, height=tall(len(board.systems) - 1))
    show_remarks(checks.notes, about="on the checks")
    with st.expander("What a board of battles doesn't show"):
        for pitfall in PITFALLS:
            st.markdown(f"* {markdown(pitfall)}")
    _draw_downloads(board, checks)


def _draw_controlled(board: Preferences, checks: PreferenceChecks) -> None:
    """Strengths at equal order and style beside the raw ones."""
    if checks.controlled is None or (len(checks.effects) < 2 and checks.effects[0].p_value > checks.alpha):
        return
    order = board.order
    place = np.empty(order.size, dtype=np.int64)
    place[np.argsort(-checks.controlled, kind="stable")] = np.arange(1, order.size + 1)
    frame = pd.DataFrame(
        {
            "Rank": board.rank[order],
            "System": [board.systems[i] for i in order],
            "Strength": board.strength[order],
            "At equal order and style": checks.controlled[order],
            "Rank there": place[order],
        }
    )
    numbers = {
        name: st.column_config.NumberColumn(format="%.3f")
        for name in ("Strength", "At equal order and style")
    }
    draw_frame(
        frame, "Strengths, raw and at equal order and style.", column_config=numbers, height=tall(len(frame))
    )


def draw_elo(board: Preferences, chosen: Ranking) -> None:
    """Ratings in the order of time, with the reason why they are no board."""
    with folded("Elo ratings over time (for illustration, not a ranking)", "preferences elo") as opened:
        if not opened:
            return
        from dashboard.figures.preferences import elo_figure

        names = tuple(board.systems[i] for i in board.order[:MOST_ELO])
        paths = delivered(ask_elo(chosen, names), "Computing Elo ratings")
        if paths is None:
            return
        st.markdown(WHY_NO_BOARD)
        st.plotly_chart(
            elo_figure(paths, LINES),
            key="preferences elo chart",
            config=CHART_CONFIG,
            alt="Elo ratings of the first systems battle by battle.",
        )
        by = f"by {markdown(shown(paths.by))}" if paths.by else "in the order of the file"
        st.caption(f"Battles {by}. ✕: final ratings of the same battles in another order.")


def _draw_downloads(board: Preferences, checks: PreferenceChecks) -> None:
    from nlpstat_core.report.exports.documents.preferences import preference_files

    st.header("Report and files", divider="grey")
    file_buttons(FILES, lambda: preference_files(board, checks), "preferences ")
