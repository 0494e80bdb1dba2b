"""What stands on a refused file: its first rows, and one-click repairs with which it can be read."""

from collections.abc import Mapping

import streamlit as st

from dashboard.background import mending
from dashboard.background.looks import File, Offers
from dashboard.session.held import SecondLook
from dashboard.session.reading import MENDING, begin, draw_waiting, outcome
from dashboard.session.state import session
from dashboard.session.uploads import bounds, most_seconds, read
from dashboard.text import markdown, printable
from nlpstat_core.errors import Sentence


def second_look(file: File, problem: Sentence, choices: Mapping[str, object]) -> SecondLook:
    """The look at a file that was refused, begun by the first call and never again for the same refusal."""
    here = session()
    now = here.second_look
    if now is None or (now.file, now.choices, now.problem) != (file, choices, problem):
        job = None
        if not here.spent:
            told = dict(choices)
            job = begin(MENDING, mending.offers, file, told, most_seconds(), bounds(), problem)
        now = here.second_look = SecondLook(file, dict(choices), problem, job, Offers(problem=problem))
    if now.job is not None and now.job.ended:
        found, _ = outcome(now.job)  # what can't be looked at, or not in time, has nothing to offer
        now.job, now.found = None, now.found if found is None else found
    return now


def draw_repairs(seen: SecondLook) -> None:
    """The first rows of a refused file and a button for everything that mends it."""
    if seen.job is not None:
        draw_waiting(seen.job, MENDING, "Looking for a way to read it")
        return
    if seen.found.repairs:
        with st.container(horizontal=True):
            for place, repair in enumerate(seen.found.repairs):
                st.button(
                    markdown(printable(repair.label)),
                    on_click=read,
                    args=(seen.file, repair.choices),
                    key=f"repair {place}",
                )
    if seen.found.head:
        st.caption("The first lines of the file:")
        st.table([_shown(row) for row in seen.found.head], border="horizontal")


def _shown(row: tuple[str, ...]) -> dict[str, str]:
    return {str(place + 1): markdown(printable(cell))[:40] for place, cell in enumerate(row)}
