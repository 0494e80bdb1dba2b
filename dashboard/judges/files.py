"""Draws the files of a judge's board, and the command line that gives the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.file_buttons import file_buttons
from nlpstat_core.report.wording.judge_command import judge_command

if TYPE_CHECKING:
    from dashboard.background.given import Correcting
    from nlpstat_core.results.judge import JudgedBoard


FILES = ("judge.json", "judge.csv", "judge_pairs.csv", "judge_checks.csv", "judge.tex")


def draw_files(found: JudgedBoard, correcting: Correcting) -> None:
    """A button a file."""
    from nlpstat_core.report.exports.documents.judge import judge_files

    st.header("Files", divider="grey")
    file_buttons(FILES, lambda: judge_files(found))
    st.markdown("The same on the command line:")
    given = correcting.given
    command = judge_command(found, (given.raw[1],), given.choices, given.chosen.lower)
    st.code(command, language=None, wrap_lines=True)
