"""Draws which metric agrees with people: the answer, all metrics, pairs of metrics, disagreements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.parts.chart_table import draw_chart
from dashboard.parts.file_buttons import file_buttons
from dashboard.parts.panels import as_error, delivered, show_problems, show_remarks
from dashboard.parts.result_table import draw_frame, tall
from dashboard.parts.several_metrics import guessed_human, metrics_or_needs
from dashboard.parts.sidebar import KEEP
from dashboard.session.judged_metrics import (
    EXCHANGE,
    HUMAN,
    ask_agreement,
    ask_judged,
    judged_by,
)
from dashboard.session.results import chosen_config
from dashboard.session.state import session
from dashboard.text import in_app, markdown
from dashboard.theme import CHART_CONFIG, palette_of
from nlpstat_core.errors import NlpstatError, shown
from nlpstat_core.methods.correlation.perm_both import Exchange
from nlpstat_core.report.wording.metrics import LABELS, disagreement_sentence, headline

if TYPE_CHECKING:
    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation

LOWER = "metrics lower"
EXCHANGES: dict[Exchange, str] = {"cells": "these systems", "systems": "systems like these"}
NEEDS = (
    "This page needs the scores of several metrics for the same systems and items, one of them given by "
    "people: a table with the columns `system`, `item` and one column per metric, such as `MQM`, `BLEU` and "
    "`COMET`, or a sheet or file per metric."
)
EXAMPLE = "system,item,MQM,BLEU,COMET\nsysA,1,-2,31.5,0.81\nsysB,1,-5,28.0,0.74"
FILES = ("metrics.json", "metrics.csv", "comparisons.csv", "metrics.tex")


def draw_metrics() -> None:
    """The whole page."""
    names = metrics_or_needs(NEEDS, EXAMPLE)
    scores = session().scores
    if not names or scores is None:
        return
    human, exchange = _choose(names)
    if human is None:
        return
    try:
        judging = judged_by(scores, chosen_config(), human, exchange)
    except NlpstatError as error:
        as_error(in_app(error.sentence))
        return
    assert judging is not None
    answer = ask_judged(scores, judging)
    if answer.job is not None:
        soon = ask_agreement(scores, judging)
        if soon.job is not None:
            delivered(soon, "Computing the agreement of every metric with people")
        elif soon.value is not None:
            _draw_agreement(soon.value)
    found = delivered(answer, "Comparing metrics with each other")
    if found is not None:
        _draw_directions(found)
        draw_found(found)


def _draw_agreement(found: dict[str, dict[str, float]]) -> None:
    """What is known before metrics have been compared: how well each orders systems as people do.

    found: Statistics by metric.
    """
    if not found:
        return
    st.caption("So far: agreement on whole systems. The rest is still being computed.")
    frame = pd.DataFrame(found.values(), index=list(found))
    frame = frame.sort_values(list(frame.columns), ascending=False).rename(columns=LABELS)
    draw_frame(
        frame.rename_axis("Metric").reset_index(),
        "Agreement of every metric with people on whole systems.",
        column_config={
            label: st.column_config.NumberColumn(format="%.3f") for label in map(str, frame.columns)
        },
    )


def _draw_directions(found: MetaEvaluation) -> None:
    """Which metrics are better when lower, the human one among them, for the user to change."""
    names = [found.human.name, *found.metrics]
    lower = [name for name in names if name in found.judged.lower]
    st.session_state[LOWER] = lower
    st.multiselect(
        "Lower is better for",
        names,
        key=LOWER,
        on_change=_tell_directions,
        help="Guessed from the names; a metric with the wrong direction would seem to disagree with people.",
    )


def _tell_directions() -> None:
    session().lower["metric"] = tuple(st.session_state[LOWER])


def _choose(names: list[str]) -> tuple[str | None, Exchange]:
    """The human metric, guessed until it is told, and what comparisons of metrics are about."""
    guess, why = guessed_human(names)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        human: str | None = st.selectbox("Given by people", names, index=guess, key=HUMAN, **KEEP)
        exchange = st.segmented_control(
            "Metrics are compared for",
            list(EXCHANGES),
            format_func=EXCHANGES.__getitem__,
            default="cells",
            required=True,
            key=EXCHANGE,
            help="These systems: scores of single systems and items are exchanged between two metrics "
            "(PERM-BOTH). Systems like these: all scores of a system together; with few systems little can "
            "be told.",
            **KEEP,
        )
    if guess is None or human == names[guess]:
        st.caption(markdown(why))
    return human, exchange


def draw_found(found: MetaEvaluation) -> None:
    """Everything about the metrics."""
    statistic = st.selectbox(
        "Agreement by", list(LABELS), format_func=LABELS.__getitem__, key="metrics statistic", **KEEP
    )
    with st.container(border=True):
        st.markdown(f"**{markdown(headline(found, statistic))}**")
        st.caption("Metrics in one cluster are not separated; the correction is over all pairs of metrics.")
    show_problems(found.notes)
    _draw_table(found, statistic)
    if len(found.metrics) > 1:
        _draw_pairs(found, statistic)
    _draw_one(found)
    st.header("Where a metric and people disagree", divider="grey")
    st.markdown(markdown(disagreement_sentence(found)))
    if found.disagreements:
        rows = [
            [one.metric, one.people_prefer, one.metric_prefers, one.p_human, one.p_metric]
            for one in found.disagreements
        ]
        columns = [
            "Metric",
            "People prefer",
            "The metric prefers",
            "Adjusted p (people)",
            "Adjusted p (metric)",
        ]
        draw_frame(pd.DataFrame(rows, columns=columns), disagreement_sentence(found), height=tall(len(rows)))
    show_remarks(found.notes, about="on the metrics")
    _draw_downloads(found)
    st.caption(f"Settings {markdown(found.signature)}")


def _order(found: MetaEvaluation, statistic: str) -> list[int]:
    return [int(i) for i in np.argsort(-found.values(statistic), kind="stable")]


def _draw_table(found: MetaEvaluation, statistic: str) -> None:
    order = _order(found, statistic)
    ranks = found.ranks(statistic)
    clusters = {rank: place for place, rank in enumerate(sorted({*ranks[ranks > 0].tolist()}), start=1)}
    columns: dict[str, object] = {
        "Cluster": [clusters.get(int(ranks[i])) for i in order],
        "Metric": [found.metrics[i] for i in order],
    }
    for name in (statistic, *(other for other in LABELS if other != statistic)):
        columns[LABELS[name]] = found.values(name)[order]
        if name == statistic:
            columns["from"] = [found.found[i].lower[name] for i in order]
            columns["to"] = [found.found[i].upper[name] for i in order]
    frame = pd.DataFrame(columns)
    if frame["from"].isna().all():
        frame = frame.drop(columns=["from", "to"])
    numbers = {
        str(name): st.column_config.NumberColumn(format="%.3f")
        for name in frame
        if name not in ("Cluster", "Metric")
    }
    draw_frame(
        frame,
        f"All metrics. {headline(found, statistic)}",
        column_config=numbers,
        height=tall(len(frame), 12),
    )
    if "from" not in frame:
        return
    level = 100 * (1 - found.alpha)
    st.caption(f"From and to: {level:g} % interval over resampled items.")


def _draw_pairs(found: MetaEvaluation, statistic: str) -> None:
    from dashboard.figures.metrics import metric_pairs_figure

    st.header("Metric against metric", divider="grey")
    p = np.full((len(found.metrics),) * 2, np.nan)
    p[found.left, found.right] = p[found.right, found.left] = found.p_adjusted[statistic]
    if np.isnan(p).all():
        st.info(f"{LABELS[statistic]} has no test of two metrics here; choose another statistic above.")
        return
    order = _order(found, statistic)
    st.caption("Blue: the two are found to differ. ▲ the row agrees better with people, ▼ the column.")
    names, p = [found.metrics[i] for i in order], p[np.ix_(order, order)]
    draw_chart(
        metric_pairs_figure(names, p, found.alpha, palette=palette_of(st.context.theme.type)),
        key="metrics pairs",
        config=CHART_CONFIG,
        alt=f"Adjusted p of all pairs of metrics by {LABELS[statistic]}.",
        table=pd.DataFrame(p, index=names, columns=names),
    )


def _draw_one(found: MetaEvaluation) -> None:
    from dashboard.figures.metrics import segments_figure, systems_figure

    st.header("One metric beside people", divider="grey")
    name = st.selectbox("Metric", list(found.metrics), key="metrics one", **KEEP)
    place = found.metrics.index(name)
    one = found.found[place]
    there = ~np.isnan(found.judged.scores[place])
    if not there.any():
        st.info(f"{markdown(shown(name))} has no score that people judged.")
        return
    left, right = st.columns(2)
    with left:
        st.markdown("**Systems**")
        draw_chart(
            systems_figure(
                found.judged.systems,
                one.human_scores,
                one.system_scores,
                name,
                palette_of(st.context.theme.type),
            ),
            key="metrics systems",
            config=CHART_CONFIG,
            alt=f"Every system by people and by {name}.",
            table=pd.DataFrame(
                {"People": one.human_scores, name: one.system_scores}, index=found.judged.systems
            ),
        )
    with right:
        st.markdown("**Single items**")
        st.plotly_chart(
            segments_figure(
                found.judged.human[there],
                found.judged.scores[place][there],
                name,
                palette_of(st.context.theme.type),
            ),
            key="metrics segments",
            config=CHART_CONFIG,
            alt=f"Density of single scores by people and by {name}.",
        )


def _draw_downloads(found: MetaEvaluation) -> None:
    from nlpstat_core.report.exports.documents.metrics import metrics_files

    file_buttons(FILES, lambda: metrics_files(found))
