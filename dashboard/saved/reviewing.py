"""Draws comments, members and links of a saved board, and its states. Forms say what was refused and why."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from dashboard.navigation import SAVED, SHARED
from dashboard.parts.file_buttons import file_button
from dashboard.parts.link_problems import SHARED_LINK
from dashboard.parts.result_table import draw_frame
from dashboard.saved.seen import seen_revision
from dashboard.saved.work import database
from dashboard.text import markdown
from nlpstat_core.errors import NlpstatError
from nlpstat_core.saved_boards import comments, exchange, links, members, states
from nlpstat_core.saved_boards.access import ROLES, STATES, Viewer
from nlpstat_core.saved_boards.errors import Conflict
from nlpstat_core.saved_boards.limits import LONGEST_COMMENT, LONGEST_TITLE
from nlpstat_core.saved_boards.projection import Overview, Projection
from nlpstat_core.saved_boards.saving import changed_meanwhile, delete_board

Result = TypeVar("Result")
STATE_WORDS = {
    "draft": "Draft: owners and editors only",
    "review": "Review: reviewers, too; participants see their own score",
    "published": "Published: participants and open links see this version",
}
KIND_WORDS = {"board": "the whole board", "pair": "a pair", "system": "a system", "unit": "an item"}
LINK_WORDS = {"read": "the board, to read", "sheet": "one participant's sheet"}
NEW_LINK = "saved board new link"
MOST_SHOWN = 200
SECONDS_TOLD = 20.0
TOLD = "saved board told"


def done(deed: Callable[[], Result], text: str) -> Result | None:
    """Do something with a board and draw the page anew; where it is refused, say why and change nothing.

    text: What is said afterwards.
    Returns: What the deed returned; None where it was refused.
    """
    try:
        found = deed()
    except NlpstatError as error:
        tell(str(error), bad=True)
        return None
    tell(text)
    return found


def tell(text: str, *, bad: bool = False) -> None:
    """Have the page say what came of a click, for some seconds: it may be drawn several times meanwhile.

    bad: Whether it was refused.
    """
    st.session_state[TOLD] = (text, bad, time.monotonic())


def draw_outcome() -> None:
    """What came of the last click."""
    text, bad, when = st.session_state.get(TOLD, ("", False, 0.0))
    if text and time.monotonic() - when < SECONDS_TOLD:
        (st.error if bad else st.success)(markdown(text))


def draw_comments(viewer: Viewer, seen: Overview, number: int, systems: Sequence[str]) -> None:
    """The comments on all versions, and the form for a new one."""
    board = seen.access.board
    _new_comment(viewer, board, number, systems)
    resolved = st.toggle("Show resolved ones", key="saved resolved")
    shown = [one for one in reversed(seen.comments) if resolved or one.resolved_at is None]
    if not shown:
        st.caption("No open comments.")
    for one in shown[:MOST_SHOWN]:
        with st.container(border=True):
            about = " – ".join(markdown(name) for name in one.anchor[1:])
            st.markdown(f"**{KIND_WORDS[one.anchor[0]]}** {about} · version {one.version}")
            # Plain text, line by line: nothing in it is markup.
            st.markdown("  \n".join(markdown(line) for line in one.text.split("\n")))
            left, right = st.columns([3, 1], vertical_alignment="center")
            left.caption(f"{markdown(one.author)}, {_day(one.written_at)}")
            again = one.resolved_at is not None
            right.button(
                "Open again" if again else "Resolve",
                key=f"resolve {one.id}",
                on_click=done,
                args=(_resolve(viewer, board, one.id, again), "Opened again." if again else "Resolved."),
                width="stretch",
            )
    if len(shown) > MOST_SHOWN:
        st.caption(f"The newest {MOST_SHOWN} of {len(shown):,}; the export holds all.")


def _resolve(viewer: Viewer, board: str, comment: str, again: bool) -> Callable[[], None]:
    return lambda: comments.resolve_comment(database(), viewer, board, comment, resolved=not again)


def _new_comment(viewer: Viewer, board: str, number: int, systems: Sequence[str]) -> None:
    kind = st.selectbox(
        "Comment on", tuple(KIND_WORDS), format_func=KIND_WORDS.__getitem__, key="saved anchor"
    )
    with st.form("comment", clear_on_submit=True):
        names: list[str] = []
        if kind == "unit":
            names = [st.text_input("Item (its id, or row 1, row 2 …)")]
        elif kind in ("system", "pair"):
            first = st.selectbox("System", systems, key="saved first")
            names = [str(first)]
            if kind == "pair":
                names.append(
                    str(st.selectbox("and", systems, index=min(1, len(systems) - 1), key="saved second"))
                )
        text = st.text_area("Comment (plain text)", max_chars=LONGEST_COMMENT)
        if st.form_submit_button("Comment"):
            done(
                lambda: comments.add_comment(database(), viewer, board, number, (kind, *names), text),
                "Your comment is saved.",
            )
            st.rerun()


def draw_state(viewer: Viewer, seen: Overview) -> None:
    """The state of a board, its title, the export and its end."""
    here = seen.access
    with st.form("state"):
        title = st.text_input("Title", here.title, max_chars=LONGEST_TITLE)
        options = STATES if "publish" in here.may else STATES[:2]
        index = options.index(here.state) if here.state in options else 0
        state = st.radio("State", options, index=index, format_func=STATE_WORDS.__getitem__)
        if here.state == "published" and here.latest > here.published:
            st.caption(f"Version {here.published} is published; publish again to show version {here.latest}.")
        if st.form_submit_button("Apply"):
            done(lambda: _apply(viewer, seen, title, str(state)), "Changed.")
            st.rerun()
    if "export" in here.may:
        file_button(
            "board.zip",
            lambda: exchange.export_board(database(), viewer, here.board),
            label="Export (signed zip)",
            help="Every version, comment and line of the log, signed with this server's key. The signature "
            "says that the file comes from this server and was not changed; not that the scores are right.",
        )
    if "delete" in here.may:
        with st.popover("Delete board …"):
            st.markdown("This deletes every version, comment, link and the log. It can't be undone.")
            st.button(
                "Delete everything about this board",
                on_click=done,
                args=(lambda: delete_board(database(), viewer, here.board, seen=here.revision), "Deleted."),
            )


def _apply(viewer: Viewer, seen: Overview, title: str, state: str) -> None:
    here, revision = seen.access, seen_revision(seen.access.board)
    if revision not in (None, here.revision):  # the form was drawn anew, with theirs in it
        raise Conflict(changed_meanwhile(here.revision, revision))
    if title != here.title:
        states.rename_board(database(), viewer, here.board, title, seen=revision)
        revision = None if revision is None else revision + 1
    if state != here.state or (state == "published" and here.published != here.latest):
        states.change_state(database(), viewer, here.board, state, seen=revision)


def draw_members(viewer: Viewer, seen: Overview, systems: Sequence[str]) -> None:
    """The list of members, with forms to change it."""
    import pandas as pd

    board = seen.access.board
    rows = [(one.identity.name, one.role, one.system or "") for one in seen.members]
    draw_frame(pd.DataFrame(rows, columns=["Member", "Role", "System"]))
    with st.form("member", clear_on_submit=True):
        who = st.text_input("E-mail address, or issuer and subject separated by a space")
        role = st.selectbox("Role", ROLES, index=2)
        system = st.selectbox("System (of a participant)", systems)
        if st.form_submit_button("Add or change"):
            own = str(system) if role == "participant" else None
            done(
                lambda: members.set_member(
                    database(), viewer, board, who, str(role), own, seen=seen_revision(board)
                ),
                "The list is changed.",
            )
            st.rerun()
    with st.form("remove member"):
        listed = {one.identity.tagged: one.identity for one in seen.members}
        gone = st.selectbox("Remove", tuple(listed), format_func=lambda tagged: listed[tagged].name)
        if st.form_submit_button("Remove"):
            done(
                lambda: members.remove_member(
                    database(), viewer, board, listed[str(gone)], seen=seen_revision(board)
                ),
                "Removed.",
            )
            st.rerun()


def draw_links(viewer: Viewer, seen: Overview, systems: Sequence[str]) -> None:
    """Links for people without an account; a new one is shown once."""
    board = seen.access.board
    of, made = st.session_state.get(NEW_LINK, (None, ""))
    if of == board:
        st.success("Copy this link now: only a hash of it is kept, so it can't be shown again later.")
        st.code(made, language=None, wrap_lines=True)
    if seen.access.state != "published":
        st.caption(
            "Links to the board work once it is published; during review, a link to a sheet shows only that "
            "participant's own score."
        )
    with st.form("link"):
        kind = st.selectbox("What it shows", tuple(LINK_WORDS), format_func=LINK_WORDS.__getitem__)
        system = st.selectbox("Participant (for a sheet)", systems)
        hide = st.checkbox("Hide the names of other systems")
        days = st.number_input("Valid for (days)", min_value=1, max_value=3650, value=30)
        if st.form_submit_button("Make link"):
            own = str(system) if kind == "sheet" else None
            token = done(
                lambda: links.make_link(
                    database(),
                    viewer,
                    board,
                    str(kind),
                    system=own,
                    hide_names=hide,
                    days=int(days),
                    seen=seen_revision(board),
                ),
                "The link is made.",
            )
            if token is not None:
                base = str(st.context.url or "").partition("?")[0].rstrip("/").removesuffix(f"/{SAVED}")
                st.session_state[NEW_LINK] = (board, f"{base}/{SHARED}?{SHARED_LINK}={token}")
            st.rerun()
    for one in seen.links:
        left, right = st.columns([3, 1], vertical_alignment="center")
        what = "board" if one.system is None else f"sheet of {markdown(one.system)}"
        hidden = ", names hidden" if one.hide_names else ""
        ends = "withdrawn" if one.revoked_at else f"until {_day(one.expires_at or '')}"
        left.markdown(f"{what}{hidden}, {ends}")
        if one.revoked_at is None:
            right.button(
                "Withdraw",
                key=f"revoke {one.id}",
                on_click=done,
                args=(_revoke(viewer, board, one.id, seen.access.revision), "Withdrawn."),
                width="stretch",
            )


def _revoke(viewer: Viewer, board: str, link: str, seen: int) -> Callable[[], None]:
    return lambda: links.revoke_link(database(), viewer, board, link, seen=seen)


def _day(text: str) -> str:
    return text[:16].replace("T", " ") + " UTC" if text else "withdrawn"


def systems_of(found: Projection | None) -> tuple[str, ...]:
    """The systems that a viewer may name; none while the board is still being computed."""
    return () if found is None or found.analysis is None else found.analysis.scores.systems
