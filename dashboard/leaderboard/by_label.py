"""Draws every system on every label of gold, where a board comes from gold and outputs with labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.parts.folded import folded
from dashboard.parts.panels import as_information, delivered
from dashboard.parts.result_table import draw_frame
from dashboard.session.state import session
from dashboard.session.submissions import ask_by_label
from dashboard.text import markdown, printable
from nlpstat_core.formatting import format_fixed_interval, interval_decimals

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.board.submissions.by_label import LabelScores

F1, PRECISION, RECALL = "F1", "Precision", "Recall"
MOST_COLUMNS = 40


def draw_by_label(analysis: Analysis) -> None:
    """The fold; nothing where there are no labels."""
    given = session().submitted
    if given is None or given.outputs.kind not in ("labels", "tags"):
        return
    one = "type of span" if given.outputs.kind == "tags" else "label"
    with folded(f"F1, precision and recall by {one}", "by label") as opened:
        if not opened:
            return
        found = delivered(ask_by_label(analysis), "Counting by label", refused=as_information)
        if found is not None:
            counted = "Items with each gold label" if one == "label" else "Spans of each type in gold"
            _draw(found, analysis, counted)


def _draw(found: LabelScores, analysis: Analysis, counted: str) -> None:
    what = st.segmented_control(
        "Show", [F1, PRECISION, RECALL], default=F1, required=True, key="by label what"
    )
    frame = label_frame(found, analysis.leaderboard.system, what or F1)
    draw_frame(
        frame,
        f"{what} of every system by label.",
        column_config={
            str(name): st.column_config.NumberColumn(format="%.3f")
            for name in frame
            if frame[name].dtype.kind == "f"
        },
    )
    level = f"{100 * analysis.config.level:g}"
    text = f"{counted}: {_support(found)}."
    if what == F1:
        text += f" In brackets the {level} % interval of each F1 alone: jackknife, not adjusted."
    if len(found.labels) > MOST_COLUMNS:
        text += f" The {MOST_COLUMNS} most frequent of {len(found.labels)} labels are shown."
    st.caption(markdown(text))


def _support(found: LabelScores) -> str:
    return ", ".join(f"{found.labels[i]} {int(found.support[i]):,}" for i in _frequent(found))


def _frequent(found: LabelScores) -> list[int]:
    order = np.argsort(-found.support, kind="stable")[:MOST_COLUMNS]
    return [int(place) for place in order]


def label_frame(found: LabelScores, systems: tuple[str, ...], what: str) -> pd.DataFrame:
    """One row per system, in the order given; one column a label, the most frequent first.

    what: F1 comes with its interval, as text.
    """
    rows = [found.systems.index(system) for system in systems]
    columns: dict[str, object] = {"System": [printable(system) for system in systems]}
    values = {F1: found.f1, PRECISION: found.precision, RECALL: found.recall}[what]
    places = max(2, interval_decimals(np.stack([found.low.ravel(), found.high.ravel()], axis=1)))
    for label in _frequent(found):
        column = values[rows, label]
        if what == F1:
            ends = zip(found.low[rows, label].tolist(), found.high[rows, label].tolist(), strict=True)
            texts = [format_fixed_interval(low, high, places) for low, high in ends]
            cells = [f"{value:.{places}f} {text}" for value, text in zip(column, texts, strict=True)]
            columns[f"{printable(found.labels[label])} "] = cells
        else:
            columns[f"{printable(found.labels[label])} "] = column
    return pd.DataFrame(columns)
