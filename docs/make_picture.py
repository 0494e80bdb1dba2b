"""Makes docs/app.png: the heatmap page of the shared-task example, as a visitor sees it.

Run it with `make picture`; it needs Debian's chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def main() -> None:
    """Start the app, load the example, take the picture."""
    from app.driver import ARGUMENTS, CHROMIUM, running_server
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder) / "log.txt") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 1080})
        page.goto(address)
        page.get_by_role("button", name="Shared task").click()
        page.get_by_role("link", name="Heatmap").click()
        page.locator(".heatmaplayer image").first.wait_for(state="attached")
        page.wait_for_timeout(2_000)  # fonts and colour bar settle
        page.screenshot(path=ROOT / "docs" / "app.png")
        browser.close()


if __name__ == "__main__":
    main()
