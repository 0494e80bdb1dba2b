"""Draws how the judge errs: 0/1 verdicts, calibration, length and position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.chart_table import draw_chart
from dashboard.parts.result_table import draw_result, tall
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.report.wording.judge import itself_sentences, raters_sentence

if TYPE_CHECKING:
    from nlpstat_core.results.judge import JudgedBoard


def draw_itself(found: JudgedBoard) -> None:
    """Nothing for scores that aren't 0 and 1 where no column is a length or a position."""
    from nlpstat_core.report.exports.tables.judge import calibration_table, leanings_table, zero_one_table

    verdicts, bins, leanings = zero_one_table(found), calibration_table(found), leanings_table(found)
    if verdicts is None and bins is None and leanings is None:
        return
    st.header("How the judge errs", divider="grey")
    for sentence in itself_sentences(found):
        st.markdown(markdown(sentence))
    if verdicts is not None:
        draw_result(
            verdicts,
            alt="Verdicts of the judge and of people, by system.",
            height=tall(len(found.systems), 12),
        )
    if found.itself.calibration is not None and bins is not None:
        from dashboard.figures.judges import calibration_figure

        draw_chart(
            calibration_figure(found),
            key="judges calibration",
            config=STILL_CONFIG,
            alt="People's share of 1 by the judge's score.",
            table=found.itself.calibration_frame(),
        )
        st.caption(
            "People's share of 1 among labels of all systems; the intervals treat labels as independent."
        )
    if leanings is not None:
        draw_result(leanings, alt="How much more the judge gives than people where a column is larger.")


def draw_raters(found: JudgedBoard) -> None:
    """How severe each rater is; nothing where errors aren't by rater."""
    from nlpstat_core.report.exports.tables.judge import raters_table

    table = raters_table(found)
    if table is None:
        return
    st.header("Raters", divider="grey")
    st.markdown(markdown(raters_sentence(found)))
    draw_result(
        table,
        alt="Raters with their ratings and how severe they are compared with the others.",
        height=tall(len(table.columns[0].cells), 12),
    )
