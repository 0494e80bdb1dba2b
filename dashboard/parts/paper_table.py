"""Draws the LaTeX tables that are pasted into a paper, with their copy buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import markdown
from nlpstat_core.report.exports.paper.boards import boards_paper_table
from nlpstat_core.report.exports.paper.floats import MOST_ROWS
from nlpstat_core.report.exports.paper.table import columns_of_paper_table, paper_table

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.analysis.several_boards.boards import Boards

ONE, BOTH = "one column", "both columns (table*)"
AT_FIRST = ("rank", "score", "ranks", "difference", "p")


def draw_paper_table(analysis: Analysis) -> None:
    """The leaderboard as a small table, its columns chosen, ready to be copied."""
    heads = columns_of_paper_table(analysis)
    names = {**heads, "difference": "Difference", "p": "Adjusted p"}
    if analysis.config.correction == "none":
        names["p"] = "p"
    against = analysis.config.baseline is not None
    first = [key for key in AT_FIRST if key in heads and (against or key not in ("difference", "p"))]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        columns = st.multiselect(
            "Columns",
            list(heads),
            default=first,
            format_func=lambda key: names.get(key, key),
            key=f"paper columns {against} {len(heads)}",
            persist_state="session",
            width=380,
        )
        width = st.segmented_control(
            "Width of the page",
            (ONE, BOTH),
            default=ONE,
            required=True,
            key="paper width",
            persist_state="session",
        )
        most = st.number_input(
            "Systems", 1, MOST_ROWS, MOST_ROWS, key="paper systems", persist_state="session", width=120
        )
    st.code(
        paper_table(analysis, columns=columns, most=int(most), wide=width == BOTH),
        language="latex",
        height=300,
    )
    what = "the baseline" if against else "the best system"
    st.caption(
        markdown(
            f"Copy it with the button at its top right; it needs the package booktabs. Marks say how "
            f"a system compares with {what}; the whole report as LaTeX is among the files below."
        )
    )


def draw_boards_table(boards: Boards) -> None:
    """Systems × metrics or data sets as a small table, folded away."""
    with st.expander("The same as a LaTeX table for the paper"):
        st.code(boards_paper_table(boards), language="latex", height=300)
