"""A competition platform's export in Chromium: dropped, compared, its pair and its items looked at."""

from __future__ import annotations

from typing import Any

import pytest
from app.driver import open_page, settle
from ui.shared_tasks import SharedTask, shared_task

from nlpstat_core import read_submissions

pytestmark = [
    pytest.mark.browser,
    # A browser that is closed leaves sockets to the garbage collector; that is not ours to warn about.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
USUAL = {"labels": "accuracy", "numbers": "Pearson correlation", "texts": "BLEU", "tags": "span F1"}


def submit(page: Any, task: SharedTask, kind: str) -> None:
    """Drop gold, then the export."""
    page.get_by_text("Gold and outputs instead of scores").click()
    files = (("gold", *task.gold), ("outputs", "export.zip", task.export()))
    for what, name, data in files:
        field = page.locator(f"[class*=st-key-{what}-] input[type=file]")
        field.wait_for(state="attached")
        settle(page)
        field.set_input_files(files=[{"name": name, "mimeType": "text/plain", "buffer": data}])
        said = "Now drop the outputs" if what == "gold" else f"60 items with {kind}"
        page.get_by_text(said).first.wait_for()


def test_a_platforms_export_to_pair_and_items(page: Any, server: str) -> None:
    """Every kind in one visit: the measure's name on all pages, gold and both outputs of the pair."""
    page.goto(server)
    for kind, usual in USUAL.items():
        task = shared_task(kind)
        submit(page, task, kind)
        head = page.get_by_text(f"{usual} · higher is better · 3 systems × 60 items").first
        head.wait_for()
        open_page(page, "Pair")
        page.get_by_text("What the two systems answered").wait_for()
        page.get_by_text("items, those first that move the difference in").wait_for()
        page.get_by_text(f"Difference in {usual}", exact=True).first.wait_for()
        teams = {team: (data, task.name) for team, data in task.outputs.items()}
        board = read_submissions((task.gold[1], task.gold[0]), teams)
        if kind == "labels":
            shown = page.locator("[class*=st-key-confusion] .heatmaplayer image")
            shown.nth(1).wait_for(state="attached")
            assert shown.count() == 2
            right = sum(own == gold for own, gold in zip(board.outputs["Avocet"], board.gold, strict=True))
            chart = page.get_by_label("Confusion matrix of Avocet").first
            assert f"{right} of 60 right" in str(chart.get_attribute("aria-label"))
        elif kind == "numbers":
            page.get_by_label("Outputs of Avocet against gold on 60 items.").first.wait_for()
        else:
            said = page.get_by_text("select a row to read another one").first
            item = str(said.inner_text()).removeprefix("Item ").partition(";")[0]
            whole = str(said.locator("xpath=ancestor::*[@data-testid='stVerticalBlock'][1]").inner_text())
            place = board.items.index(item)
            if kind == "texts":
                for text in (board.gold[place][0], board.outputs["Avocet"][place]):
                    assert text in whole
            else:
                assert board.labels["tokens"][place] in whole
        open_page(page, "Items")
        page.get_by_text(f"How much one item changes the difference in {usual}").wait_for()
        page.get_by_test_id("stSidebarNav").get_by_role("link", name="Scores", exact=True).click()
        page.get_by_role("heading", name="Which systems really differ?").wait_for()
