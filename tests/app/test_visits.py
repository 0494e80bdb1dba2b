"""Visits in Chromium: each question people come with is answered within three clicks of the upload."""

from __future__ import annotations

import re
from typing import Any

import pytest
from app.driver import drop, score_file, settle

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
MOST_CLICKS = 3
# What Tab reaches first behind the chart and what belongs to it.
NEXT_STOP = """() => {
    const chart = document.querySelector('.st-key-heatmap-chart');
    const stops = document.querySelectorAll(
        '[data-testid=stMain] :is(a[href], button, input, summary, [tabindex="0"])');
    const next = [...stops].find((stop) =>
        !chart.contains(stop) && stop.getClientRects().length &&
        chart.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);
    return next.innerText.replace(/^keyboard_arrow_right\\s*/, '');
}"""


class Clicks:
    """A visitor who counts clicks."""

    def __init__(self, page: Any) -> None:
        self.page, self.number = page, 0

    def on(self, found: Any) -> None:
        found.click()
        self.number += 1
        settle(self.page)

    def answered(self) -> int:
        """How many clicks the answer took; every page can be reached from every other, so that counting
        begins anew."""
        taken, self.number = self.number, 0
        return taken


def main_text(page: Any) -> str:
    text: str = page.get_by_test_id("stMain").inner_text()
    return text


def menu(page: Any, title: str) -> Any:
    return page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True)


def arrive(page: Any, server: str, data: bytes) -> Clicks:
    page.goto(server)
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    drop(page, data)
    page.get_by_text("pairs are found to differ").first.wait_for()
    settle(page)
    return Clicks(page)


def test_every_question_is_answered_within_three_clicks(page, server) -> None:
    """Who wins, is the top separated, the table for the paper, items next time, mine and the baseline."""
    clicks = arrive(page, server, score_file())
    assert "Top group" in main_text(page) or "better than every other" in main_text(page)
    assert clicks.number == 0
    clicks.on(menu(page, "Leaderboard"))
    page.get_by_text(re.compile(r"(isn't|is) separated from")).first.wait_for()
    assert re.search(r"share the top|holds the top alone|the top group is", main_text(page))
    sentence = page.get_by_text(re.compile(r"(isn't|is) separated from")).first.bounding_box()
    table = page.get_by_test_id("stDataFrame").first.bounding_box()
    assert sentence["y"] < table["y"] < 900
    assert clicks.answered() <= MOST_CLICKS
    clicks.on(menu(page, "Report"))
    code = page.get_by_test_id("stCode").filter(has_text="\\begin{table}").first
    code.wait_for()
    code.hover()
    clicks.on(code.locator("button").first)
    assert "\\toprule" in code.inner_text()
    assert clicks.answered() <= MOST_CLICKS
    clicks.on(menu(page, "Power"))
    page.get_by_text("test items are needed").first.wait_for()
    assert "What the plan assumes" in main_text(page)
    assert clicks.answered() <= MOST_CLICKS
    menu(page, "Scores").click()
    page.get_by_text("pairs are found to differ").first.wait_for()
    clicks.on(page.get_by_test_id("stSidebar").get_by_text("Comparison", exact=True))
    clicks.on(page.get_by_test_id("stSidebar").get_by_role("combobox", name=re.compile("Baseline")))
    clicks.on(page.get_by_role("option", name="sys0", exact=True))
    page.get_by_text(re.compile(r"Against sys0: \d better, \d worse, \d undecided")).first.wait_for()
    assert clicks.answered() <= MOST_CLICKS
    page.locator(".js-plotly-plot").first.wait_for()


def test_the_heatmap_is_above_the_fold_and_its_table_one_tab_away(page, server) -> None:
    arrive(page, server, score_file(26))
    menu(page, "Heatmap").click()
    page.locator(".js-plotly-plot .heatmaplayer image").first.wait_for(state="attached")
    settle(page)
    cells = page.locator(".js-plotly-plot .heatmaplayer").first.bounding_box()
    assert cells["y"] + cells["height"] <= 900
    assert page.evaluate(NEXT_STOP).startswith("The same as a table")


def test_a_phone_lists_systems_and_its_menu_closes(chromium: Any, server: str) -> None:
    context = chromium.new_context(**PHONE)
    context.set_default_timeout(120_000)
    page = context.new_page()
    arrive(page, server, score_file(26))
    page.get_by_test_id("stExpandSidebarButton").click()
    menu(page, "Heatmap").wait_for()
    page.wait_for_timeout(600)  # the menu slides in
    menu(page, "Heatmap").click()
    page.get_by_role("heading", name="Heatmap", level=1, exact=True).wait_for()
    settle(page)
    page.wait_for_function(
        "() => { const menu = document.querySelector('[data-testid=stSidebar]');"
        " return !menu || menu.getBoundingClientRect().right <= 1; }"
    )
    assert page.get_by_text("it is significantly better than").is_visible()
    assert not page.locator(".st-key-heatmap-chart").first.is_visible()
    context.close()


