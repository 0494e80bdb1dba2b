"""Says on every page that tests were chosen from the data, and offers one test for the whole board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import markdown
from nlpstat_core.config import RECOMMENDED
from nlpstat_core.significance import TESTS
from nlpstat_core.wording import label_of_test, mixture

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

NOTE = "tests-chosen-from-data"


def draw_chosen_from_data(analysis: Analysis) -> None:
    """The sentence and the button; nothing where the user has chosen a test.

    Parameters
    ----------
    analysis : Analysis
    """
    if analysis.config.test != RECOMMENDED:
        return
    told = next((note.text for note in analysis.notes if note.code == NOTE), "")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(markdown(told))
        key = one_test(analysis)
        if key is not None:
            st.button(
                f"Use one test: {markdown(label_of_test(key))}",
                key="one test",
                on_click=_use,
                args=(key,),
                help="One question for the whole board, asked before looking at the data.",
            )


def one_test(analysis: Analysis) -> str | None:
    """The test to offer for all pairs: the one all were given, else that of the board's own quantity.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    str or None
        Key of a test; None where no test suits all pairs.
    """
    used = tuple(mixture(analysis.pairs))
    if len(used) <= 1:
        return used[0] if used else None
    designs = {TESTS[key].design for key in used}
    if designs == {"paired"}:
        return "permutation-mean"
    if designs == {"blocks"}:
        return "block-permutation"
    return None  # pairs with and without shared units: no test suits both


def _use(key: str) -> None:
    st.session_state["test"] = key
