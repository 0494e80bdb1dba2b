"""A real server: what it keeps, which names it answers to; a hostile file is no other user's concern."""

from __future__ import annotations

import asyncio
import http.client
import importlib.util
import io
import re
import socket
import struct
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from email.message import Message
from pathlib import Path

import pytest
from app.driver import ROOT, running_server, score_file
from app.memory import big_file, children, held_uploads, resident, server_process
from app.visitor import Visitor, completed

from dashboard.server.guards import allowed
from dashboard.server.start import options
from dashboard.session.held import UNDO_SECONDS

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks into /proc")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hardening") / "log.txt"


@pytest.fixture(scope="module")
def address(log: Path) -> Iterator[str]:
    """A server started from a folder that has options of its own."""
    (log.parent / ".streamlit").mkdir()
    (log.parent / ".streamlit" / "config.toml").write_text(
        '[browser]\ngatherUsageStats = true\n[server]\naddress = "0.0.0.0"\nmaxUploadSize = 1\n'
    )
    with running_server(log, (str(ROOT / "dashboard" / "__main__.py"),), folder=log.parent) as made:
        yield made


def test_options_of_the_folder_it_is_started_from_change_nothing(address: str, log: Path) -> None:
    with urllib.request.urlopen(f"{address}/", timeout=10) as answer:
        assert answer.status == 200

    async def visit() -> list[str]:
        async with Visitor(address) as visitor:
            await visitor.upload(big_file("large", 2))  # megabytes
            await visitor.until_answered()
            return list(visitor.words)

    assert any("pairs are found to differ" in text for text in completed(visit()))
    listening = Path("/proc/net/tcp").read_text()
    port = int(address.rpartition(":")[2])
    assert f"0100007F:{port:04X}" in listening
    assert f"00000000:{port:04X}" not in listening
    assert "usage statistics" not in log.read_text().lower()


