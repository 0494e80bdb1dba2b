"""Refused files cost the server nothing: neither their reading nor a second look, nor their number."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from app.driver import running_server, score_file
from app.memory import children, held_uploads, resident, server_process
from app.visitor import Visitor, completed
from ui.bombs import REFUSED, words_only

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks into /proc")

MOST_GROWN = 150  # MiB of the server, whatever a file unpacks to
MOST_OF_WORKERS = 2_000  # MiB of all of them together, for files as large as these
SLOWER = 0.3  # seconds that another session's page takes longer
MAKERS = REFUSED | {"words.parquet": lambda: words_only(300)}
# 64 kB that took the server 2.7 s.
SETTINGS = b"test: t\nnotes: " + b"[" * 900 + b"]" * 900 + b"\nmore: [" + b"a, " * 20_000 + b"b]\n"


@contextmanager
def peaks(server: int) -> Iterator[dict[str, float]]:
    """The largest memory of the server and of its worker processes together, in MiB, as long as it lasts."""
    found, ended = {"server": 0.0, "workers": 0.0}, threading.Event()

    def look() -> None:
        while not ended.wait(0.05):
            found["server"] = max(found["server"], resident(server))
            workers = 0.0
            for process in children(server):
                try:
                    workers += resident(process)
                except OSError:  # ended meanwhile
                    continue
            found["workers"] = max(found["workers"], workers)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


async def pages(visitor: Visitor, until: asyncio.Task[None] | None, least: int) -> list[float]:
    """Seconds that pages of a session take, at least so many and as long as something else goes on."""
    seconds: list[float] = []
    while len(seconds) < least or (until is not None and not until.done()):
        seconds.append(await visitor.run(page=("methods", "")[len(seconds) % 2]))
    return seconds


@pytest.mark.parametrize("name", [*MAKERS, "settings.yml"])
def test_another_session_doesnt_notice(server: str, name: str) -> None:
    data = SETTINGS if name == "settings.yml" else MAKERS[name]()
    process = server_process(server)

    async def visit() -> tuple[list[float], list[float], list[str], dict[str, float], float]:
        async with Visitor(server) as other, Visitor(server) as visitor:
            for page in ("methods", ""):  # nobody's first visit is measured
                await other.run(page=page)
            alone = await pages(other, None, 6)
            before = resident(process)
            with peaks(process) as peak:
                field = "Settings file" if name == "settings.yml" else "Drop a score file"
                reading = asyncio.create_task(_upload(visitor, data, name, field))
                beside = await pages(other, reading, 6)
                await reading
            return alone, beside, visitor.words, peak, before

    alone, beside, words, peak, before = completed(visit())
    usual, now = statistics.median(alone), statistics.median(beside)
    print(f"{name}: {len(data):,} B, server {before:.0f} → {peak['server']:.0f} MiB")
    print(
        f"workers {peak['workers']:.0f} MiB, pages {usual:.2f} s, beside {now:.2f}, at most {max(beside):.2f}"
    )
    assert any("can't be used" in text for text in words)
    assert peak["server"] - before < MOST_GROWN
    assert peak["workers"] < MOST_OF_WORKERS
    assert now < usual + SLOWER


async def _upload(visitor: Visitor, data: bytes, name: str, field: str) -> None:
    await visitor.upload(data, name, field)
    await visitor.until_answered()


ROOM = {"NLPSTAT_MAX_SESSION_UPLOAD_BYTES": str(40 << 20), "NLPSTAT_MAX_UPLOAD_BYTES": str(60 << 20)}


def test_uploads_nobody_reads_are_bounded_told_and_freed(tmp_path: Path) -> None:
    data = b"x" * (5 << 20)

    async def visit(address: str) -> tuple[list[int], list[str], list[int], float]:
        async with Visitor(address) as one, Visitor(address) as two, Visitor(address) as three:
            status = [
                await asyncio.to_thread(_put, visitor, f"{i}", data)
                for i in range(10)
                for visitor in (one, two, three)
            ]
            held = held_uploads(address)
            made_up = [
                await asyncio.to_thread(_put, visitor, "a", data[:1000])
                for visitor in (Visitor(address, _session="made-up"), Visitor(address, _session=".."))
            ]
            await one.run()
            return [*status, int(held)], one.words, made_up, resident(server_process(address))

    async def first(address: str) -> None:
        """What pages load is there before memory is compared."""
        async with Visitor(address) as visitor:
            await visitor.run()

    with running_server(tmp_path / "log.txt", environment=ROOM) as address:
        completed(first(address))
        before = resident(server_process(address))
        (*status, held), words, made_up, after = completed(visit(address))
        assert sorted(status) == [204] * 11 + [413] * 19  # there's more to an upload than its file
        assert held == 11 * len(data)
        assert any("An upload was refused" in text for text in words)
        assert made_up == [403, 403]
        assert after - before < 60 + MOST_GROWN
        end = time.monotonic() + 90
        while held_uploads(address) and time.monotonic() < end:
            time.sleep(1)
        assert held_uploads(address) == 0

        async def again() -> list[str]:
            async with Visitor(address) as visitor:
                await visitor.upload(score_file())
                await visitor.until_answered()
                return visitor.words

        assert any("of 15 pairs are found to differ" in text for text in completed(again()))


def test_a_browser_is_told_at_once(page: Any, tmp_path: Path) -> None:
    room = {"NLPSTAT_MAX_SESSION_UPLOAD_BYTES": "5000"}
    with running_server(tmp_path / "log.txt", environment=room) as address:
        page.goto(address)
        drop = page.locator("input[type=file]").first
        drop.wait_for(state="attached")
        long, short = score_file(40), score_file(3)
        drop.set_input_files([{"name": "long.csv", "mimeType": "text/csv", "buffer": long}])
        page.get_by_text("An upload was refused: those that wait to be read may have").wait_for()
        page.locator("input[type=file]").first.set_input_files(
            [{"name": "short.csv", "mimeType": "text/csv", "buffer": short}]
        )
        page.get_by_text("of 3 pairs are found to differ").first.wait_for()
        assert page.get_by_text("An upload was refused").count() == 0


def _put(visitor: Visitor, name: str, data: bytes) -> int:
    """The status an upload gets that no page knows of."""
    try:
        visitor._put(f"/_stcore/upload_file/{visitor._session}/{name}", data, "a.csv")
    except urllib.error.HTTPError as error:
        return error.code
    return 204
