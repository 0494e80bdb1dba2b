"""Pairs of systems that solve a unit or don't: the 2 × 2 table, and the units only one of them solves."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.text import markdown, printable, short
from nlpstat_core.formatting import count_of, format_score

if TYPE_CHECKING:
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.arrays import FloatArray

Scores = TypeVar("Scores", np.ndarray, pd.Series)
UNITS = "Single items"  # the view of the closer look that lists them
ALL, ONLY_A, ONLY_B, BOTH, NEITHER = "all", "only a", "only b", "both", "neither"
FILTER, VIEW = "closer solved", "closer"


def share_text(share: float) -> str:
    """A share of solved units.

    >>> share_text(0.641)
    '64.1 %'
    """
    return f"{format_score(100 * share)} %"


def solved_counts(u: FloatArray, v: FloatArray, *, lower_is_better: bool = False) -> dict[str, int]:
    """How many units both solve, only one, and neither.

    u, v: Scores of a and b, 0 or 1.
    lower_is_better: 0 is the better score: 1 counts an error.

    >>> solved_counts(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    {'both': 1, 'only a': 1, 'only b': 0, 'neither': 1}
    """
    return {name: int(np.count_nonzero(here)) for name, here in _by_who(u, v, lower_is_better).items()}


def _by_who(u: Scores, v: Scores, lower_is_better: bool) -> dict[str, Scores]:
    """Which units both solve, only one, and neither."""
    good = 0.0 if lower_is_better else 1.0
    of_a, of_b = u == good, v == good
    return {BOTH: of_a & of_b, ONLY_A: of_a & ~of_b, ONLY_B: ~of_a & of_b, NEITHER: ~of_a & ~of_b}


def solved_table(counts: dict[str, int], a: str, b: str) -> pd.DataFrame:
    """The 2 × 2 table, a in rows and b in columns, with sums."""
    rows = [[counts[BOTH], counts[ONLY_A]], [counts[ONLY_B], counts[NEITHER]]]
    table = [[*row, sum(row)] for row in rows]
    table.append([sum(column) for column in zip(*table, strict=True)])
    first, second = markdown(short(a)), markdown(short(b))
    return pd.DataFrame(
        [[f"{value:,}" for value in row] for row in table],
        index=[f"{first} solves", f"{first} fails", "Sum"],
        columns=[f"{second} solves", f"{second} fails", "Sum"],
    )


def draw_solved(pair: PairResult, u: FloatArray, v: FloatArray, *, lower_is_better: bool) -> None:
    """The table, the difference in percentage points, and the way to the units only one solves."""
    counts = solved_counts(u, v, lower_is_better=lower_is_better)
    st.table(solved_table(counts, pair.system_a, pair.system_b), border="horizontal")
    points = 100 * (counts[ONLY_A] - counts[ONLY_B]) / u.size
    st.caption(
        markdown(
            f"{pair.system_a} solves {format_score(abs(points))} percentage points "
            f"{'more' if points >= 0 else 'less'} of {count_of(u.size, 'item')}. Only items that one of the "
            f"two solves tell them apart: {counts[ONLY_A] + counts[ONLY_B]:,} here."
        )
    )
    with st.container(horizontal=True):
        for which, name in ((ONLY_A, pair.system_a), (ONLY_B, pair.system_b)):
            st.button(
                f"List the {counts[which]:,} only {markdown(short(name))} solves",
                key=f"solved {which}",
                on_click=_list,
                args=(which,),
                disabled=not counts[which],
            )


def _list(which: str) -> None:
    st.session_state[VIEW], st.session_state[FILTER] = UNITS, which


def choose_solved(frame: pd.DataFrame, pair: PairResult, *, lower_is_better: bool) -> pd.DataFrame:
    """The units of a table that only one system solves, as the menu above it says.

    frame: With columns "a" and "b".
    """
    names = {
        ALL: "All items",
        ONLY_A: f"Only {printable(short(pair.system_a))} solves",
        ONLY_B: f"Only {printable(short(pair.system_b))} solves",
        BOTH: "Both",
        NEITHER: "Neither",
    }
    which = st.segmented_control(
        "Solved by",
        list(names),
        format_func=lambda key: markdown(names[key]),
        default=ALL,
        required=True,
        key=FILTER,
        persist_state="session",
    )
    keep = _by_who(frame["a"], frame["b"], lower_is_better)
    return frame[keep[which]] if which in keep else frame
