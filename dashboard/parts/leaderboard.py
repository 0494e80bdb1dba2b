"""Draws the leaderboard: the answer, the table, the plot of intervals, the test of all systems together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from dashboard.parts.measure import in_front, measure_name
from dashboard.parts.result_table import first_rows_high
from dashboard.parts.setting_buttons import draw_chosen_from_data
from dashboard.parts.system_choice import search_systems
from dashboard.parts.tables import decimals, leaderboard_table, omnibus_table
from dashboard.session.state import session
from dashboard.text import markdown
from dashboard.theme import STILL_CONFIG
from nlpstat_core.arrays import FloatArray, ObjectArray
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import doubts
from nlpstat_core.report.wording import headline, top_sentence, withheld
from nlpstat_core.report.wording.few_units import MARK, second_line
from nlpstat_core.report.wording.ranks import BEST, DECISIONS, OMNIBUS
from nlpstat_core.scores.matrix import ScoreMatrix

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler
    from plotly.graph_objects import Figure
    from streamlit.elements.lib.column_types import ColumnConfig

    from nlpstat_core.analysis.result import Analysis

MOST_PLOTTED = 60
LONG_NAME = 28
# Rows whose width the grid measures; pixels of a cell's margins, of a letter, of the head of the column.
MEASURED_ROWS, PADDING, LETTER, HEAD_PIXELS = 9, 20, 7.5, 80
LONG_LETTERS = 9  # in the full column they would push the others off the screen
NUMBERS_STAY_WHOLE = (
    "<style>.st-key-omnibus-table [data-testid=stTable] {overflow-x: auto} "
    ".st-key-omnibus-table td + td * {white-space: nowrap !important}</style>"
)
BAND = "background-color: rgba(127, 133, 142, 0.16)"


def draw_headline(analysis: Analysis, *, brief: bool = False) -> None:
    """The answer in one sentence. `brief`: one line and nothing else, where a figure below needs the room."""
    if draw_withheld(analysis):
        return
    if brief:
        st.markdown(f"**{markdown(headline(analysis))}** {markdown(second_line(analysis))}".rstrip())
        draw_chosen_from_data(analysis)
        return
    _answer(analysis, headline(analysis), second_line(analysis))


def _answer(analysis: Analysis, first: str, more: str) -> None:
    with st.container(border=True):
        st.header(markdown(first), anchor=False)
        if more:
            st.markdown(markdown(more))
        if len(analysis.pairs) > 1 and analysis.leaderboard.rank_interval is not None:
            st.caption(DECISIONS)
        draw_chosen_from_data(analysis)


def draw_withheld(analysis: Analysis) -> bool:
    """Whether how the file was read is in doubt; then that stands in the place of the answer."""
    if withheld(analysis) is None:
        return False
    asked = doubts(analysis.scores.notes)
    st.error(
        f"There is no result until {count_of(len(asked), 'question')} about how the file was read "
        f"{'is' if len(asked) == 1 else 'are'} answered on the page Scores.",
        icon=":material/help:",
    )
    return True


def draw_answer(analysis: Analysis) -> None:
    """Is the best separated from the next, and who shares the top; then how much of the board is decided."""
    if draw_withheld(analysis):
        return
    first, whole = top_sentence(analysis), headline(analysis)
    more = (whole if whole != first else "", second_line(analysis))
    _answer(analysis, first, " ".join(filter(None, more)))


def draw_table(
    analysis: Analysis, key: str, *, most_rows: int = 16, best: FloatArray | None = None, search: bool = False
) -> str | None:
    """The leaderboard as a table; every other cluster is shaded, and a row can be chosen.

    most_rows: Rows to see without scrolling.
    best: Probability of being best, in the order of the leaderboard.
    search: Whether systems can be searched for.
    Returns: The system whose row is chosen.
    """
    shown = search_systems(analysis.leaderboard.system, key) if search else None
    if shown is not None and not shown:
        return None
    frame: pd.DataFrame = session().drawing(
        ("board", analysis.fingerprint, analysis.config), lambda: leaderboard_table(analysis)
    )
    if best is not None:
        frame = frame.copy(deep=False)
        place = list(frame.columns).index("Distribution") if "Distribution" in frame else len(frame.columns)
        frame.insert(place, "Best", np.where(np.isnan(analysis.leaderboard.score), np.nan, 100 * best))
    if shown is not None:
        frame = frame.iloc[shown].reset_index(drop=True)
    level = f"{100 * analysis.config.level:g}%"
    measure = measure_name(analysis.scores)
    columns: dict[str, ColumnConfig] = {
        "Rank": st.column_config.NumberColumn(
            width=52, help=f"By {measure or 'mean score'}; equal scores share a rank."
        ),
        "System": st.column_config.TextColumn(width=_name_width(frame)),
        "Top": st.column_config.TextColumn(
            width=46, help="The top group: no other system is significantly better."
        ),
        "Score": st.column_config.NumberColumn(
            label=None if measure is None else in_front(measure),
            format=f"%.{decimals(analysis.leaderboard)}f",
            help=f"{_scored(analysis)} {_direction(analysis)}",
        ),
        "On own items": st.column_config.NumberColumn(
            format=f"%.{decimals(analysis.leaderboard)}f", help="Score over the items this system has."
        ),
        "Group": st.column_config.NumberColumn(
            width="small",
            help="Systems of other groups share no item with these: each group has its own ranks.",
        ),
        "Interval": st.column_config.TextColumn(
            help=f"{level} interval of this score alone. Overlapping intervals don't mean that there is no "
            "difference: the paired tests decide that (see the heatmap)."
        ),
        "Rank interval": st.column_config.TextColumn(
            help="Best rank: 1 + the number of significantly better systems. Worst rank: the number of "
            "systems minus the number of significantly worse ones."
        ),
        "Cluster": st.column_config.NumberColumn(
            width=65,
            help="A new cluster begins where every system above is significantly better than every system "
            "below.",
        ),
        "Letters": st.column_config.TextColumn(
            help="Systems that share a letter are not separated. A click on a cell shows all of its letters.",
            width=75 if max(map(len, analysis.leaderboard.letters or ("",))) > LONG_LETTERS else None,
        ),
        f"Pairs {MARK}": st.column_config.NumberColumn(
            width=62,
            help="Significant differences of this system that rest on a few items; the heatmap marks them.",
        ),
        "Δ": st.column_config.NumberColumn(
            format=f"%+.{decimals(analysis.leaderboard)}f", help="Score minus the baseline's."
        ),
        "Interval of Δ": st.column_config.TextColumn(help=f"{level} interval of Δ alone, not adjusted."),
        "Verdict": st.column_config.TextColumn(
            help="Decided by p, not corrected."
            if analysis.config.correction == "none"
            else "Decided by the adjusted p, corrected over all systems."
        ),
        "Best": st.column_config.NumberColumn(format="%.1f%%", width=62, help=BEST),
        "Distribution": st.column_config.BarChartColumn(
            width=105,
            help="Histogram of the scores on single items, with the same axis for all systems; the outermost "
            "bars include the scores beyond.",
            y_min=0,
        ),
        "Items": st.column_config.NumberColumn(width="small", help="Items this system has a score for."),
    }
    event = st.dataframe(
        _banded(frame),
        hide_index=True,
        column_config=columns,
        height=first_rows_high(len(frame), most_rows),
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        placeholder="",
        alt=f"Leaderboard. {headline(analysis)}",
    )
    rows = event["selection"]["rows"]
    return str(frame["System"].iloc[rows[0]]) if rows and rows[0] < len(frame) else None


def _name_width(frame: pd.DataFrame) -> int | None:
    """Of the column of names, in pixels: the grid measures its first rows only and would cut names below."""
    longest = max(map(len, frame["System"]))
    if longest > LONG_NAME:  # leaves room for its score on a phone; a click on the cell shows all of it
        return 150 if "Cluster" in frame else 200
    measured = max(map(len, frame["System"][:MEASURED_ROWS]))
    return None if measured == longest else max(HEAD_PIXELS, round(PADDING + LETTER * longest))


def _scored(analysis: Analysis) -> str:
    measure = measure_name(analysis.scores)
    if analysis.leaderboard.own_score is None:
        if measure is not None:
            return f"{in_front(measure)} on all items."
        return "Mean over the items."
    return "Estimated score on all items, from a least-squares fit of item and system effects."


def _direction(analysis: Analysis) -> str:
    return "Lower is better." if analysis.scores.lower_is_better else "Higher is better."


def _banded(frame: pd.DataFrame) -> pd.DataFrame | Styler:
    """Shade every other cluster, so that the lines between clusters are seen."""
    if "Cluster" not in frame:
        return frame

    def shade(table: pd.DataFrame) -> ObjectArray:
        bands = np.where(table["Cluster"] % 2 == 0, BAND, "")
        return np.repeat(bands[:, np.newaxis], table.shape[1], axis=1)

    return frame.style.apply(shade, axis=None)


def draw_intervals(analysis: Analysis, key: str) -> None:
    """The plot of scores with intervals; a long board is cut at the top unless asked for in full."""
    from dashboard.figures.leaderboard import leaderboard_figure

    board = analysis.leaderboard
    shown = list(range(len(board)))
    if len(board) > MOST_PLOTTED and not st.toggle(f"Plot all {len(board)} systems", key=f"all {key}"):
        shown = shown[:MOST_PLOTTED]

    def draw() -> Figure:
        metric = analysis.scores.metric or "score"
        return leaderboard_figure(
            board,
            level=analysis.config.level,
            metric=metric,
            shown=shown,
            run_means=run_means_of(analysis.scores),
        )

    st.plotly_chart(
        session().drawing(("intervals", analysis.fingerprint, analysis.config, len(shown)), draw),
        key=key,
        config=STILL_CONFIG,
        alt=f"Scores with intervals by rank. {headline(analysis)}",
    )
    if analysis.scores.runs is not None:
        st.caption("Small open dots are the means of single runs.")
    if analysis.leaderboard.cluster is not None:
        st.caption("A dashed line separates clusters: every system above beats every system below.")


def run_means_of(scores: ScoreMatrix) -> list[FloatArray] | None:
    """The mean of every run by system, on the units that the run has; None without runs."""
    from nlpstat_core.engine.columns.runs import run_spread

    return None if scores.runs is None else [run_spread(table).means for table in scores.runs.values]


def draw_omnibus(analysis: Analysis) -> None:
    """The test of all systems together."""
    omnibus = analysis.omnibus
    if omnibus is None:
        return
    with st.container(key="omnibus-table"):  # on a phone the table scrolls, its numbers stay whole
        st.html(NUMBERS_STAY_WHOLE)
        st.table(omnibus_table(omnibus, analysis.config.alpha), border="horizontal", hide_index=True)
    st.caption(OMNIBUS)
