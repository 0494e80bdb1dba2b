"""Draws the audit: how often the procedure claims something on boards like this one where nothing differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.chart_table import draw_chart
from dashboard.parts.panels import delivered, show_remarks
from dashboard.parts.result_table import frame_of
from dashboard.session.requests import ask_audit
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.analysis.audit import nulls_of
from nlpstat_core.catalogue import TESTS
from nlpstat_core.power.models import planned_tests
from nlpstat_core.report.exports.tables.audit import audit_table
from nlpstat_core.report.wording.audit import NULL_LABELS, PITFALLS, audit_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.audit_result import Audit
    from nlpstat_core.analysis.result import Analysis

SIZES = (100, 400, 2000)


def draw_audit(analysis: Analysis) -> None:
    """The offer to run the audit, and what came of it."""
    st.markdown(
        "The whole procedure (choice of test, test, correction) is run on null boards: boards made from "
        "these scores on which no systems differ. Every difference it claims there is false."
    )
    nulls = nulls_of(analysis)
    if not nulls:
        st.info("Null boards need at least two items.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        null = st.selectbox(
            "Null boards",
            nulls,
            format_func=lambda key: NULL_LABELS[key],
            key="audit null",
            persist_state="session",
            width=380,
        )
        number = st.selectbox("Boards", SIZES, key="audit boards", persist_state="session", width=110)
        others = [key for key in _beside() if key != analysis.config.test]
        plain = analysis.config.block_column is None and analysis.units.runs is None
        beside = others and plain and analysis.scores.counts is None
        compare = st.checkbox(
            "Further tests to compare", key="audit others", persist_state="session", disabled=not beside
        )
    if not st.toggle("Run the audit", key="audit", persist_state="session"):
        return
    also = tuple(others) if compare and beside else ()
    found = delivered(ask_audit(analysis, null, number, also), "Running the procedure on null boards")
    if found is not None:
        draw_found(found)


def draw_found(found: Audit) -> None:
    """Rates, the histogram of p, and what an audit can't see."""
    from dashboard.figures.audit import histogram_figure

    st.markdown(f"**{markdown(audit_sentence(found))}**")
    st.table(frame_of(audit_table(found).columns), border="horizontal", hide_index=True)
    own = found.procedures[0]
    st.caption(
        "Unadjusted p-values on the null boards. If the test keeps its level, the bars are about as high as "
        "the line, or lower on the left."
    )
    draw_chart(
        histogram_figure(own.histogram),
        key="audit histogram",
        config=STILL_CONFIG,
        alt=f"Histogram of p on null boards. {audit_sentence(found)}",
    )
    show_remarks(found.notes, about="on the audit")
    with st.expander("What an audit doesn't detect"):
        st.markdown("\n".join(f"* {markdown(sentence)}" for sentence in PITFALLS))


def _beside() -> list[str]:
    """Quick tests of single units that people know: those a test set can be planned with."""
    return [key for key in planned_tests() if not TESTS[key].binary_only][:2]
