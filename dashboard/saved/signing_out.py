"""Logging out ends every tab of the browser; Streamlit would end the one it happens in.

A tab knows who looks from the cookie that it came with. The database keeps which of these logins are over,
for other servers and copies of the cookie, too; tabs of this server are told at once.
"""

from collections.abc import Mapping

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.saved.work import database
from dashboard.server.kept_sessions import kept_sessions
from dashboard.server.session_end import forget_files, give_back_memory_soon
from dashboard.session.results import drop_jobs
from dashboard.session.state import forget_everything
from dashboard.session.taking_back import login
from nlpstat_core.errors import NlpstatError
from nlpstat_core.saved_boards.access import Viewer, is_signed_out
from nlpstat_core.saved_boards.logins import cookie_of, end_login

_SHOWN = "saved boards login"  # the login that this session has drawn for
_OF_BOARDS = "saved"  # how the keys of these pages begin
_TOKENS = "tokens"  # what isn't part of the cookie that says who it is


def login_cookie() -> str | None:
    """Which login this tab came with; None without one."""
    return _cookie(st.user.to_dict())


def _cookie(claims: Mapping[str, object]) -> str | None:
    if not claims.get("is_logged_in"):
        return None
    return cookie_of({name: value for name, value in claims.items() if name != _TOKENS})


def log_out() -> None:
    """End this login in every tab, and in whatever else has its cookie."""
    cookie = login_cookie()
    if cookie is not None:
        end_login(database(), cookie)
        kept_sessions().drop_login(str(login()))
        end_other_tabs(cookie)
    st.logout()


def end_other_tabs(cookie: str) -> None:
    """Have the other tabs of a login forget who looks, and draw themselves anew."""
    context = get_script_run_ctx()
    if context is None or not Runtime.exists():
        return
    runtime = Runtime.instance()
    for info in runtime._session_mgr.list_sessions():
        session = info.session
        if session.id == context.session_id or _cookie(session._user_info) != cookie:
            continue
        runtime.clear_user_info_for_session(session.id)
        if runtime.is_active_session(session.id):
            runtime._get_async_objs().eventloop.call_soon_threadsafe(
                session.request_rerun, session._client_state
            )


def leave_when_logged_out() -> None:
    """Drop everything of a session whose login has ended since it last drew, here or in another tab."""
    cookie, shown = login_cookie(), st.session_state.get(_SHOWN)
    if cookie is not None and _is_over(cookie):
        cookie = None
    if shown is not None and shown != cookie:
        drop_jobs()
        forget_everything()
        forget_files()
        for key in [key for key in st.session_state if str(key).startswith(_OF_BOARDS)]:
            del st.session_state[key]
        give_back_memory_soon()
    st.session_state[_SHOWN] = cookie


def _is_over(cookie: str) -> bool:
    try:
        with database().reading() as connection:
            return is_signed_out(connection, Viewer(cookie=cookie))
    except NlpstatError:  # without the database nothing of a board is shown, and its page says so
        return False