def test_a_reload_keeps_everything_and_forgetting_ends_it(page, server) -> None:
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    arrive(page, server, score_file())
    level = page.get_by_test_id("stSidebar").get_by_role("spinbutton", name="Significance level α")
    level.fill("0.01")
    level.press("Enter")
    page.wait_for_url("**alpha=0.01*")
    settle(page)
    page.reload()
    page.get_by_text("pairs are found to differ").first.wait_for()
    assert asked == ["beforeunload"]
    assert level.input_value() == "0.01"
    assert "secret" in page.evaluate("() => sessionStorage.getItem('nlpstat tab')")
    settle(page)
    page.goto(server)  # an address without settings brings those that were kept
    page.get_by_text("pairs are found to differ").first.wait_for()
    page.wait_for_url("**alpha=0.01*")
    settle(page)
    stolen = page.evaluate("() => sessionStorage.getItem('nlpstat tab')")
    other = page.context.browser.new_context()
    other.add_init_script(f"sessionStorage.setItem('nlpstat tab', {stolen!r})")
    theirs = other.new_page()
    theirs.goto(server)  # another browser, which has the secret and not the cookie
    theirs.get_by_text("no longer on the server").wait_for()
    assert theirs.get_by_text("pairs are found to differ").count() == 0
    other.close()
    page.get_by_role("button", name="Forget my data").click()
    page.get_by_text("Your data are forgotten").wait_for()
    settle(page)
    asked.clear()
    page.reload()
    page.get_by_text("never written to disk").wait_for()
    page.wait_for_timeout(1_500)
    assert asked == []  # without data nobody is asked
    assert page.get_by_text("pairs are found to differ").count() == 0


# The other tabs' time to answer ends in the moment in which a page of the menu is chosen: a few milliseconds
# after the click.
ANSWERS_AT_A_CLICK = """() => {
    const later = window.setTimeout, held = window.heldAnswers = [];
    window.setTimeout = (done, wait, ...rest) => wait === 250 && String(done).includes("tab.copy")
        ? held.push(done) : later(done, wait, ...rest);
    document.addEventListener('click', () => {
        window.setTimeout = later;
        later(() => held.splice(0).forEach((done) => done()), 3);
    }, { once: true });
}"""


@pytest.mark.parametrize("loaded", [False, True])
def test_a_page_chosen_right_after_a_reload_opens(page, server, loaded) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    page.add_init_script(f"({ANSWERS_AT_A_CLICK})()")
    page.goto(server)
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    if loaded:
        drop(page, score_file())
        page.get_by_text("pairs are found to differ").first.wait_for()
    menu(page, "Pair").click()
    page.get_by_role("heading", name="Pair", level=1, exact=True).wait_for()
    settle(page)
    page.reload()
    page.get_by_role("heading", name="Pair", level=1, exact=True).wait_for()
    settle(page)
    page.wait_for_function(f"() => window.heldAnswers.length === {int(loaded)}")
    menu(page, "Leaderboard").click()
    page.get_by_role("heading", name="Leaderboard", level=1, exact=True).wait_for()
    page.get_by_text("share the top" if loaded else "No scores yet").first.wait_for()
    assert page.evaluate("() => window.heldAnswers.length") == 0


FOCUSED = """() => {
    const found = document.activeElement;
    const place = ["stSidebar", "stMain"].find((id) => found.closest(`[data-testid=${id}]`)) ?? "";
    const said = `${found.getAttribute("aria-label") ?? ""} ${found.innerText ?? ""}`;
    return [said.trim(), place, found.tagName];
}"""


def tab_to(page: Any, words: str, place: str, most: int = 90) -> list[str]:
    """Press Tab until what the words match has the focus; what kinds of elements had it on the way."""
    kinds: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        said, where, kind = page.evaluate(FOCUSED)
        kinds.append(kind)
        if where == place and re.search(words, said):
            return kinds
    pytest.fail(f"Tab doesn't reach {words}.")


def test_the_keyboard_alone_leads_from_the_upload_to_the_report(page, server) -> None:
    """Upload, answer, pair and report by key presses only; a table is one stop, and its cells have arrows."""
    page.on(
        "filechooser", lambda _: None
    )  # asked of the browser now: amid the key press it can come too late
    page.goto(server)
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    page.get_by_role("button", name="More examples").wait_for()
    settle(page)
    page.wait_for_timeout(1_000)  # a busy browser lets what has just been drawn be reached a little later
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED)[0] == "Skip to main content"
    page.keyboard.press("Enter")
    tab_to(page, "Upload$", "stMain", most=5)
    with page.expect_file_chooser() as asked:
        page.keyboard.press("Enter")
    asked.value.set_files(files=[{"name": "mine.csv", "mimeType": "text/csv", "buffer": score_file()}])
    page.get_by_text("pairs are found to differ").first.wait_for()
    settle(page)
    page.locator("[data-testid=stDataFrame] canvas").first.wait_for(state="attached")
    settle(page)
    kinds = tab_to(page, "Pair$", "stSidebar")
    # Tables are drawn when they come near the screen: what is there after the walk is all it can have met.
    assert 1 <= kinds.count("CANVAS") <= page.locator("[data-testid=stDataFrame]").count()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Pair", level=1, exact=True).wait_for()
    settle(page)
    tab_to(page, "First system", "stMain")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    settle(page)
    tab_to(page, "Report$", "stSidebar")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Report", level=1, exact=True).wait_for()
    settle(page)
    tab_to(page, "Copy to clipboard", "stMain")  # the sentence for the paper
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab_to(page, "analysis.json", "stMain")
