"""Bounds on uploads that nobody has read yet: of a session, of the whole server, and in time.

Streamlit bounds the size of one upload only, and takes any number of them from whoever has a session.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.formatting import count_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send
    from streamlit.runtime import Runtime
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

PATH = "/_stcore/upload_file/"
MEGABYTE = 1024 * 1024
SESSION_BYTES, SESSION_FILES = "NLPSTAT_MAX_SESSION_UPLOAD_BYTES", "NLPSTAT_MAX_SESSION_UPLOADS"
SERVER_BYTES, SERVER_FILES = "NLPSTAT_MAX_UPLOAD_BYTES", "NLPSTAT_MAX_UPLOADS"
SECONDS = "NLPSTAT_MAX_UPLOAD_SECONDS"
# Bytes are multiples of the largest upload, unless they are set.
TIMES_A_SESSION, TIMES_A_SERVER = 2, 10
MOST_SESSION_FILES, MOST_FILES, MOST_SECONDS = 2_000, 10_000, 600
SHOWN_SECONDS = 60  # that the page says why an upload was refused
NO_SESSION = "There is no session of this name: reload the page."


@dataclass(frozen=True)
class Bounds:
    """What may wait to be read.

    seconds: After the last upload of a session, what it hasn't read is dropped.
    """

    session_bytes: int
    session_files: int
    server_bytes: int
    server_files: int
    seconds: int


def whole(variable: str) -> int | None:
    """A setting of the environment that is a whole number; None where it isn't set.

    Raises ConfigError: It is something else.
    """
    text = os.environ.get(variable)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ConfigError(f"{variable} must be a whole number, at least 1, not {shown(text)}.")
    return int(text)


def bounds(largest: int) -> Bounds:
    """The bounds as the environment sets them.

    largest: Bytes of the largest upload that is taken.
    Raises ConfigError: A variable that is no whole number.
    """
    found = {
        SESSION_BYTES: TIMES_A_SESSION * largest,
        SESSION_FILES: MOST_SESSION_FILES,
        SERVER_BYTES: TIMES_A_SERVER * largest,
        SERVER_FILES: MOST_FILES,
        SECONDS: MOST_SECONDS,
    }
    for variable in found:
        number = whole(variable)
        if number is not None:
            found[variable] = number
    return Bounds(*found.values())


_last: dict[str, float] = {}  # when the last upload of a session came, or began to
_coming_bytes: Counter[str] = Counter()
_coming_files: Counter[str] = Counter()
_refused: dict[str, tuple[float, str]] = {}


def why_refused(session: str) -> str | None:
    """What a session's page says of an upload that was refused a moment ago."""
    when, text = _refused.get(session, (0.0, ""))
    return text if text and time.monotonic() - when < SHOWN_SECONDS else None


class BoundedUploads:
    """The web application behind a look at how much waits to be read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse an upload before it is kept."""
        if scope["type"] != "http" or scope["method"] != "PUT" or PATH not in scope["path"]:
            await self._app(scope, receive, send)
            return
        import streamlit as st
        from streamlit.runtime import Runtime

        runtime = Runtime.instance()
        session = scope["path"].partition(PATH)[2].partition("/")[0]
        largest = int(st.get_option("server.maxUploadSize")) * MEGABYTE
        if not runtime.is_active_session(session):
            await _answer(403, NO_SESSION, receive, send, largest)
            return
        length = _length(scope, largest)
        most = bounds(largest)
        drop_old(runtime, most.seconds)
        problem = _problem(_uploads(runtime), session, length, most)
        if problem is not None:
            _tell(runtime, session, problem)
            await _answer(413, problem, receive, send, largest)
            return
        _refused.pop(session, None)
        _coming_bytes[session] += length
        _coming_files[session] += 1
        _last[session] = time.monotonic()
        try:
            await self._app(scope, receive, send)
        finally:
            _coming_bytes[session] -= length
            _coming_files[session] -= 1
            _last[session] = time.monotonic()
            if runtime._session_mgr.get_session_info(session) is None:  # it has ended meanwhile
                _drop(runtime, session)


def _length(scope: Scope, largest: int) -> int:
    """How long a request says it is; the longest there may be where it doesn't say."""
    text = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return min(int(text), largest + MEGABYTE) if text.isdigit() else largest + MEGABYTE


def _uploads(runtime: Runtime) -> MemoryUploadedFileManager:
    """Where the web server keeps uploads; in general the runtime's may be another place."""
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    found = runtime.uploaded_file_mgr
    assert isinstance(found, MemoryUploadedFileManager)
    return found


def _problem(manager: MemoryUploadedFileManager, session: str, length: int, most: Bounds) -> str | None:
    """Why there is no room for so many bytes more, beside what waits and what is on its way."""
    with manager._lock:
        waiting = {
            name: [len(file.data) for file in files.values()] for name, files in manager.file_storage.items()
        }
    own = waiting.get(session, [])
    if sum(own) + _coming_bytes[session] + length > most.session_bytes:
        return (
            "An upload was refused: those that wait to be read may have "
            f"{most.session_bytes / MEGABYTE:,.3g} MB together. Give fewer or smaller files at a time."
        )
    if len(own) + _coming_files[session] >= most.session_files:
        return (
            f"An upload was refused: at most {count_of(most.session_files, 'file')} may wait to be read. "
            "Give fewer at a time, or pack them into a zip."
        )
    everybody = sum(map(sum, waiting.values())) + _coming_bytes.total() + length
    many = sum(map(len, waiting.values())) + _coming_files.total()
    if everybody > most.server_bytes or many >= most.server_files:
        return (
            "An upload was refused: too many of all visitors wait to be read on this server. Try again in a "
            "few minutes."
        )
    return None


def _tell(runtime: Runtime, session: str, problem: str) -> None:
    """Have the page of a session say why; Streamlit's own field shows a number only."""
    now = time.monotonic()
    for name in [name for name, (when, _) in _refused.items() if now - when > SHOWN_SECONDS]:
        del _refused[name]
    known = session in _refused
    _refused[session] = (now, problem)
    found = runtime._session_mgr.get_active_session_info(session)
    if found is not None and not known:
        found.session.request_rerun(found.session._client_state)


async def _answer(status: int, text: str, receive: Receive, send: Send, largest: int) -> None:
    """Let go what comes, which a browser wants to have sent before it listens, and refuse."""
    come, more = 0, True
    while more and come <= largest + MEGABYTE:
        message = await receive()
        come += len(message.get("body", b""))
        more = message["type"] == "http.request" and bool(message.get("more_body"))
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def drop_old(runtime: Runtime, seconds: float) -> None:
    """Drop uploads that nobody has read in time, and those of sessions that are no more.

    seconds: Since the last upload of a session.
    """
    now = time.monotonic()
    for session in list(_uploads(runtime).file_storage):
        old = now - _last.setdefault(session, now) > seconds and not _coming_files[session]
        if old or runtime._session_mgr.get_session_info(session) is None:
            _drop(runtime, session)


def _drop(runtime: Runtime, session: str) -> None:
    runtime.uploaded_file_mgr.remove_session_files(session)
    if not _coming_files[session]:
        for known in (_last, _coming_bytes, _coming_files, _refused):
            known.pop(session, None)
