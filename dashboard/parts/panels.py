"""What every page shares: the empty state, progress of a job, notes, and the analysis to draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from dashboard.background.jobs import Job
from dashboard.navigation import LANDING, SAVED, page_path, page_title
from dashboard.session.requests import ANALYSIS, ask_analysis
from dashboard.session.results import Answer, chosen_config, retry, session_jobs
from dashboard.session.state import session
from dashboard.session.uploads import examples, take_example
from dashboard.text import in_app, markdown, note_in_app
from nlpstat_core.errors import NlpstatError
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.saved_boards import configured

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

# What an analysis says of the same thing with more to do about it.
SAYS_MORE = {"disjoint-pairs": ("no-shared-units",)}
POLL_SECONDS = 0.5
LEAST_SHARE, LEAST_SECONDS = 0.02, 2.0  # before that an estimate would jump
Result = TypeVar("Result")
# A bar of work that can't tell how far it is moves all the same.
MOVING = (
    "<style>[class*=st-key-moving-bar] [data-testid=stProgress] [role=progressbar] > div > div {"
    "background: linear-gradient(90deg, transparent, #0072B2, transparent); background-size: 40% 100%; "
    "background-repeat: no-repeat; animation: moving-bar 1.6s linear infinite} "
    "@keyframes moving-bar {from {background-position: -40% 0} to {background-position: 140% 0}}</style>"
)
WAITING_POLL_SECONDS = 1.5  # work that waits for others isn't there sooner for being asked after


def empty_state() -> None:
    """Say that there is no data and how to get some: the upload page, or one click on an example."""
    st.info("No scores yet. Load a score file (test items × systems), or look at an example first.")
    with st.container(horizontal=True):
        st.page_link(page_path(LANDING), label="Load a score file", icon=":material/upload_file:")
        first = examples()[0]
        st.button(f"Try the example: {first['title']}", on_click=take_example, args=(first,))


def current_analysis() -> Analysis | None:
    """The analysis the page is to draw, after drawing whatever has to be said about it.

    Returns: None when there is no data or no result yet; then the page has nothing more to draw.
    """
    here = session()
    if here.scores is None:
        empty_state()
        return None
    try:
        config = chosen_config()
    except NlpstatError as error:
        answer: Answer[Analysis] = Answer(problem=error.sentence)
    else:
        answer = ask_analysis(here.scores, config)
    if answer.value is not None:
        here.shown = (ANALYSIS, (answer.value.fingerprint, config))
        return answer.value
    delivered(answer, "Comparing all pairs of systems", refused=_unusable)
    return None if answer.job is not None else _previous()


def _unusable(problem: str) -> None:
    st.error(f"These settings can't be used with these scores. {markdown(problem)}")


def _previous() -> Analysis | None:
    """The analysis that was on screen before, with a word on what it belongs to."""
    here = session()
    previous: Analysis | None = None if here.shown is None else here.results.get(here.shown)
    if previous is not None:
        st.caption(f"Below are the results of the previous settings: {markdown(previous.signature)}")
    return previous


def _progress_panel(job: Job[object], kind: str, what: str) -> None:
    """Show how far a job is, with a way to stop it; the page follows by itself when it ends."""

    @st.fragment(run_every=WAITING_POLL_SECONDS if job.queued else POLL_SECONDS)
    def panel() -> None:
        if job.ended:
            st.rerun()
        done, total = job.progress
        ahead = session_jobs().ahead_of(kind) if job.queued else None
        if ahead is not None and ahead.page != job.page:
            text = f"{what}: after the work of the page {page_title(ahead.page)}{_still(ahead)} …"
        elif ahead is not None:
            text = f"{what}: after the other work of this page …"
        elif job.queued and session_jobs().still_stopping(kind):
            text = f"{what}: as soon as your work before it has stopped …"
        elif job.queued:
            text = f"{what}: waiting for other users' work to finish …"
        elif total:
            text = f"{what}: {done:,} of {total:,}, {job.seconds:.0f} s{_still(job)}"
        else:
            text = f"{what}, {job.seconds:.0f} s …"
        with st.container(key=f"moving-bar {kind}" if not total else f"told bar {kind}"):
            if not total:
                st.html(MOVING)
            st.progress(job.share_done, text=text)
        st.button("Cancel", on_click=job.cancel, key=f"cancel {kind}")

    panel()


def _still(job: Job[object]) -> str:
    """About how long the work still takes, as soon as that can be said."""
    share, spent = job.share_done, job.seconds
    if share < LEAST_SHARE or spent < LEAST_SECONDS:
        return ""
    left = spent * (1 - share) / share
    return f", about {left:.0f} s to go" if left < 100 else f", about {left / 60:.0f} min to go"


def as_error(problem: str) -> None:
    """Draw why work can't be done."""
    st.error(markdown(problem))


def as_information(problem: str) -> None:
    """Draw why work can't be done where the page is complete without it."""
    st.info(markdown(problem))


def delivered(
    answer: Answer[Result], what: str, *, refused: Callable[[str], None] = as_error
) -> Result | None:
    """The result of background work, or None after drawing why there is none yet: how far it is, why it was
    refused, or that it was cancelled.

    what: What is being done, for people: "Joining rows".
    refused: Draws the sentence of work that can't be done.
    """
    if answer.job is not None:
        _progress_panel(answer.job, answer.kind, what)
    elif answer.problem is not None:
        refused(in_app(answer.problem))
    elif answer.cancelled:
        st.warning(f"{what} was cancelled.")
        st.button("Start again", on_click=retry, args=(answer.kind,), key=f"retry {answer.kind}")
    return answer.value


def show_problems(notes: Sequence[Note]) -> None:
    """Notes that nobody may miss: they stand above the results."""
    codes = {note.code for note in notes}
    problems = [
        note
        for note in notes
        if note.severity == "problem" and codes.isdisjoint(SAYS_MORE.get(note.code, ()))
    ]
    if problems:
        st.error(_listed(problems), icon=":material/error:")


def show_remarks(notes: Sequence[Note], *, about: str = "") -> None:
    """The other notes: cautions in the open, the rest folded away.

    about: What the folded ones are about, behind their number: "on this pair".
    """
    cautions = [note for note in notes if note.severity == "caution"]
    rest = [note for note in notes if note.severity == "info"]
    if cautions:
        st.warning(_listed(cautions), icon=":material/warning:")
    if rest:
        with st.expander(f"{count_of(len(rest), 'note')} {about}".strip()):
            st.markdown(_listed(rest))


def _listed(notes: Sequence[Note]) -> str:
    if len(notes) == 1:
        return markdown(note_in_app(notes[0].text))
    return "\n".join(f"* {markdown(note_in_app(note.text))}" for note in notes)


def signature_line(analysis: Analysis) -> None:
    """The settings and the data that results belong to, folded away."""
    fingerprint = analysis.fingerprint.removeprefix("sha256:")[:12]
    with st.expander("Settings and fingerprint of these results"):
        st.caption(f"Settings {markdown(analysis.signature)} · data {fingerprint}")


def link_to_saving() -> None:
    """The link to the page that saves this board for later and for others to review."""
    if configured() is not None:
        label = "Keep this board: save it, review it with others, see later what changed"
        st.page_link(page_path(SAVED), label=label, icon=":material/bookmark_add:")
