"""Draws what changed between two boards: versions that were saved, or two files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.parts.file_buttons import file_button
from dashboard.parts.result_table import decimal_format, draw_frame, tall
from dashboard.text import markdown
from nlpstat_core.config import SETTINGS
from nlpstat_core.formatting import format_p

if TYPE_CHECKING:
    from dashboard.background.changes import Flipped, Moved, Summary

Row = dict[str, str | float | None]  # of a table, by its titles
POINTS = ("A − B before", "A − B now", "Score before", "Score now")
# How the core's sentence about settings begins; it names them as files do.
ABOUT_SETTINGS = "Settings: "


def draw_changes(
    found: Summary, key: str, guarded: Callable[[Callable[[], str]], Callable[[], str]] | None = None
) -> None:
    """What changed in sentences and tables, with files to take away.

    key: Tells these buttons from others of the page.
    guarded: Has what a button gives looked at once more when it is pressed.
    """
    given, files = found
    told = settings_sentence(given["settings"])
    sentences = [told if told and one.startswith(ABOUT_SETTINGS) else one for one in given["sentences"]]
    st.markdown("\n".join(f"* {markdown(sentence)}" for sentence in sentences))
    _draw_table("Decisions that flipped", flipped_rows(given["flipped"], given["alpha"]), given["n_flipped"])
    _draw_table("Ranks that moved", moved_rows(given["moved"]), given["n_moved"])
    with st.container(horizontal=True):
        for name, content in files.items():
            data = partial(str, content)  # sent when wanted
            file_button(name, guarded(data) if guarded else data, key=f"{key} {name}")


def settings_sentence(given: Mapping[str, Mapping[str, object]]) -> str:
    """Settings that changed, as the sidebar calls them.

    given: Of `Changes.to_dict`: a field of AnalysisConfig, before and after.
    Returns: Empty where none did.

    >>> settings_sentence({"unit_size": {"before": 1, "after": 2}})
    'Settings: Rows per item: 1 → 2.'
    """
    told = [
        f"{SETTINGS[name].label}: {_value(name, both['before'])} → {_value(name, both['after'])}"
        for name, both in given.items()
    ]
    return f"{ABOUT_SETTINGS}{'; '.join(told)}." if told else ""


def _value(name: str, value: object) -> str:
    values = value if isinstance(value, list) else [value]
    texts = [SETTINGS[name].text(item) for item in values if item is not None]
    return ", ".join(texts) or "none"


def flipped_rows(given: Sequence[Flipped], alpha: Mapping[str, float]) -> list[Row]:
    """Decisions that flipped, as people read them; verdicts are about system a.

    given: Of `Changes.to_dict`.
    alpha: Levels before and after.
    """
    return [
        {
            "System A": row["system_a"],
            "System B": row["system_b"],
            "A was": row["before"],
            "A is now": row["after"],
            "A − B before": row["difference_before"],
            "A − B now": row["difference_after"],
            "Adjusted p before": format_p(row["p_adjusted_before"], alpha=alpha["before"]),
            "Adjusted p now": format_p(row["p_adjusted_after"], alpha=alpha["after"]),
            "Scores": _scores(row),
        }
        for row in given
    ]


def moved_rows(given: Sequence[Moved]) -> list[Row]:
    """Ranks that moved, as people read them."""
    return [
        {
            "System": row["system"],
            "Rank before": row["rank_before"],
            "Rank now": row["rank_after"],
            "Score before": row["score_before"],
            "Score now": row["score_after"],
            "Scores": _scores(row),
        }
        for row in given
    ]


def _scores(row: Flipped | Moved) -> str:
    return "the same" if row["same_scores"] else "not the same"


def _draw_table(title: str, rows: list[Row], number: int) -> None:
    """One row a change; nothing where there is none."""
    if not rows:
        return
    import pandas as pd

    st.header(title, anchor=False)
    frame = pd.DataFrame(rows)
    draw_frame(
        frame,
        f"{title}: {number:,}, with what they were before and are now.",
        height=tall(len(rows)),
        column_config={
            name: st.column_config.NumberColumn(format=decimal_format(frame[name]))
            for name in POINTS
            if name in frame
        },
    )
    if number > len(rows):
        st.caption(f"The first {len(rows):,} of {number:,}; the files list more.")
