"""What stands in front of the app: names it answers to, headers it sends, figures for its operator."""

from __future__ import annotations

import gc
import ipaddress
import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from dashboard.server.local_user import HOSTS, from_this_machine
from dashboard.server.operator_figures import PATH, figures
from dashboard.server.operator_figures import allowed as figures_allowed
from dashboard.server.upload_bounds import BoundedUploads
from nlpstat_core.errors import ConfigError, shown

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from streamlit.runtime import Runtime

FRAMES = "NLPSTAT_FRAME_ANCESTORS"
REFUSED = (
    "This server doesn't answer to that name. Whoever runs it can allow it: NLPSTAT_ALLOWED_HOSTS=name,name"
)


def safe_headers() -> tuple[tuple[bytes, bytes], ...]:
    """What every answer says: who may show it in a frame, that it is what it says, and whom links tell of it.

    Returns tuple of (bytes, bytes).
    Raises ConfigError: NLPSTAT_FRAME_ANCESTORS names no origins.
    """
    text = os.environ.get(FRAMES) or "'self'"
    if not re.fullmatch(r"[A-Za-z0-9:/.*'_ \[\]-]+", text):
        raise ConfigError(f"{FRAMES} must name origins with blanks between, not {shown(text)}.")
    return (
        (b"content-security-policy", f"frame-ancestors {text}".encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
    )


def allowed(host: str, more: str = "") -> bool:
    """Whether a request to this name may be meant for this server.

    A page of somebody else may have its own name point here, and then read what it gets: so only names count
    that are ours. Addresses in digits are nobody's name.

    host: Of the request, maybe with a port.
    more: Further names, separated by commas; "*" allows every one.

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


class SafeHeaders:
    """The web application, whose every answer has the headers of `safe_headers`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = safe_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer with more headers back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                # A policy beside another one only forbids more.
                own = {name for name, _ in self._headers} - {b"content-security-policy"}
                given = [
                    (name, value) for name, value in message.get("headers", ()) if name.lower() not in own
                ]
                message = {**message, "headers": [*given, *self._headers]}
            await send(message)

        await self._app(scope, receive, with_headers)


class Operator:
    """The web application with the figures for whoever runs it, where they are asked for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell the figures, or pass the request on."""
        if scope["type"] == "http" and scope["path"].endswith(PATH) and self._may_see(scope):
            headers = [(b"content-type", b"text/plain; version=0.0.4; charset=utf-8")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": figures().encode()})
        else:
            await self._app(scope, receive, send)

    def _may_see(self, scope: Scope) -> bool:
        client = scope.get("client")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        here = from_this_machine(client[0] if client else None, headers)
        return figures_allowed(here, headers.get("authorization", ""))


class OwnNames:
    """The web application behind a look at the name each request is for."""

    def __init__(self, app: ASGIApp, more: str) -> None:
        self._app = app
        self._more = more

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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

    def guarded(runtime: Runtime) -> ASGIApp:
        return SafeHeaders(OwnNames(Operator(BoundedUploads(make(runtime))), own_names()))

    module.create_starlette_app = guarded


def own_names() -> str:
    """Names beside the machine's own that this server answers to, separated by commas."""
    import streamlit as st

    own = (os.environ.get(HOSTS, ""), st.get_option("server.address"), st.get_option("browser.serverAddress"))
    return ",".join(name for name in own if name)


@cache
def guard_running_server() -> None:
    """Have a server that is running already look at names and send our headers: `streamlit run` started it.

    Connections from now on go through `OwnNames`; the page refuses the session that came before it
    (`session_allowed`).
    """
    from streamlit.web.server.starlette.starlette_server import UvicornServer

    for found in [thing for thing in gc.get_objects() if type(thing) is UvicornServer]:
        server = found._server
        if server is not None and not isinstance(server.config.app, SafeHeaders):
            bounded = BoundedUploads(server.config.loaded_app)
            server.config.loaded_app = SafeHeaders(OwnNames(bounded, own_names()))


def session_allowed() -> bool:
    """Whether the session that runs the script came for one of our names."""
    import streamlit as st

    return allowed(st.context.headers.get("Host") or "localhost", own_names())
