"""report.html in Chromium with the network off: nothing is blocked, nothing runs from names, tables sort."""

import pytest
from core.boards import hostile_board, plain_board

from nlpstat_core.report.exports.documents.report import report_html

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("board", [plain_board, hostile_board])
def test_the_report_opens_without_network_and_sorts(board, chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(report_html(board()), encoding="utf-8")
    errors, asked = [], []
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    first = page.locator("table").first
    ranks = first.locator("tbody tr td:first-child")
    before = ranks.all_inner_texts()
    first.locator("th button").first.click()
    first.locator("th button").first.click()
    assert ranks.all_inner_texts() == sorted(before, key=int, reverse=True)
    assert page.locator("svg").count() == 2
    assert len(page.pdf()) > 10_000
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()
    assert errors == []
    assert asked == [path.as_uri()]


def test_wide_tables_use_the_room_beside_the_text(chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(report_html(plain_board()), encoding="utf-8")
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    hidden = "[...document.querySelectorAll('.scroll')].map(box => box.scrollWidth - box.clientWidth)"
    assert max(page.evaluate(hidden)) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.set_viewport_size({"width": 700, "height": 900})
    assert max(page.evaluate(hidden)) > 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()
