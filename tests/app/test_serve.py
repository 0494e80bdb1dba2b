"""`nlpstat serve`: signals end all of it, a taken port makes way, and the browser shows our own server."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from app.driver import ROOT, score_file
from app.memory import children
from app.proxy import free_ports
from app.visitor import Visitor, completed

from dashboard.server.browser import tells
from nlpstat_core.cli.serve import _free_port
from nlpstat_core.errors import ConfigError, NlpstatError

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")


class Other(BaseHTTPRequestHandler):
    """Somebody else's board: healthy, and with an answer to everything."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""


@contextmanager
def somebody_else(host: str = "127.0.0.1") -> Iterator[int]:
    """The port of another server."""
    server = ThreadingHTTPServer((host, 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def silent(greeting: bytes = b"") -> Iterator[int]:
    """The port of something that takes connections and speaks no HTTP."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            with suppress(OSError):
                while True:
                    link, _ = listening.accept()
                    link.sendall(greeting)
                    time.sleep(0 if greeting else 3)
                    link.close()

        threading.Thread(target=greet, daemon=True).start()
        yield int(listening.getsockname()[1])


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of Python; "opened" of the folder tells which address a browser would show."""
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{folder}/opened"\n', encoding="utf-8")
    browser.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": str(browser)}
    environment["http_proxy"] = "http://127.0.0.1:9"  # of another machine's pages, not of this one's
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=folder, env=environment, stdout=log, stderr=log, text=True
        )
    try:
        yield process
    finally:
        for left in [process.pid, *children(process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)
        process.wait()


def serving(folder: Path, port: int, *more: str) -> AbstractContextManager[subprocess.Popen[str]]:
    return started(folder, "-m", "nlpstat_core", "serve", "--port", str(port), *more)


def wait_until_healthy(port: int, process: subprocess.Popen[str], folder: Path) -> None:
    for _ in range(1200):
        assert process.poll() is None, (folder / "log").read_text()
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
            return
        time.sleep(0.1)
    pytest.fail((folder / "log").read_text())


def waited(condition: Callable[[], bool], seconds: float = 60) -> bool:
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        if condition():
            return True
        time.sleep(0.05)
    return False


def running(process: int) -> bool:
    """Whether it is there and no mere entry of one that has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_the_server_and_its_workers(tmp_path: Path, sent: signal.Signals) -> None:
    port = free_ports(1)[0]
    with serving(tmp_path, port, "--no-browser") as process:
        wait_until_healthy(port, process, tmp_path)
        assert waited(lambda: len(children(process.pid)) >= 2)

        async def long_work() -> None:
            async with Visitor(f"http://127.0.0.1:{port}") as visitor:
                await visitor.upload(score_file(40, 3000))

        if sent == signal.SIGTERM:
            completed(long_work())
        others = children(process.pid)
        process.send_signal(sent)
        process.wait(timeout=30)
        assert waited(lambda: not any(running(other) for other in others), 10)
        with pytest.raises(OSError, match=r".*"):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
    assert "Traceback" not in (tmp_path / "log").read_text()
    assert not (tmp_path / "opened").exists()


def test_a_signal_while_it_starts_leaves_nobody(tmp_path: Path) -> None:
    for moment in (0.3, 1.2):
        with serving(tmp_path, free_ports(1)[0], "--no-browser") as process:
            others: set[int] = set()
            begun = time.monotonic()
            while time.monotonic() - begun < moment:
                others |= set(children(process.pid))
                time.sleep(0.02)
            others |= set(children(process.pid))
            process.terminate()
            process.wait(timeout=30)
            assert waited(lambda others=others: not any(running(other) for other in others), 15)


def test_the_browser_shows_the_server_at_the_next_free_port(tmp_path: Path) -> None:
    with somebody_else() as taken, serving(tmp_path, taken) as process:
        assert waited(lambda: (tmp_path / "opened").exists(), 120), (tmp_path / "log").read_text()
        (address,) = (tmp_path / "opened").read_text().split()
        port = int(address.rpartition(":")[2])
        assert taken < port <= taken + 100
        assert address == f"http://127.0.0.1:{port}"
        said = (tmp_path / "log").read_text()
        assert f"Port {taken} is taken: the app is served at port {port}." in said
        wait_until_healthy(port, process, tmp_path)


def test_no_browser_for_another_server_that_came_first(tmp_path: Path) -> None:
    """Where the port is taken only after it was tried, the server ends, and nobody's page is opened."""
    with (
        somebody_else() as taken,
        started(tmp_path, "-m", "dashboard", "--open-browser", "--server.port", str(taken)) as process,
    ):
        assert process.wait(timeout=60) == 1
    assert f"Port {taken} is not available" in (tmp_path / "log").read_text()
    assert not (tmp_path / "opened").exists()


def test_only_the_token_identifies_a_server() -> None:
    with somebody_else() as port:
        assert tells(f"http://127.0.0.1:{port}", "ok")
        assert not tells(f"http://127.0.0.1:{port}", "o")
        assert not tells(f"http://127.0.0.1:{port}", "0" * 32)
    for greeting in (b"", b"220 mail.example ESMTP\r\n", b"HTTP/1.1 200 OK\r\n\r\n"):
        with silent(greeting) as port:
            assert not tells(f"http://127.0.0.1:{port}", "0" * 32)
    assert not tells(f"http://127.0.0.1:{free_ports(1)[0]}", "0" * 32)


def test_ports_that_are_tried() -> None:
    (free,) = free_ports(1)
    assert _free_port("127.0.0.1", free) == free
    assert _free_port("localhost", free) == free
    assert _free_port("0.0.0.0", free) == free
    for host in ("127.0.0.1", "0.0.0.0"):
        with somebody_else(host) as taken:
            for ours in ("127.0.0.1", "localhost", "0.0.0.0"):
                assert _free_port(ours, taken) > taken


@pytest.mark.parametrize("host", ["nobody.invalid", "203.0.113.7", "", "a" * 70 + ".example", "1.2.3.4.5"])
def test_addresses_that_are_not_here_are_refused(host: str) -> None:
    with pytest.raises(ConfigError, match=r"^--host .* is not an address of this machine\.$"):
        _free_port(host, 8501)


def test_ports_that_cant_be_had_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with somebody_else() as taken:
        monkeypatch.setattr("nlpstat_core.cli.serve.PORTS_TRIED", 1)
        with pytest.raises(NlpstatError, match=re.escape(f"from {taken} to {taken} are all taken")):
            _free_port("127.0.0.1", taken)

    def kept(*_: object) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", kept)
    with pytest.raises(ConfigError, match="--port 80 is kept for the system"):
        _free_port("127.0.0.1", 80)
