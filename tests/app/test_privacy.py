"""A session's data stay in that session: nothing on the disk, nothing for others, gone when asked."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from app.driver import ROOT, running_server, score_file
from app.visitor import Visitor, completed

from dashboard import navigation
from dashboard.server.privacy import MEGABYTE
from dashboard.server.start import ENTRY

PAGES = ("", *(entry.name for entry in navigation.PAGES[1:]))  # the first is at the address itself
DATABASE = "boards.sqlite"
SPOOL = MEGABYTE  # above this Starlette would use a temporary file


@pytest.fixture(scope="module", params=["here", "elsewhere, with a database"])
def watched(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """Address of a server, and the file that lists what it opens for writing and which hosts it asks.

    It is started from the project's folder, and from an empty one where boards are saved, which nobody does.
    """
    keeps = "database" in request.param
    if keeps and importlib.util.find_spec("sqlalchemy") is None:
        pytest.skip("the packages of nlpstat[boards] are not installed")
    folder = tmp_path_factory.mktemp("watched")
    opened = folder / "opened.txt"
    opened.touch()
    launcher = (str(Path(__file__).with_name("watched.py")), str(opened), "run", str(ENTRY))
    started = tmp_path_factory.mktemp("elsewhere") if keeps else ROOT
    environment = {"NLPSTAT_DATABASE": str(folder / DATABASE)} if keeps else {}
    with running_server(
        folder / "log.txt", launcher, everywhere=not keeps, folder=started, environment=environment
    ) as address:
        yield address, opened


def secret_file() -> bytes:
    return score_file().replace(b"sys", b"secretive-")


async def compare_with_earlier(visitor: Visitor, data: bytes, name: str) -> None:
    """Give the file of an earlier board beside the one that is loaded."""
    await visitor.run(page="leaderboard")
    await visitor.until_answered()
    await visitor.unfold("What changed since an earlier board?")
    await visitor.upload(data, name, "Drop the score file of the earlier board")
    await visitor.until_answered()
    assert any("The settings are the same." in text for text in visitor.words), visitor.words


def test_an_upload_never_reaches_the_disk_nor_another_host(watched) -> None:
    address, opened = watched
    data = secret_file() + b" " * (2 * SPOOL)  # a long file, but not long to analyse

    async def visit() -> list[str]:
        words = []
        async with Visitor(address) as visitor:
            await visitor.upload(data)
            await visitor.until_answered()
            for page in (*PAGES, *visitor.extra_pages("saved")):
                await visitor.run(page=page)
                await visitor.until_answered()
                words += visitor.words
            earlier = secret_file().replace(b"secretive-5", b"secretive-old")
            await compare_with_earlier(visitor, earlier + b" " * (2 * SPOOL), "secretive.csv")
            words += visitor.words
        return words

    words = completed(visit())
    assert any("Removed: secretive-old." in text for text in words), words
    assert any("15 pairs are found to differ" in text for text in words), words
    assert any("secretive-5" in text for text in words)
    assert [line for line in opened.read_text().splitlines() if DATABASE not in line] == []
    kept = list(opened.parent.glob(f"{DATABASE}*"))
    assert bool(kept) == any("Saved boards" in text for text in words)
    for file in kept:  # it knows nothing of what nobody saved
        assert b"secretive" not in file.read_bytes()
    watched_too = opened.with_name("processes.txt").read_text()
    assert "dashboard.background.worker_process" in watched_too


def test_sessions_see_nothing_of_each_other(server) -> None:
    async def visit() -> tuple[list[str], list[str]]:
        async with Visitor(server) as one, Visitor(server) as other:
            await one.upload(secret_file(), "unseen-file.csv")
            await one.until_answered()
            await compare_with_earlier(one, secret_file(), "unseen-file-before.csv")
            empty, full = [], []
            for page in PAGES:
                await other.run(page=page)
                empty += other.words
            await other.run(page="")
            await other.upload(score_file())
            await other.until_answered()
            for page in PAGES:
                await other.run(page=page)
                await other.until_answered()
                full += other.words
            await compare_with_earlier(other, score_file(), "scores.csv")
            full += other.words
            return empty, full

    empty, full = completed(visit())
    assert any("No scores yet" in text for text in empty)
    assert any("of 15 pairs are found to differ" in text for text in full)
    assert not [text for text in empty + full if "secretive" in text or "unseen-file" in text]


def test_forgotten_data_are_gone(server) -> None:
    async def visit() -> list[str]:
        async with Visitor(server) as visitor:
            await visitor.upload(secret_file(), "unseen-file.csv")
            await visitor.until_answered()
            await compare_with_earlier(visitor, secret_file(), "unseen-file-before.csv")
            await visitor.click("Forget my data")
            words = list(visitor.words)
            for page in PAGES:
                await visitor.run(page=page)
                words += visitor.words
            await visitor.run(page="")
            await visitor.upload(score_file())
            await visitor.until_answered()
            await visitor.run(page="leaderboard")
            await visitor.unfold("What changed since an earlier board?")
            return words + visitor.words

    words = completed(visit())
    assert any("No scores yet" in text for text in words)
    assert not [text for text in words if "secretive" in text or "unseen-file" in text]


def test_no_cache_is_shared_between_sessions() -> None:
    """Only what holds no data may be cached for all: processes, threads, and the names of modules.

    One holds data, for tabs that come back: `kept_sessions` gives them by a tab's own secret, to the same
    browser and login only (tests/ui/test_kept_sessions.py).
    """
    shared = []
    cached = re.compile(r"@(?:st\.cache_\w+|(?:functools\.)?(?:lru_)?cache)(\([^)]*\))?\s+def (\w+)")
    for file in (*ROOT.glob("dashboard/**/*.py"), *ROOT.glob("pages/*.py")):
        for made in cached.finditer(file.read_text(encoding="utf-8")):
            if 'scope="session"' not in (made.group(1) or ""):
                shared.append(made.group(2))
    assert sorted(shared) == [
        "_client",  # the connection to a cluster; what came back goes to the session that asked
        "guard_running_server",
        "kept_sessions",
        "modules",
        "prepare_reading",
        "reap_closed_sessions",
        "work_queue",
    ]
