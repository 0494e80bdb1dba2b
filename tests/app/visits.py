"""Visits with real score files: clicks to every answer, and a picture of every page on every screen.

    python tests/app/visits.py PICTURES FILE [FILE ...] [--screens desktop dark phone]

The clicks are printed and counted from the upload, and of every page how many words and controls stand on
the first screen beside the menu; the pictures are to be looked at. The suite walks the same ways with a
small file (test_visits.py).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

from app.driver import ARGUMENTS, CHROMIUM, drop, running_server, settle  # noqa: E402
from app.test_every_page import SCREENS  # noqa: E402
from app.test_visits import Clicks, menu  # noqa: E402

from dashboard.navigation import PAGES  # noqa: E402

PATIENCE = 240_000  # milliseconds
TALLEST = 3_000  # pixels of a picture
DRAWN_MS = 2_000  # charts are drawn after the script has ended
# Words and controls of the page, not of the menu, that are seen without scrolling.
ABOVE_THE_FOLD = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const seen = (box) => box.width > 1 && box.height > 1 && box.top < innerHeight && box.bottom > 0
        && box.left < innerWidth && box.right > 0;
    const shown = (element) => element.checkVisibility({opacityProperty: true, visibilityProperty: true});
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let words = 0;
    while (texts.nextNode()) {
        const text = texts.currentNode, range = document.createRange();
        if (text.parentElement.closest('style, script, [data-testid=stIconMaterial]')
            || !shown(text.parentElement)) continue;
        for (const word of text.data.matchAll(/[^\\s]+/g)) {
            if (!/[\\p{L}\\p{N}]/u.test(word[0])) continue;
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            words += [...range.getClientRects()].some(seen) ? 1 : 0;
        }
    }
    const kinds = 'a[href], button, input:not([type=file]), textarea, select, summary, [role=tab]';
    const controls = [...main.querySelectorAll(kinds)].filter((one) => shown(one)
        && seen((one.matches('input') ? one.parentElement : one).getBoundingClientRect())
        && !one.closest('[data-testid=stElementToolbar], .modebar') && !one.parentElement.closest('summary')
        && !(one.matches('button') && one.closest('[data-baseweb=select]'))).length;
    return [words, controls];
}"""


def arrived(context: Any, server: str, file: Path) -> Any:
    """A page with a file uploaded and its answer there."""
    page = context.new_page()
    page.goto(server)
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    drop(page, file.read_bytes(), file.name)
    page.get_by_text("pairs are found to differ").first.wait_for()
    settle(page)
    return page


def top(page: Any, clicks: Clicks) -> None:
    """Is the top separated?"""
    clicks.on(menu(page, "Leaderboard"))
    page.get_by_text(re.compile(r"(isn't|is) separated from|the top (alone|group is)")).first.wait_for()


def table(page: Any, clicks: Clicks) -> None:
    """The table for the paper."""
    clicks.on(menu(page, "Report"))
    code = page.get_by_test_id("stCode").filter(has_text="\\begin{table}").first
    code.hover()
    clicks.on(code.locator("button").first)


def plan(page: Any, clicks: Clicks) -> None:
    """How many items next time?"""
    clicks.on(menu(page, "Power"))
    page.get_by_text(re.compile("items .*needed")).first.wait_for()


def baseline(page: Any, clicks: Clicks) -> None:
    """Did mine beat the baseline? The first system of the menu stands for it."""
    menu(page, "Scores").click()
    page.get_by_text("pairs are found to differ").first.wait_for()
    side = page.get_by_test_id("stSidebar")
    clicks.on(side.get_by_text("Comparison", exact=True))
    clicks.on(side.get_by_role("combobox", name=re.compile("Baseline")))
    clicks.on(page.get_by_role("option").nth(1))
    page.get_by_text(re.compile(r"Against .*: \d[\d,]* better")).first.wait_for()


ANSWERS: dict[str, Callable[[Any, Clicks], None]] = {
    "is the top separated": top,
    "table for the paper": table,
    "items next time": plan,
    "mine and the baseline": baseline,
}


def count_clicks(page: Any) -> dict[str, int]:
    """Clicks from the upload to every answer; who wins is on the page that shows the upload."""
    found, clicks = {"who wins": 0}, Clicks(page)
    for question, walk in ANSWERS.items():
        walk(page, clicks)
        found[question] = clicks.answered()
    return found


def take_pictures(page: Any, screen: str, stem: str, folder: Path) -> dict[str, tuple[int, int]]:
    """Every page from top to bottom.

    Returns: Words and controls above the fold by page.
    """
    size, counted = SCREENS[screen]["viewport"], {}
    for place, (_, name, title, _) in enumerate(PAGES):
        if screen == "phone":
            page.get_by_test_id("stExpandSidebarButton").click()
            page.wait_for_timeout(600)  # the menu slides in
        menu(page, title).click()
        page.get_by_role("heading", level=1).first.wait_for()
        settle(page)
        page.wait_for_timeout(DRAWN_MS)
        counted[title] = tuple(page.evaluate(ABOVE_THE_FOLD))
        high = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        page.set_viewport_size({**size, "height": int(min(max(high, size["height"]), TALLEST))})
        page.wait_for_timeout(DRAWN_MS // 2)
        page.screenshot(path=folder / f"{stem}-{screen}-{place:02}-{name}.png")
        page.set_viewport_size(size)
    return counted


def main(arguments: Sequence[str] | None = None) -> None:
    """Visit with every file.

    Parameters
    ----------
    arguments : sequence of str or None
        Of the command line.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--screens", nargs="*", default=list(SCREENS), choices=list(SCREENS))
    options = parser.parse_args(arguments)
    from playwright.sync_api import sync_playwright

    options.pictures.mkdir(parents=True, exist_ok=True)
    with running_server(options.pictures / "log.txt") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for file in options.files:
            context = browser.new_context(**SCREENS["desktop"])
            context.set_default_timeout(PATIENCE)
            clicks = count_clicks(arrived(context, server, file))
            print(file.name, *(f"{question}: {number}" for question, number in clicks.items()), sep=" · ")
            context.close()
            for screen in options.screens:
                context = browser.new_context(**SCREENS[screen])
                context.set_default_timeout(PATIENCE)
                counted = take_pictures(arrived(context, server, file), screen, file.stem, options.pictures)
                print(f"{file.name}, {screen}, words and controls above the fold:")
                print(*(f"{title} {words}/{number}" for title, (words, number) in counted.items()), sep=" · ")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
