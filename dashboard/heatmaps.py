"""Draws the heatmap of all pairs with its controls; choosing a cell opens the pair."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.address import link_to_pair
from dashboard.asking import ask_pair
from dashboard.cells import DIFFERENCE_VIEW, P_VIEW, SIGN_WORDS, SIGNS, Cells, cells
from dashboard.choosing import choose_systems
from dashboard.state import session
from dashboard.tables import cells_table
from dashboard.text import markdown, short
from dashboard.theme import CHART_CONFIG
from nlpstat_core.effects import EFFECTS
from nlpstat_core.wording import headline

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

# Long enough for the second click of a double click, too short for somebody who goes back.
DOUBLE_CLICK_SECONDS = 0.5
# With more columns than this their names would lie upon each other on a phone; there the rows name them.
MOST_NAMED_COLUMNS = 20
WITHOUT_NAMES = "<style>@media (max-width: 640px) {{.st-key-{key} .xtick {{display: none}}}}</style>"


def draw_heatmap(analysis: Analysis, key: str) -> None:
    """The heatmap, its legend, and the same as a table.

    Parameters
    ----------
    analysis : Analysis
    key : str
        Prefix of the widgets' keys.
    """
    from dashboard.figures.heatmap import heatmap_figure

    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = choose_view(analysis, key)
        shown = choose_systems(analysis, key)
    if len(shown) < 2:
        st.info("Choose at least two systems.")
        return
    square = remembered_cells(analysis, view, shown)
    st.caption(legend(square))
    chart = f"{key} chart"
    if square.size > MOST_NAMED_COLUMNS:
        st.html(WITHOUT_NAMES.format(key=chart.replace(" ", "-")))
    event: Any = st.plotly_chart(
        session().drawing((square, "figure"), lambda: heatmap_figure(square)),
        key=chart,
        on_select="rerun",
        selection_mode="points",
        config=CHART_CONFIG,
        alt=f"Heatmap of all pairs, {square.label}. {headline(analysis)}",
    )
    points = event["selection"]["points"]
    if points:
        row, column = round(points[0]["y"]), round(points[0]["x"])
        if square.sentence[row, column]:  # nothing on the diagonal, nor where two systems were not compared
            _open(analysis, square.names[row], square.names[column])
    else:
        _finish_double_click()
    with st.expander("The same as a table (for keyboard and screen reader; a chosen cell can be opened)"):
        draw_table(analysis, square, key)


def choose_view(analysis: Analysis, key: str) -> str:
    """What the colours show.

    Parameters
    ----------
    analysis : Analysis
    key : str

    Returns
    -------
    str
        View of `cells`.
    """
    p_name = "p" if analysis.config.correction == "none" else "Adjusted p"
    names = {P_VIEW: p_name, DIFFERENCE_VIEW: "Difference"}
    names |= {effect: EFFECTS[effect].label for effect in analysis.pairs.effects}
    view = st.segmented_control(
        "Colour shows",
        list(names),
        default=P_VIEW,
        required=True,
        key=f"{key} view",
        format_func=lambda name: names[name],
        persist_state="session",
    )
    return view if view in names else P_VIEW


def remembered_cells(analysis: Analysis, view: str, shown: list[int]) -> Cells:
    """The cells of a view, made once per analysis and choice of systems.

    Parameters
    ----------
    analysis : Analysis
    view : str
    shown : list of int

    Returns
    -------
    Cells
    """
    key = ("cells", analysis.fingerprint, analysis.config, view, tuple(shown))
    found: Cells = session().drawing(key, lambda: cells(analysis, view, shown))
    return found


def legend(square: Cells, *, hint: bool = True) -> str:
    """What the signs mean, only those that occur.

    Parameters
    ----------
    square : Cells
    hint : bool
        Whether to tell that cells can be selected.

    Returns
    -------
    str
    """
    used = [code for code in range(1, len(SIGNS)) if (square.verdict == code).any()]
    told = [f"{SIGNS[code]} {SIGN_WORDS[code]}" for code in used]
    last = ["select a cell to open the pair"] if hint else []
    if square.size > MOST_NAMED_COLUMNS:
        last.append("columns: the same systems, best at the left")
    return " · ".join([*told, f"no sign: {SIGN_WORDS[0]}", *last])


def draw_table(analysis: Analysis, square: Cells, key: str) -> None:
    """The heatmap as a table whose cells can be chosen by keyboard; a button opens the chosen pair.

    A cell doesn't open its pair by itself: arrow keys choose every cell on their way.

    Parameters
    ----------
    analysis : Analysis
    square : Cells
    key : str
    """
    event: Any = st.dataframe(
        session().drawing((square, "table"), lambda: cells_table(square)),
        key=f"{key} table",
        on_select="rerun",
        selection_mode="single-cell",
        alt=f"Table of all pairs, {square.label}. {headline(analysis)}",
    )
    chosen = event["selection"]["cells"]
    if chosen:
        row, column = chosen[0]
        a, b = square.names[row], str(column)
        if a != b:
            _link(*_in_file_order(analysis, a, b))


def _open(analysis: Analysis, a: str, b: str) -> None:
    """Go to the pair page with two systems."""
    session().opened = opened = (time.monotonic(), *_in_file_order(analysis, a, b))
    ask_pair(analysis, *opened[1:], patience=0)  # done while the browser changes the page
    _link(*opened[1:], follow=opened[0])


def _finish_double_click() -> None:
    """The second click of a double click reaches the page that is being left: go on to the pair."""
    opened = session().opened
    if opened is not None and time.monotonic() - opened[0] < DOUBLE_CLICK_SECONDS:
        _link(*opened[1:], follow=time.monotonic())


def _link(a: str, b: str, *, follow: float | None = None) -> None:
    label = f"Open the pair {markdown(short(a))} and {markdown(short(b))}"
    link_to_pair(label, a, b, follow=follow)


def _in_file_order(analysis: Analysis, a: str, b: str) -> tuple[str, str]:
    first, second = sorted((a, b), key=analysis.units.index)
    return first, second
