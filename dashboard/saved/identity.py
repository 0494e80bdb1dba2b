"""Who is looking: by OpenID Connect where that is configured, else the one user of this machine."""

import streamlit as st
from streamlit.auth_util import get_secrets_auth_section
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.saved.signing_out import log_out, login_cookie
from dashboard.saved.work import database
from dashboard.server.local_user import is_local_user
from dashboard.text import markdown
from nlpstat_core.saved_boards.access import LOCAL_USER, Viewer, is_signed_out

NOT_HERE = (
    "Boards can't be saved here: this server can be reached by others and has no login, so everybody would "
    "be the same user. Its operator can set up a login (OpenID Connect), or open the app on that machine."
)
OVER = "You have logged out, here or in another tab. Log in again to see your boards."


def login_is_configured() -> bool:
    """Whether Streamlit's configuration names an OpenID Connect provider."""
    return bool(get_secrets_auth_section())


def viewer() -> Viewer | None:
    """Who is looking; None after saying how to log in, or why nobody can."""
    if login_is_configured():
        return _logged_in()
    if not is_local_user(_peer(), {name.lower(): value for name, value in st.context.headers.items()}):
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
        st.button("Log out", on_click=log_out)
        return None
    # An address that nobody has checked could be anybody's.
    verified = st.user.get("email_verified") in (True, "true")
    known = Viewer(
        issuer=found["iss"],
        subject=found["sub"],
        name=found["name"] or found["email"] or found["sub"],
        email=found["email"] if verified and found["email"] else None,
        cookie=login_cookie(),
    )
    with database().reading() as connection:
        if is_signed_out(connection, known):
            st.info(OVER)
            st.button("Log in", on_click=st.login, type="primary")
            return None
    listed = known.identities[-1].name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Logged in as {markdown(known.name)}. Owners can list you as: {markdown(listed)}")
        st.button("Log out", on_click=log_out)
    return known


def _peer() -> str | None:
    """Address of the other end of this tab's connection; None where there is none."""
    context = get_script_run_ctx()
    if context is None or not Runtime.exists():
        return None
    client = Runtime.instance().get_client(context.session_id)
    about = None if client is None else client.client_context
    return None if about is None else about.remote_ip
