"""Draws what other tests and other corrections make of a pair, marked as exploration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.pair.tables import estimate_text
from dashboard.parts.panels import delivered, show_remarks
from dashboard.session.requests import ask_other_corrections, ask_other_tests
from dashboard.text import markdown
from nlpstat_core.board.pairs.other_corrections import OtherCorrection
from nlpstat_core.formatting import format_p, format_score
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.report.wording import hypothesis_text, label_of_test, pair_notes
from nlpstat_core.report.wording.computed import computed_text
from nlpstat_core.report.wording.other_corrections import (
    EXPLORATION,
    corrections_sentence,
    decision_text,
    left_out_sentence,
)
from nlpstat_core.results.pair import OtherTest

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis


def draw_others(pair: PairResult, asked: Analysis, analysis: Analysis) -> None:
    """Other tests and other corrections of the same pair, computed when asked for.

    asked: With the pair in the order that was chosen.
    analysis: The whole board: other corrections look at all its pairs.
    """
    st.header("What would other tests and corrections say?", divider="grey")
    st.warning(EXPLORATION, icon=":material/warning:")
    if not st.toggle("Run the others", key="other tests", persist_state="session"):
        return
    answer = ask_other_tests(asked, pair.system_a, pair.system_b)
    tests = delivered(answer, "Running the other tests")
    if tests is not None:
        st.markdown("**Other tests**, p of this comparison alone")
        st.table(
            other_tests_table(tests, pair.test, analysis.config.alpha), border="horizontal", hide_index=True
        )
    if pair.test is None:
        return
    corrected = ask_other_corrections(analysis, pair.system_a, pair.system_b)
    corrections = delivered(corrected, "Running the corrections")
    if corrections is not None:
        draw_corrections(corrections, pair, analysis)


def draw_corrections(found: Sequence[OtherCorrection], pair: PairResult, analysis: Analysis) -> None:
    """Every correction that goes with the test of the analysis, and why the others don't."""
    st.markdown(f"**Other corrections**: {markdown(corrections_sentence(found, pair, analysis))}")
    table = corrections_table(found, analysis.config.correction, analysis.config.alpha)
    st.table(table, border="horizontal", hide_index=True)
    row = analysis.pairs.find(analysis.units.index(pair.system_a), analysis.units.index(pair.system_b))
    if row is not None:
        codes = {
            code for item in found for code in item.notes if item.correction != analysis.config.correction
        }
        show_remarks(pair_notes(analysis, row, codes), about="on the other corrections")
    for item in found:
        if item.left_out:
            st.caption(markdown(left_out_sentence(item)))


def other_tests_table(others: Sequence[OtherTest], used: str | None, alpha: float) -> pd.DataFrame:
    """Other tests of a pair, p-values for one comparison alone.

    used: Key of the test of the analysis, left out.
    """
    rows = [other for other in others if other.test != used]
    return pd.DataFrame(
        {
            "Test": [label_of_test(other.test) for other in rows],
            "About": [hypothesis_text(other.hypothesis) for other in rows],
            "Statistic": [format_score(other.statistic) for other in rows],
            "p": [format_p(other.p_value, other.log10_p, alpha=alpha) for other in rows],
            "How computed": [computed_text(other.p_kind) for other in rows],
            "Estimate": [estimate_text(other.estimate) for other in rows],
        }
    )


def corrections_table(found: Sequence[OtherCorrection], used: str, alpha: float) -> pd.DataFrame:
    """One row per correction that was computed.

    used: Key of the correction of the analysis, which is marked.
    """
    rows = [item for item in found if not item.left_out]
    labels = [CORRECTIONS[item.correction].label for item in rows]
    return pd.DataFrame(
        {
            "Correction": [
                f"{label} (this analysis)" if item.correction == used else label
                for item, label in zip(rows, labels, strict=True)
            ],
            "Adjusted p": [format_p(item.p_adjusted, alpha=alpha) for item in rows],
            "Decision": [markdown(decision_text(item)) for item in rows],
            "Controls": [CORRECTIONS[item.correction].error_rate for item in rows],
        }
    )
