"""Draws in grey the pages of the menu that have nothing to show yet, each with what it needs."""

import streamlit as st

from dashboard.navigation import LANDING, PAGES
from dashboard.session.facts import kinds_of, known_facts
from dashboard.session.judged_metrics import metric_names
from dashboard.session.state import session

WITHOUT_SCORES = (LANDING, "preferences", "power", "methods")
SEVERAL = "needs several metrics or data sets"
JUDGED = "needs several metrics"
GREY = (
    "[data-testid=stSidebarNavLink][href$='/{name}'] {{flex-wrap: wrap; row-gap: 0}} "
    "[data-testid=stSidebarNavLink][href$='/{name}'] > * {{opacity: 0.6}} "
)
# The link keeps its name for screen readers: the page that it opens says more.
WHY = (
    "[data-testid=stSidebarNavLink][href$='/{name}']::after {{content: '{why}' / ''; flex-basis: 100%; "
    "padding-left: 1.9rem; font-size: 0.75rem; line-height: 1.1}} "
)


def needs() -> dict[str, str]:
    """What pages without anything to show need, by page; nothing said where that is any scores at all."""
    scores = session().scores
    if scores is None:
        return {page.name: "" for page in PAGES if page.name not in WITHOUT_SCORES}
    found = {}
    several = session().can_read_again and kinds_of(
        scores, known_facts(scores), st.session_state.get("block_column")
    )
    if not several and session().composed is None:
        found["boards"] = SEVERAL
    if not metric_names(scores):
        found["metrics"] = found["judges"] = JUDGED
    return found


def grey_out_menu() -> None:
    """Show in the menu which pages have nothing to show, and why; they open all the same and say more."""
    found = needs()
    rules = [GREY.format(name=name) for name in found]
    rules += [WHY.format(name=name, why=why) for name, why in found.items() if why]
    if rules:
        st.html(f"<style>{''.join(rules)}</style>")
    if found and not any(found.values()):
        with st.sidebar:
            st.caption("Pages in grey open once scores are loaded.")
