"""Draws what the scores of a pair look like, and which test that recommends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.figures.bins import bin_edges, bins
from dashboard.pair.solved_units import draw_solved
from dashboard.pair.tables import normality_table, summary_table
from dashboard.parts.folded import folded
from dashboard.text import markdown
from dashboard.theme import BLUE, CHART_CONFIG, ORANGE, PURPLE, STILL_CONFIG
from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.formatting import format_score, p_equals
from nlpstat_core.methods.diagnosis.lists import Diagnosis
from nlpstat_core.methods.diagnosis.normality import normal_scores
from nlpstat_core.report.wording import (
    association_text,
    label_of_test,
    single_units_sentence,
    variance_sentence,
)

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis


def draw_data(pair: PairResult, u: FloatArray, v: FloatArray, *, solved: bool, lower_is_better: bool) -> None:
    """Step 1: what the scores and their differences look like.

    u, v: Scores of a and b on the units that were compared.
    solved: Whether scores are 0 and 1, so that units are solved or not.
    """
    st.header("1. The data", divider="grey")
    if u.size == 0 or v.size == 0:
        st.info("These two systems share no item.")
        return
    unpaired = pair.diagnosis.variances is not None
    if unpaired:
        st.markdown(
            f"Independent samples: **{u.size:,}** items of {markdown(pair.system_a)}, **{v.size:,}** of "
            f"{markdown(pair.system_b)}."
        )
        if (table := association_text(u, v)) is not None:
            st.markdown(markdown(table))
    else:
        wins, losses = int(np.count_nonzero(u > v)), int(np.count_nonzero(u < v))
        st.markdown(
            f"{markdown(pair.system_a)} scores higher on **{wins:,}** items, {markdown(pair.system_b)} on "
            f"**{losses:,}**; they tie on **{u.size - wins - losses:,}**."
        )
    if solved and not unpaired:
        draw_solved(pair, u, v, lower_is_better=lower_is_better)  # two bars of 0 and 1 say nothing more
    else:
        _draw_histograms(pair, u, v, unpaired=unpaired)
    with folded("Quartiles, skewness and Q–Q plot", "shape of the pair") as opened:
        if opened:
            st.table(summary_table(pair.diagnosis, pair.system_a, pair.system_b), border="horizontal")
            if not unpaired:
                draw_normal(pair, u - v, "shape qq")


def _draw_histograms(pair: PairResult, u: FloatArray, v: FloatArray, *, unpaired: bool) -> None:
    """How the scores of both systems, and their differences, are spread."""
    from dashboard.figures.histograms import histogram_figure

    edges = bin_edges(np.concatenate([u, v]))
    of_u, of_v = bins(u, edges), bins(v, edges)
    top = int(max(of_u.counts.max(), of_v.counts.max()))  # one axis, so that heights can be compared
    shown = (
        (pair.system_a, u, of_u, BLUE, top),
        (pair.system_b, v, of_v, ORANGE, top),
        *(() if unpaired else (("Difference per item", u - v, bins(u - v), PURPLE, None),)),
    )
    for column, (name, values, counted, colour, most) in zip(st.columns(len(shown)), shown, strict=True):
        mean = float(values.mean())
        column.plotly_chart(
            histogram_figure(counted, name=name, colour=colour, mean=mean, zero=most is None, top=most),
            key=f"histogram {colour}",
            config=STILL_CONFIG,
            alt=f"Histogram of {name}: {values.size:,} items, mean {format_score(mean)}.",
        )


def draw_diagnosis(pair: PairResult, analysis: Analysis) -> None:
    """Step 2: skewness, normality and the three lists of tests, each with its reason."""
    if analysis.units.measured is None:
        st.header("2. Which test suits these differences?", divider="grey")
    else:
        name = markdown(analysis.units.measured.label)
        st.header(f"2. Which test suits {name}?", divider="grey")
    diagnosis, config = pair.diagnosis, analysis.config
    if diagnosis.variances is not None:
        st.markdown(markdown(variance_sentence(diagnosis.variances)))
    if analysis.units.measured is not None:  # every other test is about scores of items
        st.markdown(
            "\n".join(
                f"* *{label_of_test(key)}*: {markdown(diagnosis.reasons[key])}"
                for key in diagnosis.lists.recommended
            )
        )
        return
    if pair.n_units:
        _draw_shape(diagnosis, config)
        if (text := single_units_sentence(config)) is not None:
            st.caption(markdown(text))
    lists = (
        ("Recommended", diagnosis.lists.recommended),
        ("Possible, not preferred", diagnosis.lists.non_preferred),
        ("Not appropriate", diagnosis.lists.inappropriate),
    )
    for title, keys in lists:
        if keys:
            st.markdown(f"**{title}**")
            reasons = [f"* *{label_of_test(key)}*: {markdown(diagnosis.reasons[key])}" for key in keys]
            st.markdown("\n".join(reasons))
    if pair.n_units:
        with folded("All tests of normality", "normality") as opened:
            if opened:
                st.table(
                    normality_table(diagnosis, config.normality_alpha), border="horizontal", hide_index=True
                )


def _draw_shape(diagnosis: Diagnosis, config: AnalysisConfig) -> None:
    """Skewness and normality of the differences in a sentence."""
    slight, high = config.skewness_limits
    centre = diagnosis.central_tendency or "neither mean nor median"
    st.markdown(
        f"**Skewness** {format_score(diagnosis.skewness)} (slight from ±{slight:g}, high from ±{high:g}): "
        f"the {centre} describes the differences better, whatever the test asks about. "
        "**Normality** (Shapiro–Wilk): "
        + (
            f"{p_equals(diagnosis.normality_p, alpha=config.normality_alpha)}, level "
            f"{config.normality_alpha:g}."
            if np.isfinite(diagnosis.normality_p)
            else "not needed here, skewness or 0/1 scores decide already."
        )
    )


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
