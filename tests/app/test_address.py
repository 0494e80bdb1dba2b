"""The address bar: it names the pair in full, and every page is one step of the browser's history."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from app.driver import click_cell, drop, open_page, score_file, settle, wait_for_heatmap

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

# Cells and their pairs, row minus column: the two systems the menus start with, one of them, none of them.
CELLS = [
    ((0, 1), {"a": "sys5", "b": "sys4"}),
    ((1, 4), {"a": "sys4", "b": "sys1"}),
    ((2, 5), {"a": "sys3", "b": "sys0"}),
]


def address(page: Any) -> tuple[str, dict[str, str]]:
    """Path and parameters."""
    parts = urlsplit(page.url)
    return parts.path, dict(parse_qsl(parts.query))


def expect(page: Any, path: str, **query: str) -> None:
    """Wait until the address is this and the page has come to rest, and see that it stays."""
    for _ in range(2):
        page.wait_for_function(
            "([path, query]) => location.pathname === path && JSON.stringify("
            "[...new URLSearchParams(location.search)].sort()) === JSON.stringify(query)",
            arg=[path, sorted([name, value] for name, value in query.items())],
        )
        settle(page)
    assert address(page) == (path, query)


def pair_on_page(page: Any) -> dict[str, str]:
    """The systems in the two menus."""
    page.get_by_text("H0 for").first.wait_for()
    menus = (("a", "First system"), ("b", "Second system"))
    return {key: page.get_by_role("combobox", name=name).first.input_value() for key, name in menus}


def steps(page: Any) -> int:
    """Entries of the browser's history."""
    found: int = page.evaluate("history.length")
    return found


def test_a_walk_by_cells_settings_and_menus(page, server) -> None:
    """One visit: pairs are one step there and one back, settings stay, menus and presets are no steps."""
    page.goto(server)
    drop(page, score_file())
    wait_for_heatmap(page)
    for cell, pair in CELLS:
        before = steps(page)
        click_cell(page, *cell)
        expect(page, "/pair", **pair)
        assert pair_on_page(page) == pair
        there = steps(page)
        assert there == before + 1 or cell != CELLS[0][0]  # later ones overwrite the way forward
        page.wait_for_timeout(700)  # nobody goes back faster; sooner it counts as part of a double click
        page.go_back()
        expect(page, "/")
        wait_for_heatmap(page)
        page.wait_for_timeout(500)
        assert address(page) == ("/", {})  # the cell that was selected doesn't open again
        page.go_forward()
        expect(page, "/pair", **pair)
        assert pair_on_page(page) == pair
        assert steps(page) == there
        page.go_back()
        expect(page, "/")
        wait_for_heatmap(page)
    _settings_stay(page)
    _menus_are_in_the_address(page)
    _a_preset_is_no_step(page)


def _settings_stay(page: Any) -> None:
    """Settings stay in the address on the way to a pair and back."""
    page.get_by_role("spinbutton", name="Significance level α").fill("0.1")
    page.keyboard.press("Enter")
    expect(page, "/", alpha="0.1")
    page.get_by_role("combobox", name="Correction for many comparisons").click()
    page.get_by_role("option", name="Hochberg", exact=True).click()
    page.wait_for_url("**correction=*")
    settle(page)
    kept = address(page)[1]
    wait_for_heatmap(page)
    click_cell(page, 0, 1)
    expect(page, "/pair", **kept, **CELLS[0][1])
    page.wait_for_timeout(700)
    page.go_back()
    expect(page, "/", **kept)
    assert page.get_by_role("spinbutton", name="Significance level α").input_value() == "0.1"
    page.get_by_role("button", name="Reset settings").click()
    expect(page, "/")


def _menus_are_in_the_address(page: Any) -> None:
    """Another system of a menu is in the address, is no step, and is found again on the way back."""
    open_page(page, "Pair")
    pair_on_page(page)
    before = steps(page)
    page.get_by_role("combobox", name="First system").focus()
    page.keyboard.type("sys2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pair?a=sys2&b=*")
    page.get_by_role("combobox", name="Second system").click()
    page.get_by_role("option", name="sys0").click()
    expect(page, "/pair", a="sys2", b="sys0")
    assert steps(page) == before
    open_page(page, "Leaderboard")
    expect(page, "/leaderboard")
    page.go_back()
    expect(page, "/pair", a="sys2", b="sys0")
    assert pair_on_page(page) == {"a": "sys2", "b": "sys0"}
    page.go_back()
    expect(page, "/")


def _a_preset_is_no_step(page: Any) -> None:
    before = steps(page)
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("button", name="figure 4").click()
    page.wait_for_url("**shuffle_seed=*")
    settle(page)
    assert {"test", "correction", "unit_size", "shuffle_seed"} <= set(address(page)[1])
    assert steps(page) == before


def test_a_reloaded_address_waits_for_the_scores_and_names_the_same_pair(page, server) -> None:
    page.goto(f"{server}/pair?a=sys1&b=sys4&alpha=0.2")
    page.get_by_text("The link you followed shows").wait_for()
    expect(page, "/pair", a="sys1", b="sys4", alpha="0.2")
    page.reload()
    page.get_by_text("The link you followed shows").wait_for()
    expect(page, "/pair", a="sys1", b="sys4", alpha="0.2")
    open_page_scores(page)
    drop(page, score_file())
    wait_for_heatmap(page)
    open_page(page, "Pair")
    expect(page, "/pair", a="sys1", b="sys4", alpha="0.2")
    assert pair_on_page(page) == {"a": "sys1", "b": "sys4"}


def open_page_scores(page: Any) -> None:
    """The landing page, whose heading is not its title."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Scores", exact=True).click()
    page.get_by_role("heading", name="Which systems really differ?").wait_for()
    settle(page)
