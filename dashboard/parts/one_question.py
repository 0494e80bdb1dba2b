"""Says that each pair was asked its own question, and offers one question for the whole board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import markdown
from nlpstat_core.config import RECOMMENDED

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

NOTE = "tests-chosen-from-data"


def draw_chosen_from_data(analysis: Analysis) -> None:
    """The sentence and the button; nothing where all pairs are asked the same."""
    config = analysis.config
    if config.test != RECOMMENDED or config.question == "mean":
        return
    text = next((note.text for note in analysis.notes if note.code == NOTE), "")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(markdown(text))
        st.button(
            "Ask all pairs about the mean",
            key="one question",
            on_click=_ask_about_means,
            help="One question for the whole board, asked before looking at the data.",
        )


def _ask_about_means() -> None:
    st.session_state["question"] = "mean"
