"""Asks what several runs of a system are: trainings, or samples of one system."""

import streamlit as st

from dashboard.text import markdown
from nlpstat_core.report.wording.runs import runs_counted
from nlpstat_core.scores.matrix import ScoreMatrix

_KINDS = {
    "training": "separate training runs: results generalise to further training runs",
    "samples": "repeated samples of one system: they are averaged, and results hold for these runs only",
}
_OTHER = {"training": "samples", "samples": "training"}
_SUGGESTED = {"training": "repeated samples", "samples": "training runs"}
_BUTTONS = {"training": "No, they are repeated samples", "samples": "No, they are training runs"}


def draw_runs_question(scores: ScoreMatrix, taken_as: str) -> None:
    """One line that says what runs are taken for, with the other answer a click away; nothing without runs.

    taken_as: The setting in force.
    """
    runs = scores.runs
    if runs is None:
        return
    where = f" ({markdown(runs.column)})" if runs.column else ""
    hint = ""
    if runs.proposal not in (None, taken_as):
        hint = f" Its name suggests {_SUGGESTED[taken_as]}."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{runs_counted(runs).capitalize()}**{where}: taken as {_KINDS[taken_as]}.{hint}",
            width="content",
        )
        st.button(
            _BUTTONS[taken_as],
            on_click=_answer,
            args=(_OTHER[taken_as],),
            key="answer runs",
            type="tertiary",
            help="Training runs (seeds, folds): one run gives the scores on all items, so tests account for "
            "the variation between runs. Samples (temperature, epochs of an evaluation): every answer was "
            "sampled independently.",
        )


def _answer(kind: str) -> None:
    st.session_state["runs"] = kind
