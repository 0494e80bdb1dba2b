"""Draws average ranks with Nemenyi's critical difference, on request and with its caution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background import tasks
from dashboard.parts.folded import fold
from dashboard.parts.panels import as_information, delivered
from dashboard.parts.result_table import draw_frame, frame_of, tall
from dashboard.parts.svg import draw_svg
from dashboard.session.results import Answer, ask
from dashboard.text import markdown
from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
from nlpstat_core.report.exports.figures.critical_difference import MOST_SYSTEMS, critical_svg
from nlpstat_core.report.exports.tables.several_boards import average_ranks_table
from nlpstat_core.report.wording.ranks import NEMENYI_CAUTION, average_ranks_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis


AVERAGE_RANKS = "average ranks"


def ask_average_ranks(analysis: Analysis) -> Answer[AverageRanks]:
    """Average ranks of the systems of an analysis with Nemenyi's critical difference."""
    units, alpha = analysis.units, analysis.config.alpha
    return ask(AVERAGE_RANKS, (units.fingerprint, alpha), tasks.average_ranks, units, alpha, quick=True)


def draw_average_ranks(analysis: Analysis) -> None:
    """The fold; systems have no ranks on single items of a measure that is no mean of these."""
    if analysis.units.measured is None:
        fold("Average ranks and critical difference", "critical", draw_critical_differences, analysis)


def draw_critical_differences(analysis: Analysis) -> None:
    """The offer of the diagram, its caution, the diagram and its table."""
    st.warning(NEMENYI_CAUTION, icon=":material/warning:")
    if not st.toggle("Show the critical-difference diagram", key="critical", persist_state="session"):
        return
    answer = ask_average_ranks(analysis)
    found = delivered(answer, "Ranking the systems on every item", refused=as_information)
    if found is not None:
        _draw(found)


def _draw(found: AverageRanks) -> None:
    st.markdown(markdown(average_ranks_sentence(found)))
    if len(found.systems) <= MOST_SYSTEMS:
        alt = f"Critical-difference diagram. {average_ranks_sentence(found)}"
        draw_svg("critical-differences", critical_svg(found), alt)
        st.caption("A thick bar joins systems whose average ranks aren't found to differ.")
    else:
        st.caption(f"The diagram holds up to {MOST_SYSTEMS} systems; the table has all.")
    draw_frame(
        frame_of(average_ranks_table(found).columns),
        f"Average ranks as a table. {average_ranks_sentence(found)}",
        height=tall(len(found.systems)),
        column_config={
            "Average rank": st.column_config.NumberColumn(format="%.3f"),
            "Bars": st.column_config.TextColumn(
                help="Systems with a number in common aren't found to differ."
            ),
        },
    )
