"""Draws the comparison with an earlier board: another file beside the board, read and analysed like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background import changes, readings
from dashboard.parts.board_switch import CHOICES, menu_of
from dashboard.parts.changes import draw_changes
from dashboard.parts.folded import FOLD
from dashboard.parts.panels import delivered
from dashboard.server.privacy import given_files
from dashboard.session.held import Earlier
from dashboard.session.reading import EARLIER, begin, draw_waiting, outcome
from dashboard.session.results import ask, is_quick, retry, session_jobs
from dashboard.session.state import session
from dashboard.session.uploads import bounds, most_megabytes, most_seconds, prepare_reading, taken
from dashboard.text import in_app, markdown
from nlpstat_core.errors import NlpstatError
from nlpstat_core.formatting import count_of
from nlpstat_core.scores.like import SEVERAL, like, named

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.scores.like import Like
    from nlpstat_core.scores.matrix import ScoreMatrix

CHANGES = "changes"
NOUNS = {"metric": "metric", "dataset": "data set", "sheet": "sheet"}


def changes_label() -> str:
    """What stands on the fold of this part, with the file that is loaded, as Markdown."""
    earlier = session().earlier
    question = "What changed since an earlier board?"
    return question if earlier is None else f"{question} Compared with **{markdown(earlier.file[1])}**"


def draw_earlier(analysis: Analysis) -> None:
    """The field for an earlier board's file, and what changed since.

    analysis: Of the board on the page; nothing changes about it.
    """
    here = session()
    prepare_reading()
    st.markdown(
        "For example last month's board. It is read and analysed with the settings of the current board, "
        "which stays loaded."
    )
    key = f"earlier-{here.uploader}"
    st.file_uploader(
        "Drop the score file of the earlier board, or its files together",
        key=key,
        on_change=_take,
        args=(key,),
        max_upload_size=most_megabytes(),
        accept_multiple_files=True,
        help="Systems are matched by name. Like your scores, the file stays in this server's memory for this "
        "browser tab only; links to this page don't include it.",
    )
    if here.earlier_problem is not None:
        st.error(markdown(in_app(here.earlier_problem)))
    earlier = here.earlier
    if earlier is None:
        return
    scores = _read(earlier, analysis.scores)
    if scores is None:
        return
    _draw_which(earlier, scores, like(analysis.scores))
    answer = ask(
        CHANGES,
        (scores.fingerprint, analysis.fingerprint, analysis.config),
        changes.compared,
        scores,
        analysis,
        quick=is_quick(scores, analysis.config),
    )
    found = delivered(answer, "Comparing with the earlier board")
    if found is not None:
        draw_changes(found, "changes")


def _take(key: str) -> None:
    """Keep what was dropped on the field, in the place of the file before."""
    here, uploaded = session(), given_files(st.session_state.get(key))
    if not uploaded:
        return
    here.earlier_problem = None
    try:
        here.earlier = Earlier(taken(uploaded))
    except NlpstatError as error:
        here.earlier_problem = error.sentence


def _read(earlier: Earlier, board: ScoreMatrix) -> ScoreMatrix | None:
    """Its scores, read again where the board is another; None after drawing why there are none."""
    wanted = (like(board), dict(session().choices), dict(earlier.instead))
    if earlier.wanted != wanted:
        earlier.wanted, earlier.scores, earlier.problem = wanted, None, None
        try:
            earlier.job = begin(
                EARLIER, readings.read_earlier, earlier.file, bounds(), most_seconds(), *wanted
            )
        except NlpstatError as error:  # a bound of this server that is no number
            earlier.problem = error.sentence
    if earlier.job is not None:
        if not earlier.job.ended:
            draw_waiting(earlier.job, EARLIER, f"Reading {markdown(earlier.file[1])}")
            return None
        if earlier.job.cancelled:
            st.warning(f"Reading {markdown(earlier.file[1])} was cancelled.")
            st.button("Start again", on_click=_start_again, args=(earlier,), key="retry earlier board")
            return None
        earlier.scores, problem = outcome(earlier.job)
        earlier.problem = None if problem is None else problem.sentence
        earlier.job = None
        session_jobs().drop(EARLIER)
    if earlier.problem is not None:
        st.error(f"This file can't be used. {markdown(in_app(earlier.problem))}")
        _forget_button()
    return earlier.scores


def _start_again(earlier: Earlier) -> None:
    earlier.wanted = earlier.job = None


def _draw_which(earlier: Earlier, scores: ScoreMatrix, board: Like) -> None:
    """Which board of the file it is, a menu where the board's own isn't there, and a way to put it aside."""
    facts = [f"Earlier board: **{markdown(scores.source)}**"]
    for keyword in ("metric", "dataset"):
        name = named(scores, keyword)
        if name is not None:
            facts.append(f"{NOUNS[keyword]} {markdown(name)}")
    facts.append("lower is better" if scores.lower_is_better else "higher is better")
    facts.append(f"{count_of(scores.n_systems, 'system')} × {count_of(scores.n_units, 'item')}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(" · ".join(facts), width="content")
        _forget_button()
    for keyword, what in SEVERAL:
        now, names = getattr(board, keyword), scores.several.get(what, [])
        if names and (keyword in earlier.instead or named(scores, keyword) != now):
            key = f"earlier {keyword} {scores.fingerprint}"
            st.selectbox(
                f"{CHOICES[what][1]} of the earlier board",
                key=key,
                on_change=_choose,
                args=(earlier, keyword, key),
                width=320,
                **menu_of(scores, what, names),
            )
        if now is not None and named(scores, keyword) not in (None, now):
            st.warning(
                f"Not the same {NOUNS[keyword]}: this board shows {markdown(now)}, the earlier file "
                f"{markdown(str(named(scores, keyword)))}.",
                icon=":material/warning:",
            )


def _choose(earlier: Earlier, keyword: str, key: str) -> None:
    earlier.instead.pop(keyword, None)
    if st.session_state[key] is not None:
        earlier.instead[keyword] = st.session_state[key]


def _forget_button() -> None:
    st.button("Forget this file", on_click=_forget, key="forget earlier board", icon=":material/close:")


def _forget() -> None:
    """Let go of the file and of what it was compared for; the board stays."""
    here = session()
    here.earlier = here.earlier_problem = None
    st.session_state[FOLD.format(CHANGES)] = True  # without the file it is another fold, which starts closed
    retry(CHANGES)
    for key in [key for key in here.results if key[0] == CHANGES]:
        del here.results[key]
