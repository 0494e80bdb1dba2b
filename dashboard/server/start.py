"""How the server starts: its options, whoever starts it from wherever, and the names it answers to."""

from __future__ import annotations

import gc
import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboard.server.operator_figures import PATH, figures
from dashboard.server.operator_figures import allowed as figures_allowed
from dashboard.server.upload_bounds import BoundedUploads
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.saved_boards import VARIABLE, configured

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from streamlit.runtime import Runtime

ENTRY = Path(__file__).resolve().parents[1] / "app.py"
# The same as at the top of a checkout; wheel and image hold this one. Streamlit reads it from beside the
# entry, too; as options of the command they also win over a file of the folder one happens to be in, and over
# the environment.
OPTIONS = Path(__file__).parents[1] / ".streamlit" / "config.toml"
TOLD = ("global", "server", "browser", "client", "runner")
HOSTS = "NLPSTAT_ALLOWED_HOSTS"
ONE_USER = "NLPSTAT_LOCAL_USER"
FRAMES = "NLPSTAT_FRAME_ANCESTORS"
REFUSED = (
    "This server doesn't answer to that name. Whoever runs it can allow it: NLPSTAT_ALLOWED_HOSTS=name,name"
)


def options() -> list[str]:
    """The options of the server as arguments of Streamlit's command."""
    found = tomllib.loads(OPTIONS.read_text(encoding="utf-8"))
    return [
        f"--{section}.{name}={str(value).lower() if isinstance(value, bool) else value}"
        for section in TOLD
        for name, value in found[section].items()
    ]


def open_to_others(given: Sequence[str]) -> str | None:
    """Why the server must not start: boards are saved, nobody logs in, and others could reach it.

    given: Options that were given beside the app's own.
    Returns: One sentence; None where it may start.
    """
    if configured() is None or one_user() is True:
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


def one_user() -> bool | None:
    """Whether everybody who reaches this server is its one user, as NLPSTAT_LOCAL_USER says.

    Returns: None where it says nothing.
    Raises ConfigError: It says something else.
    """
    text = os.environ.get(ONE_USER, "")
    if text not in ("", "0", "1"):
        raise ConfigError(
            f"{ONE_USER} must be 1 (everybody is the one user) or 0 (nobody), not {shown(text)}."
        )
    return None if not text else text == "1"


def is_local_user(peer: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a visitor has the rights of whoever runs this server, where nobody logs in.

    peer: Address of the other end of the connection.
    headers: Of the request, names in small letters.
    """
    said = one_user()
    return from_this_machine(peer, headers) if said is None else said


def from_this_machine(peer: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a request was made on this machine, as far as its operator's settings let that be told.

    A proxy on this machine makes everybody's connections look like this one's, whatever headers it sends: no
    header that is missing says anything. So nobody is local once a setting speaks of a proxy.
    """
    import streamlit as st

    if peer is None or not is_loopback(peer) or not is_loopback(str(st.get_option("server.address") or "")):
        return False
    if proxy_settings() or any(name in _PASSED_ON or name.startswith("x-forwarded") for name in headers):
        return False
    host = headers.get("host", "")
    return is_loopback(host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0])


_PASSED_ON = frozenset(("forwarded", "via", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip"))
# What is set for a proxy, or for visitors that come by another name than this machine's own, and its default.
_FOR_PROXIES = {
    "server.baseUrlPath": "",
    "server.trustedUserHeaders": {},
    "server.corsAllowedOrigins": [],
    "server.allowedHosts": [],
    "browser.serverAddress": "localhost",
}


def proxy_settings() -> tuple[str, ...]:
    """The settings that speak of a proxy, or of visitors from elsewhere."""
    import streamlit as st

    found = [name for name in (HOSTS, "FORWARDED_ALLOW_IPS") if os.environ.get(name)]
    options = [name for name, usual in _FOR_PROXIES.items() if (st.get_option(name) or usual) != usual]
    return (*found, *options)


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


def is_loopback(name: str) -> bool:
    """Whether an address or name is this machine's own.

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

    host: Of the request, maybe with a port.
    more: Further names, separated by commas; "*" allows every one.

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
    """The web application behind a look at the name each request is for.

    more: As for `allowed`.
    """

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
