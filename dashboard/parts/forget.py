"""Nothing is lost without a word: forgetting can be undone for a moment, and leaving with data asks first."""

import streamlit as st

from dashboard.server.session_end import forget_files, give_back_memory_soon
from dashboard.session.held import Forgotten
from dashboard.session.results import drop_jobs
from dashboard.session.state import NAMING, PAIR_A, PAIR_B, forget_everything, restore, session

_NAMED = (*NAMING, PAIR_A, PAIR_B)

# The browser asks in its own words; without data, or after forgetting them, nobody is asked. On a narrow
# screen the menu lies over the page: it closes when a page was chosen.
_PAGE_KEEPER = """
export default function ({ data }) {
  const keeper = window.scorekeeper ?? (window.scorekeeper = { page: data.page });
  if (!keeper.asks) {
    keeper.asks = (event) => {
      if (keeper.loaded) { event.preventDefault(); event.returnValue = true; }
    };
    window.addEventListener("beforeunload", keeper.asks);
    keeper.shut = () => {
      const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
      if (close && window.innerWidth < 768) close.click();
    };
    document.addEventListener("click", (event) => {  // the page one is on, chosen again
      if (event.target.closest("[data-testid=stSidebarNavLink][aria-current=page]")) keeper.shut();
    });
  }
  keeper.loaded = data.loaded;
  if (keeper.page !== data.page) {
    keeper.page = data.page;
    keeper.shut();
  }
}
"""
_keeper = st.components.v2.component("page_keeper", js=_PAGE_KEEPER)


def watch_page(page: str) -> None:
    """Let the browser ask before data are left, and close the menu of a phone on a new page.

    page: Part of the address of the page.
    """
    _keeper(
        key="page keeper",
        data={"page": page, "loaded": session().scores is not None or session().battles is not None},
    )


def forget() -> None:
    """Drop the data and everything derived from it; for some seconds that can be undone."""
    drop_jobs()
    old = session()
    named = {key: st.session_state.get(key) for key in _NAMED}
    forget_everything()
    session().forgotten = Forgotten(old, named)
    forget_files()
    give_back_memory_soon()


def draw_undo() -> None:
    """The offer to have forgotten data back, as long as it holds."""
    kept = session().forgotten
    if kept is None or kept.seconds_left == 0 or session().scores is not None:
        return

    @st.fragment(run_every=1.0)
    def panel() -> None:
        left = kept.seconds_left
        if left == 0:
            st.rerun()
        with st.container(border=True):
            st.markdown("Your data are forgotten.")
            st.button(f"Undo ({left:.0f} s)", key="undo forget", on_click=_undo, width="stretch")

    panel()


def _undo() -> None:
    kept = session().forgotten
    found = None if kept is None else kept.take()
    if found is not None and session().scores is None:
        restore(*found)
