"""Thirty sessions on one server while an analysis runs: how long script runs and clicks take.

Run it with `make load`; it writes LOAD.md beside this file. The sessions speak Streamlit's protocol without
a browser; two tabs of Chromium click meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

from app.driver import ARGUMENTS, CHROMIUM, open_page, running_server, score_file, settle  # noqa: E402
from app.visitor import Visitor  # noqa: E402
from streamlit.proto.WidgetStates_pb2 import WidgetState  # noqa: E402

from nlpstat_core.methods.significance import TESTS  # noqa: E402

SECONDS = 10.0  # every session reruns once in this time
# The pages that people change between; their number has no factor with the five gestures of `rerun`.
PAGES = (
    *("leaderboard", "heatmap", "boards", "pair", "power", "report", "methods"),
    *("metrics", "judges", "preferences", ""),
)
ALPHA = ("number_input", "Significance level α")
BOARDS = ((16, 2001), (26, 998), (129, 50), (213, 100))
HEAVY = (200, 2000)
READING_MS = 1000  # between two clicks; the browser takes a core of the same machine while it draws
HEAD = """Made by `make load`: one server, sessions with the example or a file of 16 to 213 systems each, at
pages and settings of their own, over Streamlit's websocket; seconds are from the message of a click to the
message that the script has ended. One more session has a large board compared by the permutation test again
and again, each time at another level. The two tabs of a browser click in turn with a second between, and draw
their charts on the same two cores that server, worker processes and sessions share."""


async def opened(stack: AsyncExitStack, address: str, number: int) -> Visitor:
    """A session with the example or a file of its own, answered."""
    visitor = await stack.enter_async_context(Visitor(address))
    if number % 2:
        await visitor.upload(score_file(*BOARDS[number // 2 % len(BOARDS)]))
    else:
        await visitor.click("Shared task, 16 systems")
    await visitor.until_answered()
    return visitor


async def rerun(visitor: Visitor, step: int) -> float:
    """One gesture: mostly the next page, sometimes another level or the same page again.

    What it needs from the background may be there later; meanwhile the page asks for it as pages do.
    """
    if step % 5 == 4 and ALPHA in visitor.drawn:
        state = WidgetState(id=visitor.drawn[ALPHA], double_value=random.choice((0.01, 0.02, 0.05, 0.1)))
        seconds = await visitor.run(state)
    elif step % 5 == 3:
        seconds = await visitor.run()
    else:
        seconds = await visitor.run(page=PAGES[step % len(PAGES)])
    return seconds


async def wait_for_answer(visitor: Visitor, until: float) -> None:
    """Look at the page until this moment; ask for what is in the background as long as it is there."""
    while time.monotonic() < until:
        if not await visitor.poll():
            await asyncio.sleep(max(0.0, until - time.monotonic()))


async def rounds(visitors: Sequence[Visitor], times: int, seconds: float = SECONDS) -> list[float]:
    """Every session reruns once in every round, at a moment of its own.

    Parameters
    ----------
    visitors : sequence of Visitor
    times : int
        Rounds.
    seconds : float
        Length of a round.

    Returns
    -------
    list of float
        Seconds of every script run.
    """

    async def one(number: int, visitor: Visitor) -> list[float]:
        found = []
        begun = time.monotonic()
        for turn in range(times):
            at = begun + seconds * (turn + random.random())
            await wait_for_answer(visitor, at)
            found.append(await rerun(visitor, number + turn))
        await wait_for_answer(visitor, begun + seconds * times)
        return found

    done = await asyncio.gather(*(one(number, visitor) for number, visitor in enumerate(visitors)))
    return [value for found in done for value in found]


@cache
def heavy_file() -> bytes:
    """The large board; writing it takes a second of this process."""
    return score_file(*HEAVY)


async def keep_busy(address: str, stop: asyncio.Event) -> int:
    """One session analyses a large board again and again until told to stop; how often it was answered."""
    data = heavy_file()
    async with Visitor(address, {"test": TESTS["permutation-mean"].label}) as visitor:
        await visitor.upload(data)
        answered, level = 0, 0.05
        while not stop.is_set():
            if not await visitor.poll():
                answered, level = answered + 1, level * 0.99
                await visitor.run(WidgetState(id=visitor.drawn[ALPHA], double_value=level))
        return answered


def share_below(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies.

    Parameters
    ----------
    values : sequence of float
    share : float

    Returns
    -------
    float
    """
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def clicks(address: str, seconds: float) -> list[float]:
    """Two tabs of a browser change pages in turn; how long until the page is there, after each tab's first.

    Parameters
    ----------
    address : str
    seconds : float
        How long they click.

    Returns
    -------
    list of float
    """
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        tabs = [browser.new_page(viewport={"width": 1280, "height": 900}) for _ in range(2)]
        for tab in tabs:
            tab.set_default_timeout(120_000)
            tab.goto(address)
            tab.get_by_role("button", name="Shared task").click()
            tab.locator(".heatmaplayer image").first.wait_for(state="attached")
            settle(tab)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for title in ("Leaderboard", "Heatmap", "Pair", "Report"):
                for tab in tabs:
                    begun = time.perf_counter()
                    open_page(tab, title)
                    found.append(time.perf_counter() - begun)
                    tab.wait_for_timeout(READING_MS)
        browser.close()
    return found


