"""Ordinary Excel sheets in the app: the true sentence on the systems stands there within a minute."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import openpyxl
import pytest
from app.driver import drop
from app.visitor import Visitor, completed

SYSTEMS = ("Base", "Large", "Ours")
TRUE = "of 3 pairs are found to differ"
SECONDS = 60  # from the file in the field to the sentence, with at most one click
Rows = list[list[object]]


def rows() -> Rows:
    """Scores from 0 to 100 of three systems on 40 numbered items; the last is plainly the best."""
    rng = np.random.default_rng(3)
    values = rng.uniform(40, 70, (40, 1)) + np.array([0, 6, 14]) + rng.normal(0, 3, (40, 3))
    return [[float(item), *map(float, row.round(1))] for item, row in enumerate(values, 1)]


def means(found: Rows, name: str, cell: Callable[[float], object] = float) -> list[object]:
    columns = list(zip(*found, strict=True))[1:]
    return [name, *(cell(round(float(np.mean(column)), 1)) for column in columns)]


def decimal_commas(found: Rows) -> Rows:
    return [[item, base, large, f"{ours}".replace(".", ",")] for item, base, large, ours in found]


def commas_and_percent(found: Rows) -> Rows:
    return [[item, base, large, f"{ours} %".replace(".", ",")] for item, base, large, ours in found]


def percent_above_a_mean(found: Rows) -> Rows:
    texts: Rows = [[item, base, large, f"{ours}%"] for item, base, large, ours in found]
    return [*texts, means(found, "Mean")]


def two_summaries(found: Rows) -> Rows:
    return [*found, means(found, "Mittelwert"), means(found, "Average")]


def summaries_in_words(found: Rows) -> Rows:
    return [
        *found,
        means(found, "Mittelwert", lambda mean: f"{mean} (n = 40)"),
        ["Average", "n/v", "n/v", 68.1],
    ]


def title_comments_and_gaps(found: Rows) -> Rows:
    gaps: Rows = [
        [*row[:2], None if row[0] == 7 else row[2], row[3], "odd" if row[0] == 9 else None] for row in found
    ]
    title: Rows = [["Results, May"], [], ["Nr", *SYSTEMS, "Comment"]]
    return [*title, *gaps, means(found, "Mean")]


def sizes(found: Rows) -> Rows:
    return [["Nr", *SYSTEMS, "Size"], *([*row, 200 + int(float(str(row[0])) * 37 % 90)] for row in found)]


def sheet(body: Rows) -> bytes:
    book, made = openpyxl.Workbook(), io.BytesIO()
    header: Rows = [["Nr", *SYSTEMS]]
    for row in [*(header if body[0][0] == 1 else []), *body]:
        book.active.append(row)
    book.save(made)
    return made.getvalue()


SHEETS: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "81,8 as text": (decimal_commas, ""),
    "81,8 % as text": (commas_and_percent, ""),
    "78.0% above a numeric mean": (percent_above_a_mean, ""),
    "Mittelwert and Average below numeric ids": (two_summaries, ""),
    "summaries in words": (summaries_in_words, "Leave 2 such rows out"),
    "title lines, comments, gaps and a mean": (title_comments_and_gaps, ""),
    "a size beside the systems": (sizes, "Leave out Size"),
}


@pytest.mark.parametrize("name", [name for name, (_, click) in SHEETS.items() if click])
def test_the_true_sentence_after_one_click(server: str, page: Any, name: str) -> None:
    make, click = SHEETS[name]
    page.goto(server)
    page.locator("input[type=file]").first.wait_for(state="attached")
    start = time.monotonic()
    drop(page, sheet(make(rows())), "scores.xlsx")
    page.get_by_role("button", name=click).click()
    page.get_by_text(TRUE).first.wait_for()
    assert time.monotonic() - start < SECONDS
    assert_true(page.get_by_test_id("stMain").inner_text())


def test_the_true_sentence_at_once(server: str) -> None:
    async def visit() -> None:
        async with Visitor(server) as visitor:
            for name, (make, click) in SHEETS.items():
                if not click:
                    start = time.monotonic()
                    await visitor.upload(sheet(make(rows())), f"{name}.xlsx")
                    await visitor.until_answered()
                    assert time.monotonic() - start < SECONDS, name
                    assert_true("\n".join(visitor.words).replace("*", ""))

    completed(visit())


def assert_true(text: str) -> None:
    assert "3 of 3 pairs are found to differ" in text
    assert "Ours is significantly better than every other system" in text
    assert "40 items" in text
    assert "3 systems" in text
