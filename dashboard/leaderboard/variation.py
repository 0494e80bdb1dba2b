"""Draws what varies where systems have several runs: components, designs, runs against runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.parts.chart_table import draw_chart
from dashboard.parts.panels import delivered
from dashboard.parts.result_table import frame_of
from dashboard.session.requests import ask_variation
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.errors import ConfigError
from nlpstat_core.report.exports.tables.runs import components
from nlpstat_core.report.wording.variation import (
    COMPONENTS,
    cheapest_sentence,
    designs_sentence,
    run_pairs_sentence,
    variation_remark,
)

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.power.variation.results import PairVariation, Variation

WHOLE = "The average pair"


def draw_variation(analysis: Analysis) -> None:
    """Components of variance, the standard error of other designs, and runs against each other."""
    if analysis.scores.runs is None:
        return
    st.header("What varies: items and runs", divider="grey")
    found = delivered(ask_variation(analysis), "Taking the variance apart")
    if found is None:
        return
    st.dataframe(
        components_table(found, analysis.leaderboard.system),
        hide_index=True,
        height="content",
        placeholder="",
        column_config={
            "System": st.column_config.TextColumn(pinned=True),
            **{label: st.column_config.NumberColumn(format="%.2e") for label in COMPONENTS.values()},
        },
        alt="Components of variance of the board and of every system.",
    )
    st.caption(variation_remark(found))
    against = run_pairs_sentence(found, analysis.config.alpha)
    if against:
        st.markdown(against)
    _designs(found)


def components_table(found: Variation, order: tuple[str, ...]) -> pd.DataFrame:
    """Components of the board, then of its systems, best first."""
    at = [found.systems.index(name) for name in order]
    pairs = zip(found.run_pairs_different[at], found.run_pairs[at], strict=True)
    frame = frame_of(components(found, order))
    frame["Pairs of its runs found to differ"] = ["", *(f"{a} of {b}" for a, b in pairs)]
    return frame


def _designs(found: Variation) -> None:
    """The picture of the standard error over items and runs, and the cheapest design."""
    st.markdown("**More items or more runs?**")
    left, right = st.columns(2)
    names = [WHOLE, *found.systems]
    a = left.selectbox("System A", names, key="variation a")
    others = [WHOLE] if a == WHOLE else [name for name in found.systems if name != a]
    b = right.selectbox("System B", others, key="variation b", disabled=a == WHOLE)
    parts = found.pair() if a == WHOLE else found.pair(a, b)
    if not np.isfinite(parts.now) or parts.now == 0:
        st.info("Nothing varies here, or too little is known of the runs.")
        return
    st.markdown(markdown(designs_sentence(parts)))
    from dashboard.figures.variation import variation_figure

    draw_chart(
        variation_figure(parts),
        key="variation plot",
        config=STILL_CONFIG,
        alt=f"Standard error of the difference by items and runs. {designs_sentence(parts)}",
    )
    _cheapest(parts)


def _cheapest(parts: PairVariation) -> None:
    wanted, per_item, per_run = st.columns(3)
    difference = wanted.number_input(
        "Difference to find",
        min_value=0.0,
        value=float(f"{2.8 * parts.now:.2g}"),
        format="%g",
        key="variation difference",
        help="With a power of 80 % at a level of 5 %.",
    )
    unit = per_item.number_input("Cost of an item", min_value=0.0, value=1.0, key="variation cost item")
    run = per_run.number_input("Cost of a run", min_value=0.0, value=1.0, key="variation cost run")
    try:
        design = parts.cheapest(difference, cost_unit=unit, cost_run=run)
    except ConfigError:
        st.info("A difference and both costs above 0 give the cheapest design.")
        return
    st.markdown(cheapest_sentence(design, difference))
