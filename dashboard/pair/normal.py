"""Draws the differences of a pair against a normal distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.theme import CHART_CONFIG
from nlpstat_core.arrays import FloatArray
from nlpstat_core.formatting import format_score
from nlpstat_core.methods.diagnosis.normal_scores import normal_scores

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult


def draw_normal(pair: PairResult, difference: FloatArray, key: str) -> None:
    """The Q–Q plot of the differences."""
    from dashboard.figures.scatter import normal_figure

    st.caption("Differences of a normal distribution would lie along the dashed line.")
    st.plotly_chart(
        normal_figure(normal_scores(difference)),
        key=key,
        config=CHART_CONFIG,
        alt=f"Q–Q plot of the differences of {pair.n_units:,} items; skewness "
        f"{format_score(pair.diagnosis.skewness)}.",
    )
