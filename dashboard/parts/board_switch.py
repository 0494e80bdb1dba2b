"""Draws the choice of one metric, data set or sheet of an upload that has several, and the way to all."""

from collections.abc import Callable
from typing import TypedDict

import streamlit as st

from dashboard.navigation import page_path
from dashboard.session.facts import kinds_of, known_facts
from dashboard.session.state import session
from dashboard.session.submissions import show_measure
from dashboard.session.uploads import read
from dashboard.text import markdown
from nlpstat_core.report.wording.several_boards import KINDS, listed
from nlpstat_core.scores.like import named
from nlpstat_core.scores.matrix import ScoreMatrix

# What the file has several of: keyword of `read_scores`, title, and what stands for all of them together.
CHOICES = {
    "metrics": ("metric", "Metric", None),
    "datasets": ("dataset", "Data set", "All of them together"),
    "sheets": ("sheet", "Sheet", None),
}
NOUNS = {"metrics": "metrics", "datasets": "data sets", "sheets": "sheets"}


def draw_switch(scores: ScoreMatrix) -> None:
    """Say that the upload holds several boards, and show the way to all of them."""
    several = scores.several
    if not session().can_read_again or not several:
        return
    nouns = {**NOUNS, "metrics": "measures"} if session().submitted is not None else NOUNS
    text = " and ".join(f"{len(names):,} {nouns[what]}" for what, names in several.items())
    named = "; ".join(listed(tuple(names)) for names in several.values())
    # Nothing chosen of what can be read together; metrics and sheets can't.
    together = set(several) == {"datasets"} and scores.reading.get("dataset") is None
    below = "Below they are taken together" if together else "Below is the one named above"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"This upload holds **{text}** ({markdown(named)}). {below}.", width="content")
        link_to_all(scores)


def link_to_all(scores: ScoreMatrix) -> None:
    """The link to the page that compares all boards of the upload; nothing where there is one."""
    if not session().can_read_again:
        return
    found = kinds_of(scores, known_facts(scores), st.session_state.get("block_column"))
    if not found:
        return
    kinds = " or ".join(KINDS[kind] for kind in found)
    st.page_link(page_path("boards"), label=f"Compare all {kinds}", icon=":material/stacked_bar_chart:")


def draw_menus(scores: ScoreMatrix) -> None:
    """A menu for everything the upload has several of."""
    if session().can_read_again:
        for what, names in scores.several.items():
            _draw_choice(scores, what, names)


def _draw_choice(scores: ScoreMatrix, what: str, names: list[str]) -> None:
    keyword, title, _ = CHOICES[what]
    if session().submitted is not None and keyword == "metric":
        title = "Measure"
    key = f"switch {keyword} {scores.fingerprint}"
    with st.container(
        horizontal=True, vertical_alignment="center", width="content"
    ):  # a line breaks before both
        st.html(title, width="content")
        st.selectbox(
            title,
            label_visibility="collapsed",
            width=220,
            key=key,
            on_change=_switch,
            args=(keyword, key),
            **menu_of(scores, what, names),
        )


class Menu(TypedDict):
    """Keywords of `st.selectbox`."""

    options: list[str | None]
    index: int
    format_func: Callable[[str | None], str]


def menu_of(scores: ScoreMatrix, what: str, names: list[str]) -> Menu:
    """What a menu of an upload's metrics, data sets or sheets offers, and where it stands.

    scores: What is shown of the upload.
    """
    keyword, _, together = CHOICES[what]
    now = named(scores, keyword)
    # Data sets inside one file can be read together; files and sheets are one board each.
    whole = together is not None and (now is None or "dataset_column" in scores.reading)
    options: list[str | None] = [*([None] if whole else []), *names]
    return {
        "options": options,
        "index": options.index(now) if now in options else 0,
        "format_func": lambda name: (together or "") if name is None else name,
    }


def _switch(keyword: str, key: str) -> None:
    """Read the file again with another choice; a direction told for one metric isn't told for another."""
    here = session()
    if here.submitted is not None:
        show_measure(str(st.session_state[key]))
        return
    assert here.raw is not None
    left_out = {keyword, "lower_is_better"} if keyword == "metric" else {keyword}
    choices = {name: value for name, value in here.choices.items() if name not in left_out}
    value = st.session_state[key]
    read(here.raw, choices if value is None else {**choices, keyword: value})
