"""Draws every system's difference from the best one, or from the baseline, with simultaneous intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.figures.system_pairs import pairs_with
from dashboard.parts.result_table import draw_result, tall
from dashboard.text import markdown, plotly, short
from dashboard.theme import STILL_CONFIG
from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.report.exports.tables import table
from nlpstat_core.report.exports.tables.pairs import difference_decimals

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

MOST_PLOTTED = 60


def draw_simultaneous(analysis: Analysis) -> None:
    """The plot and its table; nothing where the settings don't name simultaneous intervals."""
    if analysis.pairs.interval_simultaneous is None:
        return
    from dashboard.figures.slices import differences_figure

    found = differences_from_reference(analysis)
    reference, level = _reference(analysis), f"{100 * analysis.config.level:g} %"
    st.header("Differences with simultaneous intervals", divider="grey")
    st.markdown(
        f"Every system minus {markdown(reference)}. The intervals of all "
        f"{analysis.family_size:,} compared pairs hold simultaneously: with {level} confidence all of them "
        "contain their true differences."
    )
    names, difference = found["System"].tolist(), found["Difference"].to_numpy()
    ends = found[["Low", "High"]].to_numpy()
    first = slice(0, MOST_PLOTTED)
    if len(names) > MOST_PLOTTED:
        st.caption(f"The plot shows the first {MOST_PLOTTED} of {len(names):,}; the table holds all.")
    lines = [
        f"{plotly(short(name, 60))}: {format_score(float(value))}<br>"
        f"simultaneous interval {format_interval(float(low), float(high))}"
        for name, value, (low, high) in zip(names[first], difference[first], ends[first], strict=True)
    ]
    st.plotly_chart(
        differences_figure(
            names[first], difference[first], ends[first], lines, title=f"Difference from {short(reference)}"
        ),
        key="simultaneous plot",
        config=STILL_CONFIG,
        alt=f"Differences from {reference} with simultaneous intervals; the table below has the numbers.",
    )
    decimals = difference_decimals(analysis, ends)
    columns = (
        table.names("System", names),
        table.fixed("Difference", difference, decimals),
        table.intervals(f"Simultaneous {level} interval", ends, decimals),
    )
    draw_result(
        table.Table("", columns),
        f"Differences from {reference} with simultaneous intervals.",
        height=tall(len(names)),
    )


def differences_from_reference(analysis: Analysis) -> pd.DataFrame:
    """Every other system minus the baseline, or minus the system on top, in the order of the leaderboard.

    analysis: With simultaneous intervals.
    Returns: Columns System, Difference, Low and High.
    """
    pairs = analysis.pairs
    assert pairs.interval_simultaneous is not None
    rows, other, swapped = pairs_with(analysis, _reference(analysis))
    low, high = pairs.interval_simultaneous[rows].T
    return pd.DataFrame(
        {
            "System": [pairs.systems[i] for i in other],
            "Difference": np.where(swapped, 0.0 - pairs.difference[rows], pairs.difference[rows]),
            "Low": np.where(swapped, 0.0 - high, low),
            "High": np.where(swapped, 0.0 - low, high),
        }
    )


def _reference(analysis: Analysis) -> str:
    return analysis.config.baseline or analysis.leaderboard.system[0]
