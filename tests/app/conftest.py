"""One server and one browser for all browser tests; a context of its own for every test."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from app.driver import ARGUMENTS, CHROMIUM, no_browser, running_server


@pytest.fixture(scope="session")
def server_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the shared server writes."""
    return tmp_path_factory.mktemp("server") / "log.txt"


@pytest.fixture(scope="session")
def server(server_log: Path) -> Iterator[str]:
    """Address of the server that all tests share which don't need one of their own."""
    with running_server(server_log) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, driven by playwright."""
    if CHROMIUM is None:
        no_browser("chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        no_browser("playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A page of a new browser session on a desktop; requests to other machines fail the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)  # milliseconds: a busy machine is slow, not wrong
    made = context.new_page()
    elsewhere: list[str] = []
    made.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if request.url.startswith(("http", "ws")) and "//127.0.0.1:" not in request.url
            else None
        ),
    )
    yield made
    context.close()
    assert not elsewhere


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test says what its pages showed, on machines where nobody can look."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("chromium")
    if report.failed and browser is not None and hasattr(report.longrepr, "addsection"):
        for page in (page for context in browser.contexts for page in context.pages):
            shown = page.evaluate("() => document.body ? document.body.innerText.slice(0, 1500) : ''")
            report.longrepr.addsection(f"what was shown at {page.url}", shown)
    return report
