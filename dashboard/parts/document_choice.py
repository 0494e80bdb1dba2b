"""Whether whole documents are compared, and one click to the other choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.facts import known_facts
from dashboard.text import markdown
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import NONE, RECOMMENDED

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


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
