"""A browser opens once this very server answers, never with the page of another one at the same address."""

from __future__ import annotations

import secrets
import sys
import threading
import time
import urllib.request
import webbrowser
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send
    from streamlit.runtime import Runtime

OPTION = "--open-browser"
PATH = "/_nlpstat/token"
PATIENCE = 60.0
SECONDS_BETWEEN_LOOKS = 0.2


class Identified:
    """The web application that tells the token of its process to whoever asks which server it is."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell the token, or pass the request on."""
        if scope["type"] == "http" and scope["path"].endswith(PATH):
            headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": self._token})
        else:
            await self._app(scope, receive, send)


def open_when_started() -> None:
    """Have a browser opened as soon as this server answers; called before it starts."""
    from streamlit.web.server.starlette import starlette_server

    module: Any = starlette_server
    make = module.create_starlette_app

    def identified(runtime: Runtime) -> ASGIApp:
        token = secrets.token_hex(16)
        threading.Thread(target=_open, args=(token,), daemon=True).start()
        return Identified(make(runtime), token)

    module.create_starlette_app = identified


def _open(token: str) -> None:
    """Wait for the server of this process; Streamlit may still be looking for a free port."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        address = own_address()
        if tells(address, token):
            webbrowser.open(address)
            return
        time.sleep(SECONDS_BETWEEN_LOOKS)
    sys.stderr.write(f"No browser was opened: the server doesn't answer at {own_address()} yet.\n")


def own_address() -> str:
    """Where a browser of this machine finds the server."""
    import streamlit as st

    listening = st.get_option("server.address") or "0.0.0.0"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listening, listening)
    path = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"http://{f'[{host}]' if ':' in host else host}:{st.get_option('server.port')}/{path}".rstrip("/")


def tells(address: str, token: str) -> bool:
    """Whether the server at an address is the one with this token; asked directly, whatever proxy is set."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{address}{PATH}", timeout=1) as answer:
            return bool(answer.read(len(token) + 1) == token.encode())
    except (OSError, HTTPException):  # nobody there yet, or one that speaks something else
        return False
