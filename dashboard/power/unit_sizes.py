"""Draws the spread of a pair by the size of the evaluation unit, and the design effect of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background import power_tasks
from dashboard.parts.chart_table import draw_chart
from dashboard.parts.panels import delivered
from dashboard.parts.sidebar import KEEP
from dashboard.session.results import ask
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.formatting import format_score
from nlpstat_core.power import UnitSizes

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

UNIT_SIZES = "unit sizes"
FEWEST_DOCUMENTS = 10
CHEAP_ROWS = 20_000  # joined in less than a second


def draw_unit_sizes(analysis: Analysis, a: str, b: str) -> None:
    """Spread by the size of the evaluation unit, and how alike rows of a document are."""
    st.markdown("**Rows per item**")
    if a == b:
        return
    epsilon = st.number_input(
        "Tolerance ε of the standard deviation",
        value=None,
        min_value=0.0,
        format="%g",
        placeholder="1 % of the spread of single rows",
        key="unit tolerance",
        **KEEP,
    )
    config, scores = analysis.config, analysis.scores
    columns = [config.block_column] if config.block_column else _documents(analysis)

    key = (analysis.fingerprint, a, b, epsilon, config.unit_metric, config.unit_remainder, tuple(columns))
    answer = ask(
        UNIT_SIZES,
        key,
        power_tasks.unit_sizes,
        scores,
        a,
        b,
        epsilon,
        config,
        columns,
        quick=scores.n_units <= CHEAP_ROWS,
    )
    found = delivered(answer, "Joining rows")
    if found is not None:
        _show_unit_sizes(*found)


def _documents(analysis: Analysis) -> list[str]:
    """Label columns that could name documents: neither a handful of groups nor one for every row."""
    scores = analysis.scores
    sizes = {name: len(set(column)) for name, column in scores.labels.items()}
    return [name for name, groups in sizes.items() if FEWEST_DOCUMENTS <= groups < scores.n_units][:3]


def _show_unit_sizes(sizes: UnitSizes, documents: dict[str, tuple[float, float]]) -> None:
    from dashboard.figures.power import unit_size_figure

    draw_chart(
        unit_size_figure(sizes),
        key="unit sizes",
        config=STILL_CONFIG,
        alt="Standard deviation of the differences by rows per item.",
    )
    stable = ", ".join(f"{size}" for size in sizes.stable) or "none"
    last = -1
    st.markdown(
        "Smallest numbers of rows per item at which the standard deviation changes by at most ε = "
        f"{format_score(sizes.epsilon)} from the previous size: **{stable}**. With "
        f"{sizes.sizes[last]} rows per item, the variance of the mean is "
        f"{format_score(float(sizes.design_effect[last]))} times that of independent rows (after shuffling "
        f"{format_score(float(sizes.design_effect_shuffled[last]))} times). If the first number is clearly "
        "above 1, neighbouring rows are alike, and shuffling only hides it."
    )
    for name, (plain, shuffled) in documents.items():
        st.markdown(
            f"Design effect of **{markdown(name)}**: {format_score(plain)} (shuffled "
            f"{format_score(shuffled)}): so many times more rows are needed than if they were independent."
        )
