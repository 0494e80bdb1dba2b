"""Which revision of a board a page showed: what a form says is about that one, not about a later one."""

import streamlit as st

from nlpstat_core.saved_boards.access import Access

_DRAWN, _BEFORE = "saved boards drawn", "saved boards drawn before"


def seen_revisions(boards: tuple[Access, ...]) -> None:
    """Remember which revision of each board this run draws; called before anything is done with a form."""
    st.session_state[_BEFORE] = st.session_state.get(_DRAWN, {})
    st.session_state[_DRAWN] = {one.board: one.revision for one in boards}


def seen_revision(board: str) -> int | None:
    """The revision of a board that the run before this one drew, whose form has been sent.

    A function that is called on a click runs before anything is drawn: it is handed the revision instead.

    Returns: None where it wasn't drawn.
    """
    found: int | None = st.session_state.get(_BEFORE, {}).get(board)
    return found
