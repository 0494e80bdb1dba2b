"""Draws a saved board as one viewer sees it: nothing but its projection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background.workers import Task
from dashboard.parts.downloads import SLOW, deferred
from dashboard.parts.file_buttons import file_button
from dashboard.parts.panels import delivered, show_problems, show_remarks
from dashboard.parts.result_table import draw_frame, draw_result
from dashboard.saved import work
from dashboard.saved.reviewing import tell
from dashboard.session.results import drop_jobs
from dashboard.session.settings import adopt
from dashboard.session.state import session
from dashboard.text import markdown
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.errors import NlpstatError
from nlpstat_core.formatting import count_of, format_p, format_score
from nlpstat_core.report.exports.documents.participant import Sheet
from nlpstat_core.saved_boards.access import Viewer
from nlpstat_core.saved_boards.projection import Overview, OwnScore, Projection, still_sees

if TYPE_CHECKING:
    import pandas as pd

MOST_PAIRS = 5_000
BLIND = "Until the board is published you see your own score only, and nothing of other systems."


def draw_projection(found: Projection) -> None:
    """Whatever the viewer sees of a version."""
    if found.recomputed_by_another_version:
        st.caption(
            f"Saved with version {markdown(found.core_version)} of this software; these numbers are computed "
            "by the version running now."
        )
    if found.analysis is not None:
        draw_whole(found.analysis)
    elif found.sheet is not None:
        draw_sheet(found.sheet)
    elif found.own is not None:
        draw_own(found.own)


def draw_whole(analysis: Analysis) -> None:
    """The answer, the leaderboard, scores with intervals, and all pairs."""
    from dashboard.parts.leaderboard import draw_answer, draw_intervals, draw_table

    draw_answer(analysis)
    show_problems(analysis.notes)
    draw_table(analysis, "saved table")
    with st.expander("Scores with intervals"):
        draw_intervals(analysis, "saved plot")
    with st.expander("All pairs"):
        draw_frame(_pairs(analysis))
        if len(analysis.pairs) > MOST_PAIRS:
            st.caption(f"The first {MOST_PAIRS:,} of {len(analysis.pairs):,} pairs; pairs.csv holds all.")
    show_remarks(analysis.notes)
    st.caption(f"Settings {markdown(analysis.signature)}")


def _pairs(analysis: Analysis) -> pd.DataFrame:
    import pandas as pd

    pairs, some = analysis.pairs, slice(0, MOST_PAIRS)
    return pd.DataFrame(
        {
            "System A": pairs.system_a[some],
            "System B": pairs.system_b[some],
            "Difference": pairs.difference[some],
            "Adjusted p": [format_p(float(p), alpha=analysis.config.alpha) for p in pairs.p_adjusted[some]],
            "Verdict on A": pairs.verdict[some],
        }
    )


def draw_sheet(sheet: Sheet) -> None:
    """One participant's sheet."""
    st.header(markdown(sheet.system), anchor=False)
    st.markdown(f"**{markdown(sheet.standing)}**")
    draw_result(sheet.own)
    st.header("Against the others", anchor=False)
    draw_result(sheet.against)
    if sheet.far.rows:
        st.header("Items furthest behind the others", anchor=False)
        draw_result(sheet.far)


def draw_own(own: OwnScore) -> None:
    """The own score of a participant in the blind phase."""
    score = "no score" if math.isnan(own.score) else format_score(own.score)
    better = "lower is better" if own.lower_is_better else "higher is better"
    metric = "" if own.metric is None else f"{own.metric}, "
    st.header(markdown(own.system), anchor=False)
    st.markdown(f"**{score}** ({markdown(metric)}{better}, {count_of(own.n_units, 'item')})")
    st.info(BLIND)


def draw_files(viewer: Viewer, found: Projection, key: str) -> None:
    """A button for every file that the viewer can have, if that is still so when it is pressed.

    key: Tells these buttons from others of the page.
    """
    with st.container(horizontal=True):
        for name in found.files:
            made = deferred(name, Task(work.file, (found, name)), quick=name not in SLOW)
            data = work.still_theirs(viewer, found.access, (found.number,), made)
            file_button(name, data, key=f"{key} {name}")


def delivered_projection(viewer: Viewer, seen: Overview, number: int) -> Projection | None:
    """A version as somebody sees it, or None after drawing how far it is."""
    return delivered(work.ask_projection(viewer, seen, number), "Computing the board")


def open_everywhere(viewer: Viewer, found: Projection, analysis: Analysis) -> None:
    """Make a saved version the data of every page, with its settings, if the viewer still sees it."""
    try:
        still_sees(work.database(), viewer, found.access, found.number)
    except NlpstatError as error:
        tell(str(error), bad=True)
        return
    drop_jobs()
    here = session()
    here.raw, here.choices, here.example, here.lower = None, {}, None, {}
    here.replace_scores(analysis.scores)
    adopt(analysis.config)
