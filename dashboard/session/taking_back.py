"""After a reload or a lost connection a tab has its upload and settings back, by a secret of its own."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from dashboard.server.kept_sessions import Kept, Owner, kept_sessions, minutes
from dashboard.session.preferences import read_battles
from dashboard.session.state import (
    LABELS,
    PAIR_A,
    PAIR_B,
    Session,
    restore,
    session,
    take_wanted,
)
from dashboard.session.submissions import read_outputs
from dashboard.session.uploads import read
from nlpstat_core.formatting import count_of

_KEY = "tab keeper"
LONGEST_SECRET = 200
LOST = (
    "The server can't be reached at the moment. This page continues automatically when the connection is "
    "back. Nothing is lost: the server keeps your scores and settings for {minutes}, unless it is "
    "restarted."
)

# The browser keeps the secret for this tab alone. A tab that was duplicated has it, too: it asks the others,
# and where one of them answers it begins anew. What was shown once is not shown again before it is answered.
# A tab that held nothing has nothing to show. Showing runs the page one is on again: on the way to another
# page it would hold the user back, so it waits until that page is there.
# Streamlit's word on a lost connection doesn't say what becomes of the scores: LOST takes its place.
_TAB_KEEPER = """
const KEY = "nlpstat tab", PATIENCE_MS = 250, LEAVING_MS = 3000;
function sayLost() {
  for (const head of document.querySelectorAll("[role=dialog] h2")) {
    const said = head.nextElementSibling?.firstElementChild, lost = window.tabkeeper.lost;
    if (head.textContent === "Connection error" && said && said.textContent !== lost) said.textContent = lost;
  }
}
function isLeaving(tab) {
  return tab.goal && tab.goal !== location.pathname && performance.now() < tab.left + LEAVING_MS;
}
function read() {
  try { return JSON.parse(sessionStorage.getItem(KEY)); } catch { return null; }
}
function write(secret, loaded) {
  try { sessionStorage.setItem(KEY, JSON.stringify({ secret, loaded })); } catch { return; }
}
export default function ({ data, setTriggerValue }) {
  const tab = window.tabkeeper ?? (window.tabkeeper = {});
  tab.lost = data.lost;
  if (!tab.watching) {
    tab.watching = new MutationObserver(sayLost);
    tab.watching.observe(document.body, { childList: true, subtree: true, characterData: true });
  }
  if (!tab.left) {
    tab.left = 1;
    document.addEventListener("click", (event) => {
      const link = event.target.closest("[data-testid=stMain] a[href], [data-testid=stSidebarNavLink]");
      if (link) { tab.goal = new URL(link.href, location.href).pathname; tab.left = performance.now(); }
    }, true);
  }
  if (!tab.channel && "BroadcastChannel" in window) {
    tab.channel = new BroadcastChannel(KEY);
    tab.channel.onmessage = ({ data: said }) => {
      if (said.ask && said.ask === tab.secret) tab.channel.postMessage({ held: tab.secret });
      if (said.held && said.held === tab.asking) tab.copy = true;
    };
  }
  const kept = read();
  const settle = () => { tab.secret = data.secret; write(data.secret, data.loaded); };
  const nothing = !kept || !kept.secret || !kept.loaded || kept.secret === data.secret;
  if (nothing || data.answered) { settle(); return; }
  if (tab.shown === data.secret) return;
  tab.shown = data.secret;
  const show = () => {
    if (isLeaving(tab)) setTimeout(show, PATIENCE_MS);
    else setTriggerValue("shown", kept);
  };
  if (tab.secret === kept.secret || !tab.channel) { show(); return; }
  tab.asking = kept.secret;
  tab.channel.postMessage({ ask: kept.secret });
  setTimeout(() => {
    if (tab.copy) settle();
    else show();
  }, PATIENCE_MS);
}
"""
_keeper = st.components.v2.component("tab_keeper", js=_TAB_KEEPER)


def keep_for_this_tab() -> None:
    """Keep what this session holds, for the tab it is of; called when its settings have been drawn."""
    here = session()
    if not minutes():
        return
    things = (
        *(here.scores, here.pending, here.refused, here.submitting, here.uncompared, here.refused_outputs),
        *(here.battles, here.reading_battles, here.refused_battles),
    )
    holds = any(thing is not None for thing in things)
    with st.sidebar:
        _keeper(
            key=_KEY,
            data={
                "secret": here.secret,
                "loaded": holds,
                "answered": here.answered,
                "lost": LOST.format(minutes=count_of(minutes(), "minute")),
            },
            on_shown_change=_shown,
        )
    context = get_script_run_ctx()
    if context is None or not holds:
        kept_sessions().drop(here.secret)
        return
    names = (*LABELS, PAIR_A, PAIR_B)
    values = {name: st.session_state[name] for name in names if name in st.session_state}
    kept = Kept(_owner(), context.session_id, (here, values), _size(here), here.rest)
    kept_sessions().keep(here.secret, kept)


def draw_taken_back() -> None:
    """Say once that everything is back, or that it isn't there any more."""
    here = session()
    if here.taken_back:
        here.taken_back = False
        st.toast("Your scores and settings are still here.", icon=":material/restore:")
    if here.gone and here.scores is None and here.pending is None and here.submitting is None:
        st.info(
            "The scores of this tab are no longer on the server: it was restarted, or more than "
            f"{count_of(minutes(), 'minute')} passed. Load the file again; your settings are kept in the "
            "address.",
            icon=":material/history:",
        )