def row(what: str, values: Sequence[float], bound: float) -> str:
    """One line of the table, also told at once: median, 95 %, longest, whether 95 % stay below the bound."""
    high = share_below(values, 0.95)
    text = "reached" if high < bound else "missed"
    line = (
        f"| {what} | {len(values)} | {median(values):.2f} s | {high:.2f} s | {max(values):.2f} s "
        f"| {bound:g} s | {text} |"
    )
    print(line, flush=True)
    return line


async def measure(address: str, sessions: int, times: int) -> str:
    """All figures as a Markdown table.

    Parameters
    ----------
    address : str
    sessions, times : int

    Returns
    -------
    str
    """
    lines = [
        "| | runs | median | 95 % below | longest | bound | |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    async with AsyncExitStack() as stack:
        visitors = [await opened(stack, address, number) for number in range(sessions)]
        what = f"script runs of {sessions} sessions, each one in {SECONDS:g} s"
        lines.append(row(f"{what}, server otherwise idle", await rounds(visitors, times), 1.0))
        heavy_file()
        stop = asyncio.Event()
        busy = asyncio.create_task(keep_busy(address, stop))
        lines.append(
            row(f"{what}, while {HEAVY[0]} × {HEAVY[1]:,} are analysed", await rounds(visitors, times), 1.0)
        )
        measured, seen = await asyncio.gather(
            rounds(visitors, times), asyncio.to_thread(clicks, address, SECONDS * times)
        )
        lines.append(row("the same while two browser tabs click", measured, 1.0))
        lines.append(row("a click in one of the two tabs, page drawn", seen, 2.0))
        stop.set()
        answered = await busy
    return "\n".join([*lines, "", f"The large board was analysed {answered} times meanwhile."])


def main() -> None:
    """Start a server, measure, write LOAD.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=6)
    chosen = parser.parse_args()
    parts = [HEAD]
    for title, sessions, environment in (
        ("Two cores, as many workers as they allow", chosen.sessions, {}),
        (
            "Four sessions on four workers (`NLPSTAT_WORKERS=4`, still on two cores)",
            4,
            {"NLPSTAT_WORKERS": "4"},
        ),
    ):
        with (
            tempfile.TemporaryDirectory() as folder,
            running_server(Path(folder) / "log.txt", environment=environment) as address,
        ):
            table = asyncio.run(measure(address, sessions, chosen.rounds))
        parts.append(f"## {title}\n\n{table}")
    text = "\n\n".join(["# Load", *parts])
    (HERE / "LOAD.md").write_text(f"{text}\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
