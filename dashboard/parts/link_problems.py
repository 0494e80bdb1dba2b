"""What a link asked for and didn't get: nothing of an address is dropped without a word."""

from __future__ import annotations

import math

import streamlit as st

from dashboard.session.links import DATA, LINK_KEYS, label_of
from dashboard.session.state import (
    NAMING,
    PAIR_A,
    PAIR_B,
    SETTINGS,
    SKEW_HIGH,
    SKEW_SLIGHT,
    names_of,
    session,
)
from dashboard.text import markdown
from nlpstat_core.errors import shown
from nlpstat_core.saved_boards import configured

# Settings as the sidebar calls them.
TITLES = {
    "question": "Question",
    "test": "Test",
    "correction": "Correction for many comparisons",
    "alpha": "Significance level α",
    "runs": "Several runs of a system are",
    "baseline": "Baseline",
    "alternative": "Alternative",
    "delta": "Hypothesised difference δ",
    "equivalence_margin": "Equivalence margin",
    "block_column": "Documents (blocks)",
    "missing": "Missing scores",
    "unit_size": "Rows per evaluation unit",
    "unit_metric": "Score of a unit",
    "unit_remainder": "Left-over rows",
    "shuffle_seed": "Shuffle rows first (seed)",
    "effects": "Effect sizes for all pairs",
    "intervals": "Further intervals for all pairs",
    "confidence_level": "Confidence level",
    "resamples": "Resamples",
    "seed": "Seed",
    "zero_method": "Zeros in Wilcoxon's test",
    "continuity": "Continuity correction (Wilcoxon)",
    "mcnemar": "McNemar's test",
    "pooled_runs": "Pool the variance of runs",
    "normality_alpha": "Level of the normality test",
    SKEW_SLIGHT: "Slightly skewed from",
    SKEW_HIGH: "Highly skewed from",
}
KNOWN = {*SETTINGS, SKEW_SLIGHT, SKEW_HIGH, PAIR_A, PAIR_B, DATA, *LINK_KEYS}
SHARED_LINK = "link"
MOST_LISTED = 8


def compare_with_link() -> None:
    """After the settings were drawn for the first time: which of the link's they didn't take."""
    here = session()
    asked, here.asked_by_link = here.asked_by_link, {}
    for name, texts in asked.items():
        text = shown(", ".join(texts))
        if name == SHARED_LINK and configured() is not None:
            continue  # a way to a saved board, which nothing repeats
        if name not in KNOWN:
            here.ignored.append(f"{shown(name)} is no setting.")
        elif name in TITLES and name not in NAMING and not _taken(name, texts):
            here.ignored.append(f"{TITLES[name]}: {text} can't be used here; it is {_now(name)}.")


def _taken(name: str, texts: list[str]) -> bool:
    value = st.session_state.get(name)
    if isinstance(value, list | tuple):
        return {label_of(name, item) for item in value} == set(texts)
    last = texts[-1]
    if isinstance(value, bool):
        return last.casefold() == str(value).casefold()
    if isinstance(value, int | float):
        try:
            return math.isclose(float(last), float(value))
        except ValueError:
            return False
    return last in ("", "None") if value is None else last == label_of(name, value)


def _now(name: str) -> str:
    value = st.session_state.get(name)
    if value is None:
        return "empty"
    if isinstance(value, list | tuple):
        return ", ".join(label_of(name, item) for item in value) or "empty"
    return f"{value:g}" if isinstance(value, float) else label_of(name, value)


def names_not_there() -> list[str]:
    """Systems and columns of the link that the scores don't have."""
    here = session()
    if here.scores is None:
        return []
    words = {
        "baseline": "baseline",
        "block_column": "column of documents",
        PAIR_A: "system",
        PAIR_B: "system",
    }
    valid = names_of(here.scores)
    return [
        f"These scores have no {words[key]} {shown(value)}."
        for key, value in here.wanted.items()
        if key in valid and value not in valid[key]
    ]


def draw_ignored() -> None:
    """The link's leftovers above the page until they are acknowledged."""
    here = session()
    lines = [*here.ignored, *([] if not here.from_link else names_not_there())]
    if not lines:
        return
    listed = "\n".join(f"* {markdown(line)}" for line in lines[:MOST_LISTED])
    more = f"\n* and {len(lines) - MOST_LISTED:,} more" if len(lines) > MOST_LISTED else ""
    st.warning(f"Not everything in the link could be used.\n{listed}{more}", icon=":material/link_off:")
    st.button("All right", key="link read", on_click=_acknowledge, type="tertiary")


def _acknowledge() -> None:
    here = session()
    here.ignored.clear()
    here.from_link = False
