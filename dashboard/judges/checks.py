"""Draws what the correction rests on: were the labelled items drawn at random, and whom the judge favours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.parts.chart_table import draw_chart
from dashboard.parts.folded import fold, folded
from dashboard.parts.result_table import draw_frame, draw_result, tall
from dashboard.text import markdown, plotly
from dashboard.theme import STILL_CONFIG
from nlpstat_core.errors import shown
from nlpstat_core.formatting import format_interval, format_p, format_score
from nlpstat_core.report.wording.judge import bias_sentence, checks_sentence

if TYPE_CHECKING:
    from nlpstat_core.results.judge import ColumnCheck, JudgedBoard

MOST_DRAWN = 40


def draw_checks(found: JudgedBoard) -> None:
    """Labelled against unlabelled items by the judge's scores and by every label column."""
    from dashboard.figures.slices import differences_figure
    from nlpstat_core.report.exports.tables.judge import checks_table

    st.header("Are the labelled items a random part?", divider="grey")
    st.markdown(markdown(checks_sentence(found)))
    checks = found.checks
    if (found.labels == found.n_items).all():
        return
    known = np.flatnonzero(~np.isnan(checks.lower))[:MOST_DRAWN]
    if known.size:
        names = ["all systems", *found.systems]
        difference = (checks.labelled - checks.unlabelled)[known]
        ends = np.stack([checks.lower, checks.upper], axis=1)[known]
        lines = [
            f"{plotly(names[i])}: labelled {format_score(float(checks.labelled[i]))}, others "
            f"{format_score(float(checks.unlabelled[i]))}<br>adjusted p "
            f"{format_p(float(checks.p_adjusted[i]), alpha=found.alpha)}"
            for i in known
        ]
        draw_chart(
            differences_figure(
                [names[i] for i in known], difference, ends, lines, title="Judge: labelled − other items"
            ),
            key="judges checks",
            config=STILL_CONFIG,
            alt="The judge's mean of labelled items less that of the others. " + checks_sentence(found),
            table=pd.DataFrame(
                {"Labelled − others": difference, "From": ends[:, 0], "To": ends[:, 1]},
                index=[names[i] for i in known],
            ),
        )
    for one in checks.columns:
        fold(f"By {markdown(shown(one.name))}{_found(one)}", f"judges column {one.name}", _draw_column, one)
    with folded("All checks as a table", "judges checks table") as opened:
        if opened:
            draw_result(checks_table(found), alt=checks_sentence(found))


def _found(one: ColumnCheck) -> str:
    return "" if np.isnan(one.p_value) else f": adjusted p {format_p(one.p_adjusted, alpha=None)}"


def _draw_column(one: ColumnCheck) -> None:
    """Shares of labelled items of every value."""
    every = one.labelled + one.unlabelled
    frame = pd.DataFrame(
        {"Value": one.kinds, "Labelled": one.labelled, "All": every, "Share": 100 * one.labelled / every}
    )
    draw_frame(
        frame,
        f"Labelled items by {one.name}.",
        column_config={
            "Share": st.column_config.ProgressColumn(
                "Labelled share", format="%.0f %%", min_value=0, max_value=100
            )
        },
    )


def draw_bias(found: JudgedBoard) -> None:
    """What the judge gives every system more than the others."""
    from dashboard.figures.slices import differences_figure
    from nlpstat_core.report.exports.tables.judge import bias_table

    st.header("Whom the judge favours", divider="grey")
    st.markdown(markdown(bias_sentence(found)))
    if np.isnan(found.bias).all():
        return
    order = np.argsort(-found.bias, kind="stable")
    order = order[~np.isnan(found.bias_lower[order])][:MOST_DRAWN]
    ends = np.stack([found.bias_lower, found.bias_upper], axis=1)[order]
    lines = [
        f"{plotly(found.systems[i])}: {format_score(float(found.bias[i]))}<br>interval "
        f"{format_interval(float(found.bias_lower[i]), float(found.bias_upper[i]))}<br>adjusted p "
        f"{format_p(float(found.bias_p[i]), alpha=found.alpha)}"
        for i in order
    ]
    st.plotly_chart(
        differences_figure(
            [found.systems[i] for i in order], found.bias[order], ends, lines, title="Judge − people"
        ),
        key="judges bias",
        config=STILL_CONFIG,
        alt=bias_sentence(found),
    )
    draw_result(bias_table(found), alt=bias_sentence(found), height=tall(len(found.systems), 12))