def bomb(method: int, size: int, said: int | None) -> bytes:
    """A zip of a few kilobytes that holds much, and says that it holds little."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("A.txt", b"1\n" * (size // 2))
    data = target.getvalue()
    return data if said is None else data.replace(struct.pack("<L", size), struct.pack("<L", said))


def status(address: str, host: str, path: str = "/_stcore/health") -> int:
    request = urllib.request.Request(f"{address}{path}", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_only_own_names_are_answered_to(address: str) -> None:
    port = address.rpartition(":")[2]
    assert status(address, f"127.0.0.1:{port}") == 200
    assert status(address, f"localhost:{port}") == 200
    for path in ("/", "/_stcore/health", "/media/x.csv"):
        assert status(address, f"evil.example:{port}", path) == 421
    assert not allowed("127.0.0.1.evil.example")
    assert not allowed("localhost.evil.example")
    assert not allowed("")
    assert allowed("anything.example", "*")


def answer(address: str, method: str, path: str, host: str = "localhost") -> tuple[int, Message]:
    link = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    try:
        link.request(method, path, headers={"Host": host})
        found = link.getresponse()
        found.read()
        return found.status, found.headers
    finally:
        link.close()


def test_every_answer_bars_foreign_frames_and_guesses_at_its_kind(address: str) -> None:
    with urllib.request.urlopen(f"{address}/", timeout=10) as page:
        script = re.search(r'src="\./(static/js/[^"]+\.js)"', page.read().decode())
    assert script is not None
    seen = set()
    for method, path, host in (
        ("GET", "/", "localhost"),
        ("HEAD", "/", "localhost"),
        ("GET", "/heatmap", "localhost"),
        ("GET", f"/{script[1]}", "localhost"),
        ("GET", "/_stcore/health", "localhost"),
        ("GET", "/_stcore/host-config", "localhost"),
        ("GET", "/media/nothing.csv", "localhost"),
        ("PUT", "/_stcore/upload_file/a/b", "localhost"),
        ("OPTIONS", "/_stcore/upload_file/a/b", "localhost"),
        ("GET", "/_nlpstat/metrics", "localhost"),
        ("GET", "/", "evil.example"),
    ):
        status, headers = answer(address, method, path, host)
        seen.add(status)
        where = f"{method} {path} {status}"
        assert "frame-ancestors 'self'" in headers.get_all("Content-Security-Policy"), where
        assert headers.get_all("X-Content-Type-Options") == ["nosniff"], where
        assert headers.get_all("Referrer-Policy") == ["same-origin"], where
    assert {200, 404, 421} <= seen
    assert seen & {400, 403}


@pytest.mark.skipif(importlib.util.find_spec("sqlalchemy") is None, reason="nlpstat[boards] is not installed")
@pytest.mark.parametrize("said", ["", "1"])
def test_behind_a_proxy_that_says_nothing_nobody_is_the_local_user_unasked(tmp_path: Path, said: str) -> None:
    """All of its visitors come from this machine and ask for 127.0.0.1, without any other header."""
    environment = {
        "NLPSTAT_DATABASE": str(tmp_path / "boards.sqlite"),
        "NLPSTAT_ALLOWED_HOSTS": "scores.example.org",
        "NLPSTAT_METRICS": "1",
        "NLPSTAT_LOCAL_USER": said,
    }
    with running_server(tmp_path / "log.txt", environment=environment) as address:

        async def visit() -> list[str]:
            async with Visitor(address) as visitor:
                await visitor.run(page="saved")
                return list(visitor.words)

        words = " ".join(completed(visit()))
        assert ("No boards yet" in words) is (said == "1")
        assert ("Boards can't be saved here" in words) is (said == "")
        with urllib.request.urlopen(f"{address}/_nlpstat/metrics", timeout=10) as page:
            assert b"nlpstat_uptime" not in page.read()


def test_a_websocket_for_another_name_is_refused(address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as link:
        link.sendall(
            b"GET /_stcore/stream HTTP/1.1\r\nHost: evil.example\r\n"
            b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b" 403 " in link.recv(200)


def test_streamlits_own_command_guards_names_from_the_first_visit_on(tmp_path: Path) -> None:
    launcher = ("-m", "streamlit", "run", str(ROOT / "dashboard" / "app.py"))
    with running_server(tmp_path / "log.txt", launcher) as address:
        port = address.rpartition(":")[2]

        async def visit() -> bool:
            async with Visitor(address) as visitor:
                return any(label.startswith("Drop a score file") for _, label in visitor.drawn)

        assert completed(visit())
        assert status(address, f"localhost:{port}") == 200
        assert status(address, f"evil.example:{port}") == 421


def test_nobody_else_on_the_net_is_served_unasked(address: str) -> None:
    assert "--server.address=127.0.0.1" in options()
    assert "--browser.gatherUsageStats=false" in options()
    port = int(address.rpartition(":")[2])
    found = [entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    for other in {name for name in found if not name.startswith("127.")}:
        with pytest.raises(OSError, match=r".*"):
            socket.create_connection((other, port), timeout=2).close()


def test_forgotten_uploads_leave_the_server(address: str) -> None:
    data = big_file("forgotten", 4)

    async def visit(times: int) -> float:
        async with Visitor(address) as visitor:
            for _ in range(times):
                await visitor.upload(data)
                await visitor.until_answered()
                held = held_uploads(address)
                await visitor.click("Forget my data")
            return held

    completed(visit(2))
    before = resident(server_process(address))
    assert completed(visit(8)) == 0  # given up as soon as they are read
    end = time.monotonic() + UNDO_SECONDS + 1
    while resident(server_process(address)) - before >= 60 and time.monotonic() < end:
        time.sleep(0.1)
    assert resident(server_process(address)) - before < 60


def test_bombs_end_in_a_sentence_and_are_no_other_users_concern(address: str) -> None:
    bombs = {
        "bz2.zip": (bomb(zipfile.ZIP_BZIP2, 20_000_000, 1000), "unusual compression"),
        "lies.zip": (bomb(zipfile.ZIP_DEFLATED, 200_000_000, 1000), "broken"),
        "honest.zip": (bomb(zipfile.ZIP_DEFLATED, 200_000_000, None), "larger than 100 MiB"),
    }

    async def visit() -> tuple[list[tuple[str, list[str]]], list[float], list[float]]:
        refused, alone, beside = [], [], []
        async with AsyncExitStack() as stack:
            other = await stack.enter_async_context(Visitor(address))
            await other.upload(score_file())
            await other.until_answered()
            alone += [await other.run() for _ in range(5)]
            hostile = await stack.enter_async_context(Visitor(address))
            for name, (data, _) in bombs.items():
                busy = asyncio.create_task(hostile.upload(data, name))
                while not busy.done():
                    beside.append(await other.run())
                    await asyncio.sleep(0.1)
                await busy
                await hostile.until_answered()
                refused.append((name, list(hostile.words)))
            return refused, alone, beside

    server = server_process(address)
    before = resident(server)
    refused, alone, beside = completed(visit())
    for name, words in refused:
        assert any(bombs[name][1] in word for word in words), (name, words)
    assert resident(server) - before < 60
    assert sorted(beside)[len(beside) // 2] < sorted(alone)[len(alone) // 2] + 0.3
    assert len(children(server)) >= 1
