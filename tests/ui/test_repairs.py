"""A refused file says where and what next: its first rows, and one click that mends it."""

from __future__ import annotations

import io

import openpyxl
import pytest
from ui.driver import button, finished, score_file, upload, words

from dashboard.session.reading import begin
from dashboard.text import note_in_app
from nlpstat_core.errors import Remedy, ScoreFileError, Sentence
from tests.ui import deeds


def workbook() -> bytes:
    """A sheet of text before two sheets of scores."""
    book, made = openpyxl.Workbook(), io.BytesIO()
    book.active.title = "ReadMe"
    book.active.append(["About", "this file"])
    book.active.append(["Made by", "somebody"])
    for place, name in enumerate(("BLEU", "chrF")):
        sheet = book.create_sheet(name)
        sheet.append(["item", "A", "B"])
        for row in range(12):
            sheet.append([f"u{row}", 0.1 * row + place, 0.2 * row + 0.5])
    book.save(made)
    return made.getvalue()


def test_a_sheet_without_numbers_offers_the_others(app) -> None:
    app.file_uploader[0].upload(
        "scores.xlsx", workbook(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    ).run()
    finished(app)
    assert not app.exception
    if app.error:  # a reader that finds the sheet of scores by itself has nothing to ask
        assert "Sheet 'ReadMe' holds no numbers. Choose: BLEU, chrF" in app.error[0].value
        button(app, "chrF")()
    assert "2 systems" in words(app)


def test_a_bad_cell_is_named_and_its_column_is_not_lost(app) -> None:
    rows = "\n".join(f"u{i},0.{i},0.{i + 1},0.{9 - i}" for i in range(1, 8))
    upload(app, f"item,A,B,C\nu0,0.5,6O.12,0.1\n{rows}\n".encode())
    assert "'6O.12' isn't a number" in app.error[0].value
    assert "line 2, column 'B'" in app.error[0].value
    assert any("6O.12" in str(table.value.to_numpy()) for table in app.table)
    assert "Leave column B out" not in labels(app)  # a system


def test_a_column_of_something_else_can_be_left_out(app) -> None:
    rows = "\n".join(f"u{i},{5000 + 37 * i},0.{i + 1},0.{9 - i}" for i in range(1, 8))
    upload(app, f"item,cutoff,B,C\nu0,2023-05-01,0.2,0.1\n{rows}\n".encode())
    button(app, "Leave column cutoff out")()
    assert not app.error
    assert "**2 systems**" in words(app)


def test_what_a_refusal_says_is_one_click(app) -> None:
    body = [f"u{i},0.{i},0.{9 - i}" for i in range(1, 9)]
    for more, label in (
        ([body[2]], "Keep the first of rows that repeat"),
        (["item,A,B"], "Leave the row item out"),
        (["* p < 0.05"], "Leave the row "),
        (["Mittelwert,n/v,0.5", "Average,0.5,0.5"], "Leave 2 such rows out"),
    ):
        upload(app, "\n".join(["item,A,B", *body, *more]).encode())
        button(app, label)()
        assert not app.error
        assert "**8 items**" in words(app)
    stamped = [
        f"u{i},2025-01-0{again}T08:0{i},0.{i}{again},0.{9 - i}" for i in range(1, 9) for again in (1, 2)
    ]
    upload(app, "\n".join(["item,timestamp,A,B", *stamped]).encode())
    assert {"Keep the first of rows that repeat", "Average rows that repeat"} <= set(labels(app))
    button(app, "Keep the last of rows that repeat")()
    assert not app.error
    assert "**8 items**" in words(app)


def test_a_bad_cell_can_count_as_missing(app) -> None:
    rows = "\n".join(f"u{i},0.{i},0.{i + 1},0.{9 - i}" for i in range(1, 8))
    upload(app, f"item,A,B,C\nu0,0.5,6O.12,0.1\n{rows}\n".encode())
    button(app, "Treat '6O.12' and cells like it as missing")()
    assert not app.error
    assert "**3 systems**" in words(app)
    assert "**1** of 24 scores missing" in words(app)


def test_a_row_of_averages_is_left_out_by_one_click(app) -> None:
    rows = "\n".join(f"u{i},0.{i},0.{9 - i}" for i in range(1, 9))
    upload(app, f"item,A,B\n{rows}\nAverage,45.0 best,0.5\n".encode())
    button(app, "Leave the row Average out")()
    assert not app.error
    assert "**8 items**" in words(app)
    upload(app, f"item,A,B\n{rows}\nAverage,0.45,0.45\n".encode())
    assert not app.error
    assert "**8 items**" in words(app)
    button(app, "Keep the rows left out")()
    assert any("sum up the others" in error.value for error in app.error)
    button(app, "Leave the row Average out")()
    assert not app.error
    assert "**8 items**" in words(app)


def test_a_header_below_a_title_is_found_by_one_click(app) -> None:
    rows = "\n".join(f"u{i};0.{i};0.{9 - i}" for i in range(1, 9))
    upload(app, f"made, by, me, in, 2026\nx;y\nitem;A;B\n{rows}\n".encode())
    if app.error:  # a reader that finds the header by itself has nothing to ask
        button(app, "The header is line 3")()
    assert not app.error
    assert "**8 items**" in words(app)


def bad_cell(cell: str = "6O.12", other: str = "0.1") -> bytes:
    rows = "\n".join(f"u{i},0.{i},0.{i + 1},0.{9 - i}" for i in range(1, 8))
    return f"item,A,B,C\nu0,0.5,{cell},{other}\n{rows}\n".encode()


def labels(app) -> list[str]:
    return [item.label for item in app.button]


def test_only_what_can_be_read_is_offered(app) -> None:
    upload(app, bad_cell("crashed", "out of memory"))
    assert "Leave column B out" not in labels(app)  # column C is no better
    button(app, "Treat 'crashed' and cells like it as missing")()
    assert not app.error
    assert "**2** of 24 scores missing" in words(app)


def test_a_cell_that_speaks_of_memory_is_a_cell(app) -> None:
    upload(app, bad_cell("out of memory"))
    assert "Treat 'out of memory' and cells like it as missing" in labels(app)


def test_the_second_look_can_be_cancelled_and_comes_once(app, monkeypatch) -> None:
    begun = []
    monkeypatch.setattr("dashboard.background.mending.offers", deeds.look_for_ever)
    monkeypatch.setattr("dashboard.session.reading.PATIENCE", 0.5)
    monkeypatch.setattr("dashboard.scores.repairs.begin", lambda *given: begun.append(given) or begin(*given))
    app.file_uploader[0].upload("scores.csv", bad_cell(), "text/csv").run()
    for _ in range(20):  # until the file itself is read
        if app.error:
            break
        app.run()
    assert "'6O.12' isn't a number" in app.error[0].value
    assert "Cancel" in labels(app)
    button(app, "Cancel")()
    assert "'6O.12' isn't a number" in app.error[0].value
    assert not {"Cancel", "Treat '6O.12' and cells like it as missing"} & set(labels(app))
    finished(app.run())
    assert len(begun) == 1
    monkeypatch.undo()
    upload(app, score_file(3))
    assert "of 3 pairs are found to differ" in words(app)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (deeds.read_too_much, "takes more than 4 GiB of memory"),
        (deeds.die_reading, "Reading this file ended the process that read it"),
        (
            deeds.fail_reading,
            "ended with an unexpected error (AttributeError): write it as plain CSV",
        ),
        (deeds.read_for_ever, "took more than 1 seconds and was stopped"),
    ],
    ids=["memory", "dead", "unforeseen", "time"],
)
def test_what_cost_too_much_once_is_not_looked_at_again(app, monkeypatch, deed, said) -> None:
    monkeypatch.setattr("dashboard.background.readings.read", deed)
    monkeypatch.setattr("dashboard.scores.repairs.begin", lambda *given: pytest.fail("looked at once more"))
    if deed is deeds.read_for_ever:
        monkeypatch.setenv("NLPSTAT_MAX_SECONDS", "1")
    upload(app, score_file(3))
    assert not app.exception
    assert said in app.error[0].value


def test_words_of_keywords_become_words_of_menus() -> None:
    text = note_in_app("name the column of documents (block_column): 'doc'. '6O' isn't a number.")
    assert text == "name the column of documents: 'doc'. '6O' isn't a number."
    assert note_in_app("split by pair (--each dataset --dataset-column pair): all") == "split by pair: all"
    told = Sentence("'ter' was left out: ", ScoreFileError("add it, or ", Remedy("id_column"), ".").sentence)
    assert note_in_app(told) == "'ter' was left out: add it, or choose the column of test items."
