"""Uploads that nobody reads: how many, how large, how long, and what is said where there is no room."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from app.visitor import completed
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from ui.driver import open_app

from dashboard.server import upload_bounds
from dashboard.server.upload_bounds import (
    MEGABYTE,
    SECONDS,
    SERVER_BYTES,
    SERVER_FILES,
    SESSION_BYTES,
    SESSION_FILES,
    BoundedUploads,
    bounds,
    drop_old,
    why_refused,
)
from nlpstat_core.errors import ConfigError


class Sessions:
    """Streamlit's runtime as far as uploads need it."""

    def __init__(self, *names: str) -> None:
        self.names = set(names)
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")
        self.rerun: list[str] = []
        self._session_mgr = self

    def is_active_session(self, name: str) -> bool:
        return name in self.names

    def get_session_info(self, name: str) -> object | None:
        return name if name in self.names else None

    def get_active_session_info(self, name: str) -> object | None:
        session = SimpleNamespace(_client_state=name, request_rerun=self.rerun.append)
        return SimpleNamespace(session=session) if name in self.names else None

    def waiting(self) -> int:
        return sum(
            len(file.data)
            for files in self.uploaded_file_mgr.file_storage.values()
            for file in files.values()
        )


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    made = Sessions("one", "two")
    monkeypatch.setattr(Runtime, "instance", lambda: made)
    monkeypatch.setenv(SESSION_BYTES, str(3 * MEGABYTE))
    monkeypatch.setenv(SERVER_BYTES, str(5 * MEGABYTE))
    for name in ("_last", "_refused"):
        monkeypatch.setattr(upload_bounds, name, {})
    return made


def put(
    runtime: Sessions,
    session: str,
    name: str,
    size: int,
    *,
    method: str = "PUT",
    says: bool = True,
    wait: bool = False,
) -> tuple[int, str]:
    """What a request with a file is answered."""
    return completed(_put(runtime, session, name, size, method, says, wait))


async def _put(
    runtime: Sessions, session: str, name: str, size: int, method: str, says: bool, meanwhile: bool
) -> tuple[int, str]:
    sent: list[dict] = []
    left = [size]

    async def streamlits(scope, receive, send) -> None:
        """Takes whatever comes."""
        data = b""
        while (message := await receive()).get("body"):
            data += message["body"]
        if meanwhile:
            await asyncio.sleep(0.05)
        runtime.uploaded_file_mgr.add_file(session, UploadedFileRec(name, name, "text/csv", data))
        await send({"type": "http.response.start", "status": 204})

    async def receive() -> dict:
        part = min(left[0], MEGABYTE)
        left[0] -= part
        return {"type": "http.request", "body": b"x" * part, "more_body": left[0] > 0}

    async def send(message: dict) -> None:
        sent.append(message)

    headers = [(b"content-length", str(size).encode())] if says else []
    path = f"/base/_stcore/upload_file/{session}/{name}"
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    await BoundedUploads(streamlits)(scope, receive, send)
    assert left[0] == 0  # a browser that still sends hears no answer
    return sent[0]["status"], sent[1]["body"].decode() if len(sent) > 1 else ""


def test_a_session_has_its_share_until_its_files_are_read(runtime: Sessions) -> None:
    assert put(runtime, "one", "a", 2 * MEGABYTE)[0] == 204
    status, said = put(runtime, "one", "b", 2 * MEGABYTE)
    assert status == 413
    assert said == (
        "An upload was refused: those that wait to be read may have 3 MB together. "
        "Give fewer or smaller files at a time."
    )
    assert why_refused("one") == said
    assert why_refused("two") is None
    assert runtime.rerun == ["one"]  # its page draws the sentence
    put(runtime, "one", "b", 2 * MEGABYTE)
    assert runtime.rerun == ["one"]  # and isn't made to again and again
    assert runtime.waiting() == 2 * MEGABYTE
    runtime.uploaded_file_mgr.remove_file("one", "a")  # as the page does that reads it
    assert put(runtime, "one", "b", 2 * MEGABYTE)[0] == 204
    assert why_refused("one") is None


