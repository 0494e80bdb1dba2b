"""Draws which items people are to label next, with the file to hand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.file_buttons import file_button
from dashboard.parts.panels import as_information, delivered
from dashboard.parts.sidebar import KEEP
from dashboard.session.judges import ask_label_plan
from dashboard.text import markdown
from nlpstat_core.errors import shown

if TYPE_CHECKING:
    from dashboard.background.given import Correcting
    from nlpstat_core.scores.matrix import ScoreMatrix

USUAL, MOST = 20, 100_000


def draw_label_plan(scores: ScoreMatrix, correcting: Correcting, seed: int) -> None:
    """A number of labels, their strata, and the file."""
    st.header("Which items to label next", divider="grey")
    st.markdown(
        "Items are drawn at random from strata of the judge's scores, more from strata in which the judge's "
        "scores differ more between systems; every label is then weighted by its probability. Existing "
        "labels must have been drawn at random."
    )
    n_labels = st.number_input("More items to label", 1, MOST, USUAL, key="judges labels", **KEEP)
    planned = delivered(
        ask_label_plan(scores, correcting, int(n_labels), seed),
        "Drawing items to label",
        refused=as_information,
    )
    if planned is None:
        return
    st.dataframe(
        planned.strata.rename(columns=lambda head: head[:1].upper() + head[1:]),
        hide_index=True,
        column_config={
            "Judge's mean": st.column_config.NumberColumn(format="%.3f"),
            "Probability": st.column_config.NumberColumn(format="%.3f"),
        },
        alt="Strata: items, those with a label, those to label, and the probability of a label.",
    )
    file_button("label_plan.csv", planned.file)
    st.caption(
        markdown(
            f"Fill in {shown(correcting.settings['human'])} where label_next is yes, then load the whole "
            f"file again; its column stratum records how labels were drawn. Seed {seed}."
        )
    )
