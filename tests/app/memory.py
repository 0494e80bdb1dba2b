"""How much memory a server keeps: after uploads that were forgotten, and after tabs that were closed.

Run it with `python tests/app/memory.py [TIMES]`; it prints the figures. The sessions speak Streamlit's
protocol without a browser.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

from app.driver import running_server, score_file  # noqa: E402
from app.visitor import Visitor  # noqa: E402

MIB = 1 << 20


def children(of: int) -> list[int]:
    """The processes a process has started, and those that they have."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # ended meanwhile
                continue
    direct = [process for process, parent in parents.items() if parent == of]
    return [*direct, *(further for process in direct for further in children(process))]


def server_process(address: str) -> int:
    """The server at an address; this process has started it, and perhaps others beside it."""
    port = address.rpartition(":")[2].encode()
    (found,) = [process for process in children(os.getpid()) if port in command(process).split(b"\0")]
    return found


def command(process: int) -> bytes:
    """Its command line; empty where it has ended meanwhile."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def resident(process: int) -> float:
    """Memory of a process in MiB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB


def marks(process: int, mark: bytes) -> int:
    """How often some bytes stand in the writable memory of a process."""
    found = 0
    with Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if not rights.startswith("rw"):
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            try:
                while start < end:
                    memory.seek(start)
                    piece = memory.read(min(64 * MIB, end - start))
                    found += piece.count(mark)
                    start += max(len(piece), 1)
            except OSError:  # a region nobody may look into
                continue
    return found


def held_uploads(address: str) -> float:
    """Bytes that Streamlit's manager of uploads holds, by its own account."""
    with urllib.request.urlopen(f"{address}/_stcore/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return sum(
        float(line.rsplit(" ", 1)[1]) for line in lines if "UploadedFileManager" in line and "_bytes" in line
    )


def big_file(mark: str, megabytes: int = 8) -> bytes:
    """Scores of a few systems, made long by what stands beside them."""
    lines = score_file(4, 400).decode().split("\n")
    wide = "".join(f"{mark}-{i:06d} " for i in range(megabytes * MIB // 400 // (len(mark) + 8)))
    return "\n".join([lines[0] + ",note", *(f"{line},{wide}" for line in lines[1:])]).encode()


async def upload_and_forget(address: str, data: bytes, times: int) -> None:
    """One session uploads and forgets again and again."""
    async with Visitor(address) as visitor:
        for _ in range(times):
            await visitor.upload(data)
            await visitor.until_answered()
            await visitor.click("Forget my data")


async def upload_and_close(address: str, data: bytes, times: int) -> None:
    """One session after the other uploads, is answered, and closes its tab."""
    for _ in range(times):
        async with Visitor(address) as visitor:
            await visitor.upload(data)
            await visitor.until_answered()


def main() -> None:
    """Print the figures."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    data = big_file("secretive")
    print(f"each file {len(data) / MIB:.1f} MiB, {data.count(b'secretive'):,} marks")
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder) / "log.txt") as address:
        server = server_process(address)

        def text(what: str) -> None:
            workers = ", ".join(f"{resident(one):.0f}" for one in children(server))
            print(
                f"{what}: server {resident(server):.0f} MiB, its workers {workers} MiB, uploads held "
                f"{held_uploads(address) / MIB:.1f} MiB, marks {marks(server, b'secretive-'):,}",
                flush=True,
            )

        asyncio.run(upload_and_forget(address, score_file(), 2))
        time.sleep(15)
        text("warm")
        asyncio.run(upload_and_forget(address, data, times))
        time.sleep(10)
        text(f"after {times} uploads and Forgets")
        asyncio.run(upload_and_close(address, data, times))
        text(f"after {times} closed tabs, at once")
        time.sleep(45)
        text(f"after {times} closed tabs, 45 s later")


if __name__ == "__main__":
    main()
