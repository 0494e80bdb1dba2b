"""What a link asked for and didn't get: nothing of an address is dropped without a word."""

import math

import streamlit as st

from dashboard.session.links import DATA, LINK_KEYS
from dashboard.session.state import LABELS, NAMING, PAIR_A, PAIR_B, names_not_there, session
from dashboard.text import markdown
from nlpstat_core.config import SETTINGS
from nlpstat_core.errors import shown
from nlpstat_core.saved_boards import configured

KNOWN = {*LABELS, PAIR_A, PAIR_B, DATA, *LINK_KEYS}
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
            here.ignored.append(f"{shown(name)} is not a setting.")
        elif name in LABELS and name not in NAMING and not _taken(name, texts):
            here.ignored.append(f"{LABELS[name]}: {text} can't be used here; it is {_now(name)}.")


def _taken(name: str, texts: list[str]) -> bool:
    value = st.session_state.get(name)
    if isinstance(value, list | tuple):
        return {SETTINGS[name].text(item) for item in value} == set(texts)
    last = texts[-1]
    if isinstance(value, bool):
        return last.casefold() == str(value).casefold()
    if isinstance(value, int | float):
        try:
            return math.isclose(float(last), float(value))
        except ValueError:
            return False
    return last in ("", "None") if value is None else last == SETTINGS[name].text(value)


def _now(name: str) -> str:
    value = st.session_state.get(name)
    if value is None:
        return "empty"
    if isinstance(value, list | tuple):
        return ", ".join(SETTINGS[name].text(item) for item in value) or "empty"
    return f"{value:g}" if isinstance(value, float) else SETTINGS[name].text(value)


def draw_ignored() -> None:
    """The link's leftovers above the page until they are acknowledged."""
    here = session()
    lines = [*here.ignored, *(names_not_there().values() if here.from_link else ())]
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
