"""How the server starts: its options, whoever starts it from wherever, and the names it answers to."""

from __future__ import annotations

import gc
import ipaddress
import os
import tomllib
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dashboard.operating import PATH, figures
from dashboard.operating import allowed as figures_allowed
from dashboard.upload_bounds import BoundedUploads
from nlpstat_core.saved_boards import VARIABLE, configured

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Any, Send], Awaitable[None]]

ENTRY = Path(__file__).with_name("app.py")
# Streamlit reads it from beside the entry, too; as options of the command they also win over a file of the
# folder one happens to be in, and over the environment.
OPTIONS = Path(__file__).parent / ".streamlit" / "config.toml"
TOLD = ("global", "server", "browser", "client", "runner")
HOSTS = "NLPSTAT_ALLOWED_HOSTS"
REFUSED = (
    "This server doesn't answer to that name. Whoever runs it can allow it: NLPSTAT_ALLOWED_HOSTS=name,name"
)


def options() -> list[str]:
    """The options of the server as arguments of Streamlit's command.

    Returns
    -------
    list of str
    """
    found = tomllib.loads(OPTIONS.read_text(encoding="utf-8"))
    return [
        f"--{section}.{name}={str(value).lower() if isinstance(value, bool) else value}"
        for section in TOLD
        for name, value in found[section].items()
    ]


def open_to_others(given: Sequence[str]) -> str | None:
    """Why the server must not start: boards are saved, nobody logs in, and others could reach it.

    Parameters
    ----------
    given : sequence of str
        Options that were given beside the app's own.

    Returns
    -------
    str or None
        One sentence; None where it may start.
    """
    if configured() is None:
        return None
    address = "127.0.0.1"
    for place, option in enumerate(given):
        name, equals, value = option.partition("=")
        if name == "--server.address":
            address = value if equals else (given[place + 1] if place + 1 < len(given) else "")
    if is_loopback(address):
        return None
    from streamlit.auth_util import get_secrets_auth_section

    if get_secrets_auth_section():
        return None
    return (
        f"Boards are saved ({VARIABLE} is set) and nobody has to log in: then the server may listen to this "
        "machine only. Set up a login (docs/deploy.md), or leave --server.address out."
    )


def is_loopback(name: str) -> bool:
    """Whether an address or name is this machine's own.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def allowed(host: str, more: str = "") -> bool:
    """Whether a request to this name may be meant for this server.

    A page of somebody else may have its own name point here, and then read what it gets: so only names count
    that are ours. Addresses in digits are nobody's name.

    Parameters
    ----------
    host : str
        Of the request, maybe with a port.
    more : str
        Further names, separated by commas; "*" allows every one.

    Returns
    -------
    bool

    Examples
    --------
    >>> allowed("localhost:8501"), allowed("[::1]:80"), allowed("192.168.0.7"), allowed("evil.example:8501")
    (True, True, True, False)
    >>> allowed("scores.example", "scores.example, other.example")
    True
    """
    name = host.strip().lower()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    names = {part.strip().lower() for part in more.split(",") if part.strip()}
    if "*" in names or name in names or name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Operator:
    """The web application with the figures for whoever runs it, where they are asked for.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Tell the figures, or pass the request on."""
        if scope["type"] == "http" and scope["path"].endswith(PATH) and self._may_see(scope):
            headers = [(b"content-type", b"text/plain; version=0.0.4; charset=utf-8")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": figures().encode()})
        else:
            await self._app(scope, receive, send)

    def _may_see(self, scope: Scope) -> bool:
        client = scope.get("client")
        forwarded = any(name in (b"x-forwarded-for", b"forwarded") for name, _ in scope["headers"])
        return figures_allowed(client[0] if client else None, forwarded)


class OwnNames:
    """The web application behind a look at the name each request is for.

    Parameters
    ----------
    app : ASGI application
    more : str
        As for `allowed`.
    """

    def __init__(self, app: App, more: str) -> None:
        self._app = app
        self._more = more

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Pass a request on, or refuse it."""
        kind = scope["type"]
        if kind not in ("http", "websocket") or allowed(_host(scope), self._more):
            await self._app(scope, receive, send)
        elif kind == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 421, "headers": headers})
            await send({"type": "http.response.body", "body": REFUSED.encode()})


def _host(scope: Scope) -> str:
    """What the request says whom it is for; one without, of a program, is for us."""
    found = [value for name, value in scope["headers"] if name == b"host"]
    return found[0].decode("latin-1") if found else "localhost"


def guard_names() -> None:
    """Have Streamlit's server look at the name of each request; called before it starts."""
    from streamlit.web.server.starlette import starlette_server

    module: Any = starlette_server
    make = module.create_starlette_app

    def guarded(runtime: Any) -> Any:
        return OwnNames(Operator(BoundedUploads(make(runtime))), own_names())

    module.create_starlette_app = guarded


def own_names() -> str:
    """Names beside the machine's own that this server answers to, separated by commas.

    Returns
    -------
    str
    """
    import streamlit as st

    own = (
        os.environ.get(HOSTS, ""),
        st.get_option("server.address"),
        st.get_option("browser.serverAddress"),
    )
    return ",".join(name for name in own if name)


@cache
def guard_running_server() -> None:
    """Have a server that is running already look at names: one that `streamlit run` has started.

    Connections from now on go through `OwnNames`; the page refuses the session that came before it
    (`session_allowed`).
    """
    from streamlit.web.server.starlette.starlette_server import UvicornServer

    for found in [thing for thing in gc.get_objects() if type(thing) is UvicornServer]:
        server: Any = found._server
        if server is not None and not isinstance(server.config.app, OwnNames):
            server.config.loaded_app = OwnNames(BoundedUploads(server.config.loaded_app), own_names())


def session_allowed() -> bool:
    """Whether the session that runs the script came for one of our names.

    Returns
    -------
    bool
    """
    import streamlit as st

    return allowed(st.context.headers.get("Host") or "localhost", own_names())