def _shown() -> None:
    """Take back what was kept for the secret that the browser shows."""
    # A page that was left while the browser answered has no keeper any more: there is nothing to take back.
    said = st.session_state.get(_KEY, {}).get("shown")
    here = session()
    here.answered = True
    secret = said.get("secret") if isinstance(said, Mapping) else None
    if not isinstance(secret, str) or len(secret) > LONGEST_SECRET or here.scores is not None:
        return
    found: tuple[Session, dict[str, object]] | None = kept_sessions().take(secret, _owner())
    if found is None:
        here.gone = bool(said.get("loaded"))
        return
    old, values = found
    old.answered, old.taken_back, old.arrived = True, True, True
    old.downloading = threading.Lock()  # whoever holds the other one works for a session that is over
    pending, old.pending = old.pending, None
    submitting, old.submitting = old.submitting, None
    battling, old.reading_battles = old.reading_battles, None
    old.rest()
    if any(name in st.query_params for name in LABELS):  # the address tells settings: those hold
        old.wanted, values = here.wanted, {}
    restore(old, values)
    take_wanted()
    if pending is not None:
        read(pending.file, pending.choices, after=pending.after)
    elif submitting is not None:
        read_outputs(submitting.files, submitting.choices, after=submitting.after)
    if battling is not None:
        read_battles(battling.file, battling.choices)


def login() -> str | None:
    """What tells one login from another; None where nobody is logged in."""
    claims = {name: value for name, value in st.user.to_dict().items() if name != "tokens"}
    if not any(claims.values()):
        return None
    return hashlib.sha256(json.dumps(claims, sort_keys=True, default=str).encode()).hexdigest()


def _owner() -> Owner:
    """Whose this session is, by what the browser sent when it connected."""
    token, _ = decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))
    return Owner(token, login())


def _size(here: Session) -> int:
    """Bytes of what is kept, about."""
    files = [file for file in (here.raw, here.refused) if file is not None]
    size = sum(len(data) for data, _ in files) + (0 if here.scores is None else here.scores.values.nbytes)
    if here.submitted is not None:
        size += here.submitted.files.size + len(here.submitted.outputs.packed)
    if here.composed is not None:
        size += here.composed.size
    if here.uncompared is not None:
        size += here.uncompared.files.size + len(here.uncompared.found.outputs.packed)
    if here.battles is not None:
        size += len(here.battles.packed)
    if here.refused_battles is not None:
        size += len(here.refused_battles[0])
    if here.refused_outputs is not None:
        size += here.refused_outputs[0].size
    return size + here.dropped.size
