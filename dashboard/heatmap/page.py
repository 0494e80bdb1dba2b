"""Draws the heatmap of all pairs with its controls; choosing a cell opens the pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.figures.cells import DIFFERENCE_VIEW, MOST_NAMED_COLUMNS, P_VIEW, Cells, cells
from dashboard.parts.folded import fold
from dashboard.parts.open_pair import finish_double_click, link_to_chosen, open_pair
from dashboard.parts.pairs_of_system import draw_forest, draw_pairs_of
from dashboard.parts.square import draw_square
from dashboard.parts.system_choice import choose_systems, nothing_found
from dashboard.parts.tables import cells_table
from dashboard.session.state import session
from dashboard.text import NO_VALUE, markdown
from dashboard.theme import LIST_ON_A_PHONE, MOST_ON_A_PHONE
from nlpstat_core.methods.effects import EFFECTS
from nlpstat_core.report.exports.tables.square import BETTER, EQUIVALENT, SIGN_WORDS, SIGNS, WORSE, signs_used
from nlpstat_core.report.wording import headline
from nlpstat_core.report.wording.few_units import legend_words

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

# Pixels of the columns of that list: together they are as wide as a phone.
PHONE_WIDTHS, PHONE_COUNT = (
    {"System": st.column_config.Column(width=125), "not separated": st.column_config.Column(width=102)},
    st.column_config.Column(width=48),
)


def draw_heatmap(analysis: Analysis, key: str) -> None:
    """The heatmap, its legend, and the same as a table. `key`: Prefix of the widgets' keys."""
    if analysis.config.baseline is not None:  # one row and one column of a square say less than a forest plot
        draw_forest(analysis, f"{key} forest", table=True)
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = choose_view(analysis, key)
        shown = choose_systems(analysis, key)
    if len(shown) < 2:
        searched = st.session_state.get(f"{key} name", "") if not shown else ""
        st.info(markdown(nothing_found(searched)) if searched else "Choose at least two systems.")
        return
    square = remembered_cells(analysis, view, shown)
    with st.container(key=f"{key} legend"):
        st.caption(legend(square, few=legend_words(analysis)))
    if square.size > MOST_ON_A_PHONE:
        st.html(LIST_ON_A_PHONE.format(key=key.replace(" ", "-")))
        with st.container(key=f"{key} list"):
            draw_list(analysis, square, key)
    cell = draw_square(square, f"{key} chart", f"Heatmap of all pairs, {square.label}. {headline(analysis)}")
    if cell is None:
        finish_double_click()
    elif square.has_pair(*cell):
        row, column = cell
        open_pair(analysis, square.names[row], square.names[column])
    fold(
        "The same as a table (for keyboard and screen reader; a cell can be opened)",
        key,
        draw_table,
        analysis,
        square,
        key,
    )


def draw_list(analysis: Analysis, square: Cells, key: str) -> None:
    """The same by system: how many each is better and worse than; a chosen row lists its pairs."""
    import pandas as pd

    counts = {code: (square.verdict == code).sum(axis=1) for code in (BETTER, WORSE, EQUIVALENT)}
    frame = pd.DataFrame({"System": list(square.names), "▲": counts[BETTER], "▼": counts[WORSE]})
    if counts[EQUIVALENT].any():
        frame["≈"] = counts[EQUIVALENT]
    frame["not separated"] = square.size - 1 - sum(counts.values())
    st.caption(
        "▲ how many of these systems it is significantly better than · ▼ worse than. Select a row to see "
        "its pairs."
    )
    event = st.dataframe(
        frame,
        hide_index=True,
        column_config={name: PHONE_WIDTHS.get(name, PHONE_COUNT) for name in frame.columns},
        key=f"{key} by system",
        on_select="rerun",
        selection_mode="single-row",
        alt=f"How many systems each is better and worse than. {headline(analysis)}",
        placeholder=NO_VALUE,
    )
    rows = event["selection"]["rows"]
    if rows and rows[0] < square.size:
        draw_pairs_of(analysis, square.names[rows[0]], f"{key} list")


def choose_view(analysis: Analysis, key: str) -> str:
    """What the colours show: a view of `cells`."""
    p_name = "p" if analysis.config.correction == "none" else "Adjusted p"
    names = {P_VIEW: p_name, DIFFERENCE_VIEW: "Difference"}
    names |= {effect: EFFECTS[effect].label for effect in analysis.pairs.effects}
    view = st.segmented_control(
        "Colour shows",
        list(names),
        default=P_VIEW,
        required=True,
        key=f"{key} view",
        label_visibility="collapsed",
        format_func=lambda name: names[name],
        persist_state="session",
    )
    return view if view in names else P_VIEW


def remembered_cells(analysis: Analysis, view: str, shown: list[int]) -> Cells:
    """The cells of a view, made once per analysis and choice of systems."""
    key = ("cells", analysis.fingerprint, analysis.config, view, tuple(shown))
    found: Cells = session().drawing(key, lambda: cells(analysis, view, shown))
    return found


def legend(square: Cells, *, hint: bool = True, few: str = "") -> str:
    """What the signs mean, only those that occur.

    hint: Whether to tell that cells can be selected.
    few: What the mark of pairs that rest on a few units means, where there are any.
    """
    lines = [f"{SIGNS[code]} {SIGN_WORDS[code]}" for code in signs_used(square.verdict)]
    lines += [few] if few and square.few is not None and square.few.any() else []
    last = ["select a cell to open the pair"] if hint else []
    if square.size > MOST_NAMED_COLUMNS:
        last.append("columns: the same systems by number")
    return " · ".join([*lines, f"no sign: {SIGN_WORDS[0]}", *last])


def draw_table(analysis: Analysis, square: Cells, key: str) -> None:
    """The heatmap as a table whose cells can be chosen by keyboard; a button opens the chosen pair.

    A cell doesn't open its pair by itself: arrow keys choose every cell on their way.
    """
    event = st.dataframe(
        session().drawing((square, "table"), lambda: cells_table(square)),
        key=f"{key} table",
        on_select="rerun",
        selection_mode="single-cell",
        alt=f"Table of all pairs, {square.label}. {headline(analysis)}",
        placeholder=NO_VALUE,
    )
    chosen = event["selection"]["cells"]
    if chosen:
        row, column = chosen[0][0], str(chosen[0][1])
        if row < square.size and column in square.names and square.names[row] != column:
            link_to_chosen(square.names[row], column)
