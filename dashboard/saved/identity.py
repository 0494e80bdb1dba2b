"""Who is looking: by OpenID Connect where that is configured, else the one user of this machine."""

from __future__ import annotations

import streamlit as st
from streamlit.auth_util import get_secrets_auth_section

from dashboard.serving import is_loopback
from dashboard.text import markdown
from nlpstat_core.saved_boards.access import LOCAL_USER, Viewer

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
NOT_HERE = (
    "Boards can't be saved here: this server can be reached by others and has no login, so everybody would "
    "be the same user. Whoever runs it can set up a login (OpenID Connect), or open the app on that machine."
)


def login_is_configured() -> bool:
    """Whether Streamlit's configuration names an OpenID Connect provider."""
    return bool(get_secrets_auth_section())


def viewer() -> Viewer | None:
    """Who is looking; None after saying how to log in, or why nobody can."""
    if login_is_configured():
        return _logged_in()
    if not _from_this_machine():
        st.error(NOT_HERE)
        return None
    return LOCAL_USER


def _logged_in() -> Viewer | None:
    if not st.user.is_logged_in:
        st.info("Log in to see your boards. Scores that nobody saves stay in this tab.")
        st.button("Log in", on_click=st.login, type="primary")
        return None
    found = {name: str(st.user.get(name) or "") for name in ("iss", "sub", "name", "email")}
    if not (found["iss"] and found["sub"]):
        st.error(
            "The login service doesn't say who you are (no issuer or subject). Tell whoever runs this server."
        )
        st.button("Log out", on_click=st.logout)
        return None
    # An address that nobody has checked could be anybody's.
    verified = st.user.get("email_verified") in (True, "true")
    known = Viewer(
        issuer=found["iss"],
        subject=found["sub"],
        name=found["name"] or found["email"] or found["sub"],
        email=found["email"] if verified and found["email"] else None,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Logged in as {markdown(known.name)}. Owners can list you as: {markdown(known.identities[-1])}"
        )
        st.button("Log out", on_click=st.logout)
    return known


def _from_this_machine() -> bool:
    """Whether the server listens to this machine alone and no proxy passes others on.

    A proxy on the same machine would make all its visitors look like this machine's user.
    """
    headers = {name.lower(): value for name, value in st.context.headers.items()}
    if any(name in headers for name in _FORWARDED):
        return False
    host = headers.get("host", "localhost")
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return is_loopback(name) and is_loopback(str(st.get_option("server.address") or ""))
