"""The app in Streamlit's own test harness, with score files of several kinds."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from dashboard.background.workers import lanes_in_use
from dashboard.navigation import PAGES
from dashboard.parts.folded import FOLD
from dashboard.scores.reading_form import OPEN_READ
from dashboard.session.settings_upload import FIELD

ROOT = Path(__file__).resolve().parents[2]
ENTRY = ROOT / "dashboard" / "app.py"
PAGE_NAMES = tuple(page.name for page in PAGES)


def score_file(systems: int, units: int = 30, seed: int = 0) -> bytes:
    """A CSV of simulated scores; later systems are better."""
    rng = np.random.default_rng(seed)
    values = rng.normal(50, 10, (units, 1)) + rng.normal(0, 5, (units, systems)) + 3 * np.arange(systems)
    lines = [",".join(["item", *(f"sys{i:03d}" for i in range(systems))])]
    lines += [f"u{row}," + ",".join(f"{value:.2f}" for value in values[row]) for row in range(units)]
    return "\n".join(lines).encode()


def open_app(page: str | None = None, **query: str) -> AppTest:
    """A new session, on the landing page or with another page opened first."""
    at = AppTest.from_file(str(ENTRY), default_timeout=60)
    for key, value in query.items():
        at.query_params[key] = value
    if page is not None:
        at = at.switch_page(f"../pages/{page}.py")
    return at.run()


def upload(at: AppTest, data: bytes, name: str = "scores.csv") -> AppTest:
    """Drop a file on the landing page and wait for the result."""
    at.file_uploader[0].upload(name, data, "text/csv").run()
    return finished(at)


def settings_field(at: AppTest) -> Any:
    """The field of the sidebar for a settings file."""
    return next(field for field in at.file_uploader if str(field.key).startswith(FIELD))


def finished(at: AppTest) -> AppTest:
    """Rerun until no background job is shown any more; a page of several runs one after the other."""
    for _ in range(20):
        if not any(button.label == "Cancel" for button in at.button):
            return at
        idle()
        at.run()
    raise AssertionError("The job did not end.")


def idle(seconds: float = 120) -> None:
    """Wait until nothing is under way in the background: a page drawn again meanwhile only takes its time."""
    until = time.monotonic() + seconds
    while any(queue.pool.running or queue.pool.waiting for queue in lanes_in_use().values()):
        if time.monotonic() > until:
            return
        time.sleep(0.01)


def go(at: AppTest, page: str) -> AppTest:
    """Open another page in the same session."""
    return finished(at.switch_page(f"../pages/{page}.py").run())


def words(at: AppTest) -> str:
    """Everything written on the main part of the page."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error")
    return "\n".join(str(element.value) for kind in kinds for element in at.main.get(kind))


def button(at: AppTest, label: str) -> Callable[[], AppTest]:
    """The action of a button by the beginning of its label."""
    found = next(item for item in at.button if item.label.startswith(label))
    return lambda: finished(found.click().run())


def unfold(at: AppTest) -> AppTest:
    """Open every fold of the page that is drawn when it is opened."""
    for fold in at.expander:
        if str(fold.key).startswith(FOLD.format("")):
            at.session_state[fold.key] = True
    return finished(at.run())


def show(at: AppTest, key: str = OPEN_READ) -> AppTest:
    """Open the panel below the data, or below a refused file."""
    at.session_state[key] = True
    return finished(at.run())


def editor(at: AppTest) -> Any:
    """The table of columns whose roles are menus."""
    return next(table for table in at.data_editor if str(table.key).startswith("roles of columns"))


def roles(at: AppTest) -> dict[str, str]:
    """Column → role as the menus stand before any change."""
    table = editor(at).value
    return dict(zip(table["Column"], table["Role"], strict=True))


def choose(at: AppTest, **wanted: str) -> AppTest:
    """Choose roles in the menus of columns."""
    table = editor(at)
    places = {name: row for row, name in enumerate(table.value["Column"])}
    edits = {places[name]: {"Role": role} for name, role in wanted.items()}
    at.session_state[table.key] = {"edited_rows": edits, "added_rows": [], "deleted_rows": []}
    return finished(at.run())
