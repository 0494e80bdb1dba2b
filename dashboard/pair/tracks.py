"""Draws which track of a composite brings how much of a pair's difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.parts.result_table import decimal_format, draw_frame, tall
from dashboard.text import markdown, printable
from nlpstat_core.board.pairs.track_parts import track_parts
from nlpstat_core.report.wording.tracks import parts_sentence

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.result import Analysis

MOST_ROWS = 30


def draw_tracks(pair: PairResult, analysis: Analysis) -> None:
    """The tracks of a composite in this pair; nothing for other boards."""
    found = track_parts(analysis.units, pair.system_a, pair.system_b)
    if found is None:
        return
    st.header("Which track brings how much", divider="grey")
    st.markdown(markdown(parts_sentence(found, pair.system_a, pair.system_b)))
    frame = pd.DataFrame(
        {
            "Track": [printable(name) for name in found.tracks],
            "Items": found.items,
            "Part of the difference": found.parts,
            "Share of the variance, %": 100 * found.variance,
        }
    )
    if np.isnan(found.variance).all():
        frame = frame.drop(columns=["Items", "Share of the variance, %"])
    draw_frame(
        frame,
        "The parts of the difference by track.",
        column_config={
            "Part of the difference": st.column_config.NumberColumn(
                format=decimal_format(frame["Part of the difference"])
            ),
            "Share of the variance, %": st.column_config.NumberColumn(format="%.1f"),
        },
        height=tall(len(frame), MOST_ROWS),
    )
