"""The address bar: it names a pair in full, and one step back leads to the page the user came from.

Streamlit's server can only add entries to the browser's history. It adds one for every parameter it writes,
and `st.switch_page` one more on the page that is left, without the settings bound to the address. So here
pages are changed by links, which the browser follows in one step, and an address that changes on the same
page replaces its entry. Two small scripts do that; where a browser refuses them, the links are there to be
clicked.
"""

from collections.abc import Sequence

import streamlit as st

from dashboard.navigation import page_path
from dashboard.session.state import PAIR_A, PAIR_B, session

PAGES_OF_PAIRS = ("pair", "power")

# An entry for the same page replaces the one before it; every other entry is added as ever.
_ONE_ENTRY_A_PAGE = """
if (!history.pushState.replacesOnTheSamePage) {
  const add = history.pushState;
  history.pushState = function (state, title, url) {
    const same = new URL(url ?? location.href, location.href).pathname === location.pathname;
    return (same ? history.replaceState : add).call(history, state, title, url);
  };
  history.pushState.replacesOnTheSamePage = true;
}
export default function () {}
"""

# A link is drawn by a part of Streamlit that the browser may still be loading.
_FOLLOW_A_LINK = """
export default function ({ data }) {
  let frames = 600;
  const follow = () => {
    const link = document.querySelector(`.st-key-${data.container} a`);
    if (link) link.click();
    else if (frames-- > 0) requestAnimationFrame(follow);
  };
  follow();
  return () => { frames = 0; };
}
"""

# On the way to another page Streamlit may drop the settings from the address that it keeps in its widgets:
# soon after the page has changed, and unless the user is faster, they are put back.
_KEEP_SETTINGS = """
let kept = null;
export default function ({ data }) {
  if (kept === data.visit) return;
  kept = data.visit;
  const path = location.pathname;
  const timers = [300, 1000, 2500].map((wait) => setTimeout(() => {
    const url = new URL(location.href);
    if (url.pathname !== path) return;
    const names = new Set(url.searchParams.keys());
    const lost = data.settings.filter(([name]) => !names.has(name));
    if (!lost.length) return;
    for (const [name, value] of lost) url.searchParams.append(name, value);
    history.replaceState(history.state, "", url);
  }, wait));
  const stop = () => timers.forEach(clearTimeout);
  for (const deed of ["pointerdown", "keydown"]) addEventListener(deed, stop, { once: true, capture: true });
}
"""

_keep_settings = st.components.v2.component("keep_settings", js=_KEEP_SETTINGS)
_one_entry = st.components.v2.component("one_entry_a_page", js=_ONE_ENTRY_A_PAGE)
_follow = st.components.v2.component("follow_a_link", js=_FOLLOW_A_LINK)


def enter_page(name: str, settings: Sequence[tuple[str, str]] = ()) -> None:
    """Note which page is about to be drawn, and let it have one entry in the browser's history.

    name: Its part of the address.
    settings (sequence of (str, str)): Those that stand in the address.
    """
    here = session()
    if here.page != name:
        here.page, here.paired = name, set()
        here.visits += 1
    if name not in PAGES_OF_PAIRS:  # the browser may have put them here, on the way to such a page
        for key in (PAIR_A, PAIR_B):
            if key in st.query_params:
                del st.query_params[key]
    with st.sidebar:
        _one_entry(key="one entry a page")
        _keep_settings(key="keep settings", data={"visit": here.visits, "settings": tuple(settings)})


def take_pair(systems: Sequence[str]) -> None:
    """Make the pair the address names the chosen one, unless it was chosen before on this visit of the page.

    A run of the script may still see the address from before the last choice.

    systems: Those to choose from, the best two first; they are chosen where nothing else is.
    """
    named = _named()
    new = named not in session().paired
    for key, name, first in zip((PAIR_A, PAIR_B), named, systems, strict=False):
        if new and name in systems:
            st.session_state[key] = name
        elif st.session_state.get(key) not in systems:
            st.session_state[key] = first


def name_pair(a: str, b: str) -> None:
    """Put the chosen pair into the address."""
    session().paired |= {_named(), (a, b)}
    if _named() != (a, b):
        st.query_params.update({PAIR_A: a, PAIR_B: b})


def _named() -> tuple[str | None, str | None]:
    return st.query_params.get(PAIR_A), st.query_params.get(PAIR_B)


def link_to_pair(label: str, a: str, b: str, *, follow: float | None = None) -> None:
    """A link to the pair page.

    label: Markdown.
    follow: The browser follows the link without being asked, once for every number.
    """
    # Only the link that is followed is looked for: others may stand beside it, for a row and a cell, say.
    with st.container(key=None if follow is None else "link-to-pair"):
        st.page_link(
            page_path("pair"),
            label=label,
            icon=":material/compare_arrows:",
            query_params={PAIR_A: a, PAIR_B: b},
        )
    if follow is not None:
        _follow(key="follow the link", data={"container": "link-to-pair", "asked": follow})
