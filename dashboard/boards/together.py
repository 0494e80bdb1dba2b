"""Draws what several boards say together: on how many a difference is there, and over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.parts.folded import folded
from dashboard.parts.result_table import draw_frame, frame_of, tall
from dashboard.parts.sidebar import KEEP
from dashboard.session.state import session
from dashboard.text import markdown
from dashboard.theme import CHART_CONFIG, palette_of
from nlpstat_core.report.wording.several_boards import (
    MEANS,
    confidence_sentence,
    pooled_sentences,
)
from nlpstat_core.results.several_boards import Replicability

if TYPE_CHECKING:
    from nlpstat_core.analysis.several_boards.pooled import Pooled

FEWEST_DATASETS = 5  # below, the diagram joins nearly everything
MOST_LISTED = 5_000


def draw_replicability(found: Replicability) -> None:
    """In how many data sets one system beats another: figure, the sentence about it, tables."""
    from dashboard.boards.tables import counts_table, order_by_wins, statements_table
    from dashboard.figures.replicability import MOST_SYSTEMS, replicability_figure

    n = len(found.datasets)
    st.markdown(f"**In how many of the {n} data sets does one system beat another?**")
    together = st.toggle(
        "Counts that hold for all pairs together",
        value=True,
        key="across together",
        help="If off, the confidence holds for any single count; among many counts some will be too large.",
        **KEEP,
    )
    st.caption(markdown(f"{confidence_sentence(found, together)} {MEANS}"))
    order = order_by_wins(found, together)[:MOST_SYSTEMS]
    if len(found.systems) > MOST_SYSTEMS:
        st.caption(f"The first {MOST_SYSTEMS} of {len(found.systems):,} systems; the download holds all.")
    counts = found.matrix(together)[np.ix_(order, order)]
    statements = statements_table(found, together)
    palette = palette_of(st.context.theme.type)
    key = (found, together, palette.name)
    st.plotly_chart(
        session().drawing(
            key, lambda: replicability_figure(tuple(found.systems[i] for i in order), counts, n, palette)
        ),
        key="across counts",
        config=CHART_CONFIG,
        alt=f"In how many of {n} data sets the row's system beats the column's: {len(statements)} of "
        f"{len(found)} directions are shown in at least one.",
    )
    st.caption("A number: the row beats the column in at least that many data sets. A dot: shown in none.")
    with folded("The same as a table, and which data sets", "across") as opened:
        if opened:
            draw_frame(counts_table(found, together), "Row beats column, counts.")
            draw_frame(
                statements.head(MOST_LISTED),
                "Every direction shown in at least one data set, with the names of the data sets.",
                height=tall(len(statements)),
            )


def draw_pooled(found: Pooled) -> None:
    """All data sets together, each counting once."""
    from dashboard.parts.svg import draw_svg
    from nlpstat_core.report.exports.figures.critical_difference import MOST_SYSTEMS, critical_svg
    from nlpstat_core.report.exports.tables.several_boards import average_ranks_table
    from nlpstat_core.report.wording.ranks import average_ranks_sentence

    st.markdown("**Each data set as one item**")
    st.markdown("\n".join(f"* {markdown(sentence)}" for sentence in pooled_sentences(found)))
    if found.ranks is not None:
        left = found.analysis.units.n_systems - len(found.everywhere)
        if left:
            st.caption(f"Ranks are over the systems in every data set; {left:,} are left out.")
        alt = f"Average ranks over data sets. {average_ranks_sentence(found.ranks)}"
        if len(found.everywhere) <= MOST_SYSTEMS and found.ranks.n_units >= FEWEST_DATASETS:
            draw_svg("average-ranks-over-data-sets", critical_svg(found.ranks), alt)
            st.caption("A thick bar joins systems whose average ranks aren't found to differ.")
        with st.expander("Average ranks over data sets"):
            frame = frame_of(average_ranks_table(found.ranks).columns)
            draw_frame(frame, alt)
