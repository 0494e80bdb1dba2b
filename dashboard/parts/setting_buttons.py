"""Buttons that change one setting: whole documents or single items, one question for the whole board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.facts import known_facts
from dashboard.text import markdown
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import NONE, RECOMMENDED

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

NOTE = "tests-chosen-from-data"


def draw_documents(analysis: Analysis) -> None:
    """One click from documents to independent units and back, where the scores name documents."""
    used, test = analysis.config.block_column, analysis.config.test
    if used is not None:
        if test == RECOMMENDED or TESTS[test].design != "blocks":  # tests of documents need some
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"Compared in whole documents (column {markdown(used)}).", width="content")
                st.button(
                    "Undo: treat all items as independent",
                    on_click=_use_blocks,
                    args=(NONE,),
                    key="use units",
                    type="tertiary",
                    help="Items of one document are alike. If they are treated as independent, too many "
                    "pairs seem to differ.",
                )
        return
    column = known_facts(analysis.scores).proposed_block
    if column is not None:
        st.button(
            f"Compare whole documents (column {markdown(column)})",
            on_click=_use_blocks,
            args=(column,),
            key="use blocks",
            help="Items of one document aren't independent of each other.",
        )


def _use_blocks(column: str) -> None:
    st.session_state["block_column"] = column


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
