"""What every page shares: the empty state, progress of a job, notes, and the analysis to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.asking import ANALYSIS, ask_analysis
from dashboard.compute import Answer, chosen_config, retry
from dashboard.jobs import Job
from dashboard.navigation import LANDING, page_path
from dashboard.state import session
from dashboard.text import markdown
from dashboard.uploads import examples, take_example
from nlpstat_core.errors import NlpstatError
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

POLL_SECONDS = 0.5
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

    Returns
    -------
    Analysis or None
        None when there is no data or no result yet; then the page has nothing more to draw.
    """
    here = session()
    if here.scores is None:
        empty_state()
        return None
    try:
        config = chosen_config()
    except NlpstatError as error:
        answer = Answer(problem=str(error))
    else:
        answer = ask_analysis(here.scores, config)
    if answer.value is not None:
        found: Analysis = answer.value
        here.shown = (ANALYSIS, (found.fingerprint, found.config))
        return found
    if answer.job is not None:
        progress_panel(answer.job, ANALYSIS, "Comparing all pairs of systems")
        return None
    if answer.problem is not None:
        st.error(f"These settings can't be used with these scores. {markdown(answer.problem)}")
    else:
        cancelled_panel(ANALYSIS, "The comparison was cancelled.")
    return _previous()


def _previous() -> Analysis | None:
    """The analysis that was on screen before, with a word on what it belongs to."""
    here = session()
    previous: Analysis | None = here.results.get(here.shown)
    if previous is not None:
        st.caption(f"Below are the results of the settings before: `{previous.signature}`")
    return previous


def progress_panel(job: Job, kind: str, what: str) -> None:
    """Show how far a job is, with a way to stop it; the page follows by itself when it ends.

    Parameters
    ----------
    job : Job
    kind : str
    what : str
        What is being done, for people.
    """

    @st.fragment(run_every=WAITING_POLL_SECONDS if job.queued else POLL_SECONDS)
    def panel() -> None:
        if job.ended:
            st.rerun()
        done, total = job.progress
        if job.queued:
            told = f"{what}: waiting for other users' work to finish …"
        elif total:
            told = f"{what}: {done:,} of {total:,}, {job.seconds:.0f} s"
        else:
            told = f"{what}, {job.seconds:.0f} s …"
        st.progress(job.share_done, text=told)
        st.button("Cancel", on_click=job.cancel, key=f"cancel {kind}")

    panel()


def cancelled_panel(kind: str, told: str) -> None:
    """Say that work was stopped, with a way to start it again.

    Parameters
    ----------
    kind : str
    told : str
    """
    st.warning(told)
    st.button("Start again", on_click=retry, args=(kind,), key=f"retry {kind}")


def delivered(answer: Answer, kind: str, what: str) -> Any:
    """The result of background work, or None after drawing why there is none yet.

    Parameters
    ----------
    answer : Answer
    kind : str
    what : str
        What is being done, for people.

    Returns
    -------
    object or None
    """
    if answer.job is not None:
        progress_panel(answer.job, kind, what)
    elif answer.problem is not None:
        st.error(markdown(answer.problem))
    elif answer.cancelled:
        cancelled_panel(kind, f"{what}: cancelled.")
    return answer.value


def show_problems(notes: Sequence[Note]) -> None:
    """Notes that nobody may miss: they stand above the results.

    Parameters
    ----------
    notes : sequence of Note
    """
    problems = [note for note in notes if note.severity == "problem"]
    if problems:
        st.error(_listed(problems), icon=":material/error:")


def show_remarks(notes: Sequence[Note], *, about: str = "") -> None:
    """The other notes: cautions in the open, the rest folded away.

    Parameters
    ----------
    notes : sequence of Note
    about : str
        What the folded ones are about, behind their number: "on this pair".
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
        return markdown(notes[0].text)
    return "\n".join(f"* {markdown(note.text)}" for note in notes)


def notes_of(analysis: Analysis) -> list[Note]:
    """Notes of an analysis without the proposals that were taken up.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    list of Note
    """
    settled = {"block-column-proposed"} if analysis.config.block_column is not None else set()
    return [note for note in analysis.notes if note.code not in settled]


def signature_line(analysis: Analysis) -> None:
    """One line under results that names the settings and the data they belong to.

    Parameters
    ----------
    analysis : Analysis
    """
    fingerprint = analysis.fingerprint.removeprefix("sha256:")[:12]
    st.caption(f"Settings {markdown(analysis.signature)} · data {fingerprint}")
