"""A server of the app, Chromium, and the few gestures the tests need."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",  # a visit takes 7.5 s of processors instead of 8.4
]
START_SECONDS = 120


def score_file(systems: int = 6, units: int = 80) -> bytes:
    """A CSV of simulated scores; later systems are better, the last two alike."""
    rng = np.random.default_rng(5)
    means = np.minimum(np.arange(systems), systems - 2) * 3.0
    values = rng.normal(50, 10, (units, 1)) + rng.normal(0, 4, (units, systems)) + means
    lines = [",".join(["item", *(f"sys{i}" for i in range(systems))])]
    lines += [f"u{row}," + ",".join(f"{value:.2f}" for value in values[row]) for row in range(units)]
    return "\n".join(lines).encode()


def no_browser(reason: str) -> None:
    """Skip for all to see; where everything has to run, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"The browser tests have to run here: {reason}")
    pytest.skip(reason)


@contextmanager
def running_server(
    log: Path,
    launcher: Sequence[str] = ("-m", "dashboard"),
    *,
    everywhere: bool = False,
    folder: Path = ROOT,
    path: str = "",
    environment: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
) -> Iterator[str]:
    """Address of a fresh server on a free port; the launcher is what Python runs.

    Only this machine reaches it, unless it is to listen everywhere. It is started from a folder, and may be
    set up to answer under a path; variables of the environment and further options come on top.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, *launcher, "--server.port", str(port), *options]
    if everywhere:
        command += ["--server.address", "0.0.0.0"]
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
        try:
            _wait_until_healthy(f"{address}/{path}", process, log)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=60)


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    health = f"{address.rstrip('/')}/_stcore/health"
    for _ in range(START_SECONDS * 10):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(health, timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"The server did not start:\n{log.read_text()}")


def settle(page: Any) -> None:
    """Wait until the script has run to its end and nothing on the page is stale."""
    page.wait_for_timeout(200)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stStatusWidget]')"
        " && !document.querySelector('[data-stale=true]')"
    )


def drop(page: Any, data: bytes, name: str = "scores.csv") -> None:
    """Drop a file on the upload field, once the page has come to rest: a field drawn anew loses its file."""
    settle(page)
    page.get_by_test_id("stMain").locator("input[type=file]").set_input_files(
        files=[{"name": name, "mimeType": "text/csv", "buffer": data}]
    )


def wait_for_heatmap(page: Any) -> None:
    """Wait until the cells of a heatmap are drawn."""
    page.locator(".js-plotly-plot .heatmaplayer image").first.wait_for(state="attached")
    settle(page)


def click_cell(page: Any, row: int, column: int) -> None:
    """Click a cell of the heatmap."""
    x, y = place(page, row, column)
    page.mouse.move(x, y)
    page.wait_for_timeout(150)
    page.mouse.click(x, y)


def tap_cell(page: Any, row: int, column: int) -> None:
    """Tap a cell until its pair opens: on a touch screen the first tap may only show the sentence."""
    for _ in range(8):
        page.touchscreen.tap(*place(page, row, column))
        for _ in range(20):
            page.wait_for_timeout(200)
            if "/pair?" in page.url:
                return
    pytest.fail("Tapping the cell does not open its pair.")


def place(page: Any, row: float, column: float) -> list[float]:
    """Where a cell of the heatmap is on the screen; halves are edges of cells."""
    page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    found: list[float] = page.evaluate(
        """([row, column]) => {
            const plot = document.querySelector('.js-plotly-plot');
            const box = plot.getBoundingClientRect();
            const {xaxis, yaxis} = plot._fullLayout;
            return [box.left + xaxis._offset + xaxis.d2p(column), box.top + yaxis._offset + yaxis.d2p(row)];
        }""",
        [row, column],
    )
    return found


def open_page(page: Any, title: str) -> None:
    """Follow a link of the menu."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
    page.get_by_role("heading", name=title, level=1, exact=True).wait_for()
    settle(page)
