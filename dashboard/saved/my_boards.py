"""Draws the page of saved boards: the list, the form to save, and one board with everything about it."""

from collections.abc import Mapping

import streamlit as st

from dashboard.parts.changes import draw_changes
from dashboard.parts.panels import delivered
from dashboard.saved import reviewing, work
from dashboard.saved.board_page import (
    delivered_projection,
    draw_files,
    draw_projection,
    draw_sheet,
    open_everywhere,
)
from dashboard.saved.identity import viewer as who
from dashboard.saved.save import CHOSEN, draw_save
from dashboard.saved.seen import seen_revisions
from dashboard.text import markdown
from nlpstat_core.errors import NlpstatError
from nlpstat_core.saved_boards.access import Access, Viewer, boards_of
from nlpstat_core.saved_boards.limits import keep_days
from nlpstat_core.saved_boards.projection import Overview, Projection, VersionLine, overview

# Part of the page, and what the viewer must be allowed to do to see it ("" for everybody).
PARTS = (
    ("Board", ""),
    ("What changed", "comment"),
    ("Comments", "comment"),
    ("Members", "members"),
    ("Links", "links"),
    ("Files", ""),
    ("State", "state"),
)


def draw_my_boards() -> None:
    """The whole page."""
    try:
        viewer = who()
        if viewer is None:
            return
        boards = boards_of(work.database(), viewer)
        days = keep_days()
    except NlpstatError as error:
        st.error(markdown(str(error)))
        return
    seen_revisions(boards)
    reviewing.draw_outcome()
    with st.expander("Save what is on screen", expanded=not boards):
        draw_save(viewer, boards)
    if days is not None:
        st.caption(f"Boards that nobody changes for {days:,} days are deleted.")
    chosen = _chosen(boards)
    if chosen is None:
        st.info("No boards yet: nobody has saved one, or shared one with you.")
        return
    try:
        _draw_board(viewer, overview(work.database(), viewer, chosen.board))
    except NlpstatError as error:
        st.error(markdown(str(error)))


def _chosen(boards: tuple[Access, ...]) -> Access | None:
    if not boards:
        return None
    by_id = {one.board: one for one in boards}
    if st.session_state.get(CHOSEN) not in by_id:
        st.session_state[CHOSEN] = boards[0].board
    chosen = st.selectbox(
        "Board",
        tuple(by_id),
        key=CHOSEN,
        format_func=lambda board: f"{by_id[board].title} ({by_id[board].state})",
        persist_state="session",
    )
    return by_id[str(chosen)]


def _draw_board(viewer: Viewer, seen: Overview) -> None:
    here = seen.access
    st.header(markdown(here.title), anchor=False, divider="grey")
    st.caption(f"{here.state}, you are {here.role}")
    parts = [name for name, may in PARTS if not may or may in here.may]
    number = int(here.latest)
    if len(here.versions) > 1:
        lines = {line.number: line for line in seen.versions}
        number = int(
            st.selectbox(
                "Version", here.versions, format_func=lambda n: _version_words(n, lines), key="saved version"
            )
        )
    part = st.segmented_control(
        "Part", parts, default=parts[0], key="saved part", label_visibility="collapsed"
    )
    found = delivered_projection(viewer, seen, number)
    if part == "What changed":
        _draw_changes(viewer, seen, number)
    elif part == "Comments":
        reviewing.draw_comments(viewer, seen, number, reviewing.systems_of(found))
    elif part == "Members":
        reviewing.draw_members(viewer, seen, reviewing.systems_of(found))
    elif part == "Links":
        reviewing.draw_links(viewer, seen, reviewing.systems_of(found))
    elif part == "State":
        reviewing.draw_state(viewer, seen)
    elif found is not None and part == "Files":
        draw_files(viewer, found, "saved file")
    elif found is not None:
        _draw_seen(viewer, seen, found)


def _version_words(number: int, lines: Mapping[int, VersionLine]) -> str:
    line = lines.get(number)
    if line is None:
        return f"Version {number}"
    remark = f": {line.remark}" if line.remark else ""
    return f"Version {number}, {line.saved_at[:10]}, {line.systems} systems × {line.units} items{remark}"


def _draw_seen(viewer: Viewer, seen: Overview, found: Projection) -> None:
    if found.analysis is not None:
        st.button("Open on all pages", on_click=open_everywhere, args=(viewer, found, found.analysis))
    if found.analysis is not None and seen.access.system is not None:
        own = delivered(work.ask_projection(viewer, seen, found.number, own=True), "Computing your sheet")
        if own is not None and own.sheet is not None:
            with st.expander("Your own sheet", expanded=True):
                draw_sheet(own.sheet)
                draw_files(viewer, own, "own sheet")
    draw_projection(found)


def _draw_changes(viewer: Viewer, seen: Overview, number: int) -> None:
    others = [other for other in seen.access.versions if other != number]
    if not others:
        st.caption("There is one version so far; save another to see what changed.")
        return
    earlier = [other for other in others if other < number]
    before = st.selectbox(
        "Since version", others, index=others.index(earlier[0]) if earlier else 0, key=f"saved since {number}"
    )
    compared = delivered(work.ask_changes(viewer, seen, int(before), number), "Comparing the versions")
    if compared is not None:
        both = (int(before), number)
        draw_changes(
            compared, "saved changes", lambda make: work.still_theirs(viewer, seen.access, both, make)
        )
