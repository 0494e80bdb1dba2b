"""Draws the files of a judge's board, and the command line that gives the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from nlpstat_core.report.wording.judge import judge_command

if TYPE_CHECKING:
    from dashboard.background.given import Correcting
    from nlpstat_core.results.judge import JudgedBoard


def draw_files(found: JudgedBoard, correcting: Correcting) -> None:
    """A button a file."""
    from nlpstat_core.report.exports.documents.judge import judge_files

    st.header("Files", divider="grey")
    with st.container(horizontal=True):
        for file, mime in (
            ("judge.json", "application/json"),
            ("judge.csv", "text/csv"),
            ("judge_pairs.csv", "text/csv"),
            ("judge_checks.csv", "text/csv"),
            ("judge.tex", "text/x-tex"),
        ):
            st.download_button(
                file,
                data=lambda file=file: judge_files(found)[file].encode("utf-8"),  # type: ignore[misc]  # no type for its default
                file_name=file,
                mime=mime,
                key=f"download {file}",
                on_click="ignore",
                icon=":material/download:",
            )
    st.markdown("The same on the command line:")
    chosen = correcting.chosen.lower
    st.code(
        judge_command(found, (correcting.raw[1],), correcting.choices, chosen), language=None, wrap_lines=True
    )
