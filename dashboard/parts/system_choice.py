"""Which systems of a leaderboard are shown: the top, the neighbours of one, those by name or family."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.text import markdown
from nlpstat_core.errors import shown

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis

FEW = 40  # up to here there is nothing to choose
MOST = 200  # beyond, cells are smaller than a pixel or two and the browser slows down
FEWEST_TO_SEARCH = 8
TOP, AROUND, NAMED, ALL = "Top of the board", "Around one system", "Names that contain …", "All"


def choose_systems(analysis: Analysis, key: str) -> list[int]:
    """Let the user choose part of a long board; positions in the leaderboard, rising."""
    board = analysis.leaderboard
    if len(board) <= FEW:
        return list(range(len(board)))
    ways = [TOP, AROUND, NAMED] if len(board) > MOST else [TOP, AROUND, NAMED, ALL]
    way = st.selectbox("Systems", ways, key=f"{key} way", persist_state="session", width=190)
    if way == ALL:
        return list(range(len(board)))
    if way == NAMED:
        return named(
            board.system,
            st.text_input("Part of the name", key=f"{key} name", persist_state="session", width=220),
        )
    around = None
    if way == AROUND:
        around = st.selectbox("System", board.system, key=f"{key} around", persist_state="session", width=260)
    size = st.number_input(
        "How many",
        min_value=2,
        max_value=min(MOST, len(board)),
        value=FEW,
        step=10,
        key=f"{key} size",
        persist_state="session",
        width=120,
    )
    if around is None:
        return list(range(size))
    return neighbours(board.system.index(around), size, len(board))


def neighbours(centre: int, size: int, total: int) -> list[int]:
    """Positions around one system, as many above as below where the board allows.

    >>> neighbours(5, 4, 10), neighbours(0, 4, 10), neighbours(9, 4, 10)
    ([3, 4, 5, 6], [0, 1, 2, 3], [6, 7, 8, 9])
    """
    first = max(0, min(centre - size // 2, total - size))
    return list(range(first, min(total, first + size)))


def named(systems: tuple[str, ...], part: str) -> list[int]:
    """Positions of systems whose name contains a text; the first ones when it is empty.

    Returns: At most MOST.

    >>> named(("Tern", "Heron", "Tern-2"), "tern")
    [0, 2]
    """
    if not part.strip():
        return list(range(min(FEW, len(systems))))
    wanted = part.strip().casefold()
    return [i for i, name in enumerate(systems) if wanted in name.casefold()][:MOST]


def families(systems: tuple[str, ...]) -> dict[str, list[int]]:
    """Systems whose names begin with the same word: releases and sizes of one model.

    Returns: Positions by the common beginning; only families of two systems and more, and none where one
        holds them all.

    >>> families(("ONLINE-A", "Llama3-70B", "ONLINE-B", "GPT-4"))
    {'ONLINE': [0, 2]}
    """
    found: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    for place, system in enumerate(systems):
        match = re.search(r"[^\W\d_]{2,}", system)
        if match is not None:
            name = names.setdefault(match[0].casefold(), match[0])
            found.setdefault(name, []).append(place)
    return {name: places for name, places in found.items() if 1 < len(places) < len(systems)}


def search_systems(systems: tuple[str, ...], key: str) -> list[int]:
    """A search field and a menu of families above a table of systems; nothing above a short one.

    systems: Best first.
    Returns: Positions, rising; everything where nothing is searched for.
    """
    everything = list(range(len(systems)))
    if len(systems) < FEWEST_TO_SEARCH:
        return everything
    grouped = families(systems)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = st.text_input(
            "Find systems",
            key=f"{key} find",
            placeholder="parts of names, separated by commas",
            width=300,
        )
        chosen = (
            st.multiselect(
                "Families",
                sorted(grouped, key=lambda name: (-len(grouped[name]), name)),
                key=f"{key} families",
                format_func=lambda name: f"{name} ({len(grouped[name])})",
                placeholder="all",
                width=320,
            )
            if grouped
            else []
        )
    found = containing(systems, part)
    if not found:
        st.info(markdown(nothing_found(part)))
        return []
    wanted = {place for name in chosen if name in grouped for place in grouped[name]}
    kept = [place for place in found if not wanted or place in wanted]
    if not kept:
        st.info(markdown(f"{nothing_found(part).removesuffix('.')} in the families chosen."))
    return kept


def containing(systems: tuple[str, ...], part: str) -> list[int]:
    """Positions of systems whose name contains a text, or one of several between commas.

    >>> containing(("GPT-4", "Claude-3.5", "IKUN"), "gpt, ikun")
    [0, 2]
    """
    wanted = [word.strip().casefold() for word in part.split(",") if word.strip()]
    return [i for i, name in enumerate(systems) if not wanted or any(w in name.casefold() for w in wanted)]


def nothing_found(part: str) -> str:
    """What is said of a search that finds nothing.

    >>> nothing_found("zzzz")
    "No name contains 'zzzz'."
    """
    return f"No name contains {shown(part.strip())}."
