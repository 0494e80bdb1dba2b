"""Which systems of a long leaderboard a figure shows: the top, the neighbours of one, those by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis

FEW = 40  # up to here there is nothing to choose
MOST = 200  # beyond, cells are smaller than a pixel or two and the browser slows down
TOP, AROUND, NAMED, ALL = "Top of the board", "Around one system", "Names that contain …", "All"


def choose_systems(analysis: Analysis, key: str) -> list[int]:
    """Let the user choose part of a long board.

    Parameters
    ----------
    analysis : Analysis
    key : str

    Returns
    -------
    list of int
        Positions in the leaderboard, rising.
    """
    board = analysis.leaderboard
    if len(board) <= FEW:
        return list(range(len(board)))
    ways = [TOP, AROUND, NAMED] if len(board) > MOST else [TOP, AROUND, NAMED, ALL]
    way = st.selectbox("Systems", ways, key=f"{key} way", persist_state="session", width=220)
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
        width=130,
    )
    if around is None:
        return list(range(size))
    return neighbours(board.system.index(around), size, len(board))


def neighbours(centre: int, size: int, total: int) -> list[int]:
    """Positions around one system, as many above as below where the board allows.

    Parameters
    ----------
    centre, size, total : int

    Returns
    -------
    list of int

    Examples
    --------
    >>> neighbours(5, 4, 10), neighbours(0, 4, 10), neighbours(9, 4, 10)
    ([3, 4, 5, 6], [0, 1, 2, 3], [6, 7, 8, 9])
    """
    first = max(0, min(centre - size // 2, total - size))
    return list(range(first, min(total, first + size)))


def named(systems: tuple[str, ...], part: str) -> list[int]:
    """Positions of systems whose name contains a text; the first ones when it is empty.

    Parameters
    ----------
    systems : tuple of str
    part : str

    Returns
    -------
    list of int
        At most MOST.

    Examples
    --------
    >>> named(("Tern", "Heron", "Tern-2"), "tern")
    [0, 2]
    """
    if not part.strip():
        return list(range(min(FEW, len(systems))))
    wanted = part.strip().casefold()
    return [i for i, name in enumerate(systems) if wanted in name.casefold()][:MOST]
