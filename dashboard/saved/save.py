"""Draws the form that saves what is on screen: as a new board, or as the next version of one."""

import streamlit as st

from dashboard.saved.reviewing import tell
from dashboard.saved.seen import seen_revision
from dashboard.saved.work import database
from dashboard.session.results import chosen_config
from dashboard.session.state import session
from dashboard.text import markdown
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import NlpstatError
from nlpstat_core.saved_boards.access import Access, Viewer
from nlpstat_core.saved_boards.limits import LONGEST_TITLE
from nlpstat_core.saved_boards.saving import save_board, save_version
from nlpstat_core.scores.matrix import ScoreMatrix

NEW = ""
CHOSEN = "saved board chosen"


def draw_save(viewer: Viewer, boards: tuple[Access, ...]) -> None:
    """The form; nothing but a hint without scores."""
    scores = session().scores
    if scores is None:
        st.caption("To save a board, load a score file first.")
        return
    try:
        config = chosen_config()
    except NlpstatError as error:
        st.error(markdown(str(error)))
        return
    mine = {one.board: one for one in boards if "save" in one.may}
    with st.form("save board", border=True):
        st.markdown(f"**Save {markdown(scores.source or 'these scores')}** with the settings of the sidebar")
        where = st.selectbox(
            "As",
            (NEW, *mine),
            format_func=lambda board: (
                "a new board" if board == NEW else f"the next version of {mine[board].title}"
            ),
        )
        title = st.text_input(
            "Title of a new board", max_chars=LONGEST_TITLE, placeholder="WMT24 English–German"
        )
        remark = st.text_input("Remark (what is new)", max_chars=LONGEST_TITLE)
        # What the viewer saw is what was drawn: a change of somebody else's since then is noticed.
        if st.form_submit_button("Save board", type="primary"):
            text = _saved(viewer, mine.get(where), title, remark, scores, config)
            if text is not None:
                st.session_state[CHOSEN] = text
                st.rerun()


def _saved(
    viewer: Viewer, board: Access | None, title: str, remark: str, scores: ScoreMatrix, config: AnalysisConfig
) -> str | None:
    try:
        if board is None:
            made = save_board(database(), viewer, title, scores, config, remark=remark)
            tell("Saved as a draft: nobody but you sees it until you open it for review.")
            return made
        number = save_version(
            database(), viewer, board.board, scores, config, seen=seen_revision(board.board), remark=remark
        )
    except NlpstatError as error:
        st.error(markdown(str(error)))
        return None
    tell(f"Saved as version {number}.")
    return board.board
