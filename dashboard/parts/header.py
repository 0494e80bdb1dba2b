"""The header of every page: which file, which metric, which data set; with a menu where there are several."""

import streamlit as st

from dashboard.parts.board_switch import draw_menus
from dashboard.parts.link_problems import draw_ignored
from dashboard.session.state import session
from dashboard.text import plotly as escaped
from nlpstat_core.formatting import count_of
from nlpstat_core.scores.matrix import ScoreMatrix

# Streamlit leaves a tenth of the screen above the first word, and titles as high as three lines.
COMPACT = (
    "<style>[data-testid=stMainBlockContainer] {padding-top: 3.25rem} "
    "[data-testid=stMain] h1 {font-size: 1.75rem; padding: 0.25rem 0 0.5rem} "
    "[data-testid=stMain] h2 {font-size: 1.25rem; padding: 0.25rem 0 0.5rem} "
    "[data-testid=stSidebar] h2 {font-size: 1.25rem} "
    ".st-key-board-header [data-testid=stHtml] {font-size: 0.875rem} "
    ".st-key-board-header {border-bottom: 1px solid rgba(127, 133, 142, 0.35); padding-bottom: 0.25rem} "
    # Links and the buttons that copy are found by keyboard: Streamlit takes the browser's own ring away.
    "[data-testid=stMain] :is(a, [data-testid=stBaseButton-elementToolbar]):focus-visible, "
    "[data-testid=stSidebar] a:focus-visible "
    "{outline: 2px solid #0072B2; outline-offset: 2px; box-shadow: 0 0 0 2px #FFFFFF} "
    # What copies a text is there at once: shown on hovering it misses phones, and Tab pressed quickly.
    "[data-testid=stCode] > div:has([data-testid=stElementToolbarButton]) "
    "{opacity: 1 !important; visibility: visible !important} "
    "[data-testid=stCode] pre {padding-right: 3.25rem !important} "  # the button covers no word
    # Without a pointer the buttons of a table are always there, above it: they cover no word, either.
    "@media (hover: none) {[data-testid=stElementContainer]:has([data-testid=stDataFrame]) "
    "{margin-top: 2rem}} "
    "@media (max-width: 640px) {[data-testid=stMainBlockContainer] {padding-top: 3.5rem}}</style>"
)


def draw_header() -> None:
    """What every page is about; nothing but the compact style as long as there are no scores."""
    st.html(COMPACT)
    draw_ignored()
    scores = session().scores
    if scores is None:
        return
    with st.container(
        key="board-header", horizontal=True, vertical_alignment="center", horizontal_alignment="left"
    ):
        st.html(board_name(scores), width="content")
        draw_menus(scores)


def board_name(scores: ScoreMatrix) -> str:
    """File, metric with its direction, data set and size, as HTML."""
    several = scores.several if session().can_read_again else {}
    parts = [f"<b>{escaped(scores.source)}</b>"] if scores.source else []
    if scores.metric and "metrics" not in several:  # else the menu names it
        parts.append(escaped(scores.metric))
    dataset = scores.reading.get("dataset")
    if dataset is not None and "datasets" not in several:
        parts.append(f"data set {escaped(str(dataset))}")
    parts.append("lower is better" if scores.lower_is_better else "higher is better")
    parts.append(f"{count_of(scores.n_systems, 'system')} × {count_of(scores.n_units, 'item')}")
    return " · ".join(parts)
