"""Sections that somebody chose for the report: posterior, audit, metrics and judges beside people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.panels import delivered, show_remarks
from dashboard.session.judged_metrics import judged_by
from dashboard.session.judges import corrected_by
from dashboard.session.requests import ask_sections
from dashboard.text import markdown

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.report.exports.documents.blocks import Section

LABELS = {
    "posterior": "Posterior probabilities",
    "audit": "Audit of the procedure",
    "cost": "Score against cost",
    "metrics": "Metrics judged by people",
    "judge": "A judge corrected by people",
}


def choose_sections(analysis: Analysis) -> tuple[Section, ...]:
    """What stands in the report besides, chosen by whoever writes it; none until then.

    Returns: None of them while they are computed.
    """
    judged = judged_by(analysis.scores, analysis.config)
    corrected = corrected_by(analysis.scores, analysis.config)
    outside = {"metrics": judged, "judge": corrected}
    there = {key for key in LABELS if key not in outside or outside[key] is not None}
    offered = [key for key in LABELS if key in there and (key != "cost" or analysis.units.costs)]
    chosen = st.pills(
        "Also in the report",
        offered,
        selection_mode="multi",
        format_func=LABELS.__getitem__,
        key="report sections",
        persist_state="session",
        help="Computed when chosen, and then part of the preview and of the files below.",
    )
    keys = tuple(key for key in offered if key in chosen)
    if not keys:
        return ()
    answer = ask_sections(
        analysis, keys, judged if "metrics" in keys else None, corrected if "judge" in keys else None
    )
    found = delivered(answer, "Computing what was added")
    for section in found or ():
        text = " ".join(f"{markdown(one.text)}." for one in section.statements[:1])
        st.markdown(f"**{section.title}**: {text}")
        show_remarks(section.notes)
    return found or ()