def test_all_sessions_share_the_servers(runtime: Sessions) -> None:
    assert put(runtime, "one", "a", 3 * MEGABYTE)[0] == 204
    status, said = put(runtime, "two", "a", 3 * MEGABYTE)
    assert status == 413
    assert "too many of all visitors wait to be read on this server. Try again" in said
    assert put(runtime, "two", "a", 2 * MEGABYTE)[0] == 204
    assert runtime.waiting() == 5 * MEGABYTE


@pytest.mark.parametrize("variable", [SESSION_FILES, SERVER_FILES])
def test_many_small_files_are_bounded(runtime: Sessions, monkeypatch, variable: str) -> None:
    monkeypatch.setenv(variable, "3")
    assert [put(runtime, "one", name, 1)[0] for name in "abcd"] == [204, 204, 204, 413]
    assert put(runtime, "two", "a", 1)[0] == (204 if variable == SESSION_FILES else 413)
    assert "An upload was refused: " in why_refused("one")


def test_what_is_on_its_way_counts(runtime: Sessions) -> None:
    async def together() -> list[int]:
        several = [_put(runtime, "one", str(i), MEGABYTE, "PUT", True, True) for i in range(5)]
        return sorted(status for status, _ in await asyncio.gather(*several))

    assert completed(together()) == [204, 204, 204, 413, 413]
    assert runtime.waiting() == 3 * MEGABYTE


def test_who_doesnt_say_how_long_it_is_needs_room_for_the_longest(runtime: Sessions, monkeypatch) -> None:
    assert put(runtime, "one", "a", 10, says=False)[0] == 413
    monkeypatch.setenv(SESSION_BYTES, str(60 * MEGABYTE))
    monkeypatch.setenv(SERVER_BYTES, str(60 * MEGABYTE))
    assert put(runtime, "one", "a", 10, says=False)[0] == 204


def test_made_up_sessions_are_refused_and_leave_nothing(runtime: Sessions) -> None:
    status, said = put(runtime, "made-up", "a", 10)
    assert (status, said) == (403, "There is no session of this name: reload the page.")
    assert "made-up" not in runtime.uploaded_file_mgr.file_storage
    assert why_refused("made-up") is None
    assert put(runtime, "made-up", "a", 0, method="OPTIONS")[0] == 204  # none of ours


def test_a_session_that_ends_while_it_uploads_leaves_nothing(runtime: Sessions) -> None:
    async def visit() -> None:
        upload = asyncio.create_task(_put(runtime, "one", "a", 10, "PUT", True, True))
        await asyncio.sleep(0.01)
        runtime.names.remove("one")
        await upload

    completed(visit())
    assert runtime.waiting() == 0


def test_what_nobody_reads_in_time_is_dropped(runtime: Sessions, monkeypatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(upload_bounds.time, "monotonic", lambda: clock[0])
    put(runtime, "one", "a", 10)
    clock[0] += 500
    put(runtime, "one", "b", 10)  # several files on a slow line: the first waits for the last
    put(runtime, "two", "a", 10)
    clock[0] += 500
    drop_old(runtime, 600)
    assert runtime.waiting() == 30
    runtime.names.remove("two")
    drop_old(runtime, 600)
    assert runtime.waiting() == 20
    clock[0] += 101
    drop_old(runtime, 600)
    assert runtime.waiting() == 0


def test_bounds_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (SESSION_BYTES, SERVER_BYTES):
        monkeypatch.delenv(variable, raising=False)
    found = bounds(50 * MEGABYTE)
    assert (found.session_bytes, found.server_bytes) == (100 * MEGABYTE, 500 * MEGABYTE)
    assert (found.session_files, found.server_files, found.seconds) == (2_000, 10_000, 600)
    monkeypatch.setenv(SECONDS, "30")
    assert bounds(1).seconds == 30
    monkeypatch.setenv(SECONDS, "soon")
    with pytest.raises(ConfigError, match="NLPSTAT_MAX_UPLOAD_SECONDS must be a whole number"):
        bounds(1)


def test_the_page_says_why_an_upload_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "dashboard.session.uploads.why_refused", lambda session: "An upload was refused: *because*."
    )
    at = open_app()
    assert not at.exception
    assert at.error[0].value == "An upload was refused: \\*because\\*."
