"""Every page on every screen, with names that try everything: nothing runs, leaks or sticks out."""

from __future__ import annotations

import csv
import io
import re
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from app.driver import drop, running_server, settle, wait_for_heatmap

from dashboard.navigation import PAGES

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
PATIENCE = 120_000  # milliseconds: a busy machine is slow, not wrong
TITLES = {entry.title: entry.name for entry in PAGES[1:]}
FIRST = "Which systems really differ?"
MENU_IS_SHUT = """() => {
    const menu = document.querySelector('[data-testid=stSidebar]');
    return !menu || menu.getBoundingClientRect().right <= 1;
}"""
READABLE = 4.5  # contrast to the background that small text needs
PALEST_AXIS = """() => {
    const light = (colour) => {
        const part = colour.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
            .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2] + 0.05;
    };
    const page = light(getComputedStyle(document.querySelector('.stApp')).backgroundColor);
    const texts = document.querySelectorAll('.js-plotly-plot svg text:not(.heatmap-label, .heatmap-label *)');
    return Math.min(99, ...[...texts]
        .map((text) => light(getComputedStyle(text).fill))
        .map((ink) => Math.max(ink, page) / Math.min(ink, page)));
}"""
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(2)</script>",
    "[link](javascript:alert(3))",
    "**bold** `code`",
    "$x^2$ and $y$",
    "=cmd|' /C calc'!A0",
    ":red[red] :smile:",
    "\u202eمرحبا right to left",
    "🏁👩\u200d👩\u200d👧",
    "x" * 200,
    "two\nlines",
    "https://example.org/a",
    "www.example.org",
    "WWW.Example.org/b",
    "mailto:someone@example.org",
    "someone@example.org",
    "\x07bell\x1b[31m",
)


def hostile_file() -> bytes:
    rng = np.random.default_rng(0)
    systems = len(HOSTILE)
    values = rng.normal(50, 5, (40, 1)) + rng.normal(0, 3, (40, systems)) - 2 * np.arange(systems)
    file = io.StringIO()
    rows = csv.writer(file)
    rows.writerow(["item", *HOSTILE])
    rows.writerows([f"<b>u{i}</b>", *(f"{value:.2f}" for value in row)] for i, row in enumerate(values))
    return file.getvalue().encode()


def watch(page: Any, lines: list[str]) -> None:
    """Write down what must not happen: errors, dialogs, requests to other machines."""
    page.on("console", lambda message: lines.append(message.text) if _is_error(message) else None)
    page.on("pageerror", lambda error: lines.append(str(error)))
    page.on("dialog", lambda dialog: (lines.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: lines.append(request.url) if _elsewhere(request.url) else None)


def _is_error(message: Any) -> bool:
    """On a deep link Streamlit looks for its own address below the page's first, which is no error."""
    return message.type == "error" and "/_stcore/" not in message.location.get("url", "")


def _elsewhere(url: str) -> bool:
    return url.startswith(("http", "ws")) and "//127.0.0.1:" not in url


def inspect(page: Any, width: int) -> None:
    """What has to hold on a page once it is drawn."""
    settle(page)
    main = page.get_by_test_id("stMain")
    assert main.locator("img[src=x], script, a[href*=javascript], a[href*='example.org' i]").count() == 0
    assert main.locator("a[href^=mailto], a[href^=xmpp]").count() == 0
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    assert page.get_by_test_id("stException").count() == 0
    assert page.evaluate(PALEST_AXIS) >= READABLE


@pytest.mark.parametrize("screen", SCREENS)
def test_hostile_names_change_nothing(chromium: Any, server: str, screen: str) -> None:
    context = chromium.new_context(**SCREENS[screen])
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    lines: list[str] = []
    watch(page, lines)
    width = SCREENS[screen]["viewport"]["width"]
    page.goto(server)
    page.get_by_role("heading", name=FIRST).wait_for()
    drop(page, hostile_file(), "<i>hostile</i>.csv")
    wait_for_heatmap(page)
    inspect(page, width)
    main = page.get_by_test_id("stMain")
    assert HOSTILE[0] in main.inner_text()
    for title in ("Scores", *TITLES):
        if screen == "phone":
            page.get_by_test_id("stExpandSidebarButton").click()
            page.wait_for_timeout(600)  # the menu slides in
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
        page.get_by_role(
            "heading", name=FIRST if title == "Scores" else title, level=1, exact=True
        ).wait_for()
        if screen == "phone":  # the menu closes by itself, also where the page is the one that is open
            page.wait_for_function(MENU_IS_SHUT)
        inspect(page, width)
        if title != "Methods":  # it has formulas of its own
            assert main.locator(".katex").count() == 0
    context.close()
    assert lines == []


def test_what_an_address_says_is_text(page: Any, server: str) -> None:
    for said in (
        "http://example.org",
        "www.example.org",
        "a@example.org",
        "mailto:a@example.org",
        "[x](//example.org)",
    ):
        page.goto(f"{server}/?data={quote(said)}&a={quote(said)}&b={quote(said)}")
        page.get_by_text("The link you followed").wait_for()
        inspect(page, 1280)


def test_any_page_may_be_the_first(chromium: Any, tmp_path: Any) -> None:
    """Deep links to a fresh server, with a pair and settings nobody has data for yet."""
    with running_server(tmp_path / "log.txt") as address:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(PATIENCE)
        lines: list[str] = []
        for title in TITLES:
            page = context.new_page()
            watch(page, lines)
            page.goto(f"{address}/{TITLES[title]}?a=sys0&b=sys1&alpha=0.01")
            page.get_by_role("heading", name=title, level=1, exact=True).wait_for()
            inspect(page, 1280)
            if title == next(iter(TITLES)):  # the first request of all
                menu = page.get_by_test_id("stSidebarNav")
                assert menu.get_by_role("link").all_inner_texts()[0].endswith("Scores")
                assert page.get_by_text("Significance level").count()
                page.get_by_role("button", name=re.compile("^Try the example")).click()
                page.get_by_text(re.compile("pairs are found to differ")).first.wait_for()
            page.close()
        context.close()
        assert lines == []
        assert "Traceback" not in (tmp_path / "log.txt").read_text()
