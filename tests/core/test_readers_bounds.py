"""Bounds on rows, columns, cells and bytes: each is a setting, and each refusal names its own."""

import io
import json
import zipfile
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from nlpstat_core.errors import BoundsExceeded, ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.readers.open import delimited
from nlpstat_core.readers.open.objects import check_records
from nlpstat_core.readers.read import LONGEST_NAME
from nlpstat_core.readers.roles import coding
from nlpstat_core.scores.matrix import ScoreMatrix

ROWS = 60


def workbook(rows: int, columns: int = 2) -> bytes:
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, [f"s{column}" for column in range(columns)])
    for row in range(rows):
        sheet.write_row(row + 1, 0, [(row * column) % 7 / 7 for column in range(columns)])
    book.close()
    return target.getvalue()


def parquet(rows: int) -> bytes:
    target = io.BytesIO()
    pq.write_table(pa.table({"A": np.arange(rows) / 7, "B": np.arange(rows) / 3}), target)
    return target.getvalue()


def zipped(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("x.csv", data)
    return target.getvalue()


TALL: dict[str, Callable[[int], bytes]] = {
    "wide": lambda n: b"item,A,B\n" + b"".join(b"u%d,1,0.5\n" % i for i in range(n)),
    "columns": lambda n: b"0.5 1\n" * n,
    "one score a line": lambda n: b"1\n" * n,
    "blank lines": lambda n: b"item,A,B\n1,2,3\n" + b"\n" * n + b"2,3,4\n",
    "old line ends": lambda n: b"0.5 1\r" * n,
    "quoted": lambda n: b"item,A,B\n" + b"".join(b'"u%d","1","0.5"\n' % i for i in range(n)),
    "long": lambda n: b"system,item,score\n" + b"".join(b"s%d,u%d,1\n" % (i % 2, i // 2) for i in range(n)),
    "system and score": lambda n: b"".join(b"s%d\t0.5\n" % (i % 2) for i in range(n)),
    "eight columns": lambda n: b"".join(
        b"m\ten-de\tt\tr\ts%d\td\t%d\t1\n" % (i % 2, i // 2) for i in range(n)
    ),
    "trec_eval": lambda n: b"".join(b"map\t%d\t0.5\n" % i for i in range(n)),
    "JSON records": lambda n: json.dumps([{"A": i / 7, "B": 1} for i in range(n)]).encode(),
    "JSON by unit": lambda n: json.dumps({s: {f"u{i}": i / 7 for i in range(n)} for s in "AB"}).encode(),
    "JSON by order": lambda n: json.dumps({s: [i / 7 for i in range(n)] for s in "AB"}).encode(),
    "JSON lines": lambda n: b'{"A": 1, "B": 0.5}\n' * n,
    "Excel": workbook,
    "Parquet": parquet,
    "zip": lambda n: zipped(b"item,A,B\n" + b"".join(b"u%d,1,0.5\n" % i for i in range(n))),
}


@pytest.mark.parametrize("kind", TALL)
def test_rows_are_bounded_in_every_format(kind: str) -> None:
    data = TALL[kind](2 * ROWS)
    with pytest.raises(ScoreFileError, match=rf"more than {ROWS}\b.*; split the file or raise max_rows\.$"):
        read_scores((data, "x"), max_rows=ROWS)


@pytest.mark.parametrize("kind", ["wide", "columns", "long", "JSON by unit", "Excel", "Parquet"])
def test_as_many_rows_as_may_be_are_read(kind: str) -> None:
    scores = read_scores((TALL[kind](ROWS), "x"), max_rows=ROWS + 1)
    assert isinstance(scores, ScoreMatrix)
    assert scores.n_units == (ROWS // 2 if kind == "long" else ROWS)


def test_too_many_lines_are_counted_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """50 MiB of "1 and a line end" took a minute and a half before the complaint came."""

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(delimited, "find_dialects", never)
    with pytest.raises(ScoreFileError, match="26,214,400 lines are more than 2,000,000"):
        read_scores((b"1\n" * 26_214_400, "x"))


@pytest.mark.parametrize("kind", ["columns", "wide", "long"])
def test_large_clean_files_are_never_read_row_by_row(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "QUICK", 0)
    monkeypatch.setattr(delimited, "_columns", None)
    assert read_scores((TALL[kind](2_000), "x")).n_systems == 2


def test_brackets_inside_of_texts_are_no_lists() -> None:
    code = json.dumps([{"code": 'f("[[[{{{")[0]\\', "A": 1, "B": 2}])
    check_records(code, 2)
    with pytest.raises(ScoreFileError, match="more than 1 objects and lists"):
        check_records(code, 1)


@pytest.mark.parametrize(
    "text",
    [
        "item,A,B\nLONG,1,0\nu2,0,1\n",
        "item,text,A,B\nu1,LONG,1,0\nu2,y,0,1\n",
        "item,LONG,B\nu1,1,0\nu2,0,1\n",
    ],
)
def test_a_cell_that_fits_on_no_page_is_refused(text: str) -> None:
    long = text.replace("LONG", "x" * (LONGEST_NAME + 1)).encode()
    with pytest.raises(BoundsExceeded, match="has 1,000,001 characters, more than 1,000,000; shorten it"):
        read_scores((long, "x.csv"))


def test_many_keys_in_json_are_beyond_a_bound() -> None:
    with pytest.raises(BoundsExceeded, match="30 columns are more than 20"):
        read_scores((json.dumps([{f"k{i}": 0.5 for i in range(30)}] * 3).encode(), "x.json"), max_columns=20)


def test_columns_of_a_workbook_are_bounded_while_it_is_read() -> None:
    with pytest.raises(
        ScoreFileError, match="more than 20 columns; clear the cells far from the table or raise max_columns"
    ):
        read_scores((workbook(3, 30), "x"), max_columns=20)
    with pytest.raises(ScoreFileError, match="more than 50 cells; split it or raise max_cells"):
        read_scores((workbook(30, 3), "x"), max_cells=50)


@pytest.mark.parametrize(
    ("bound", "sentence"),
    [
        ({"max_columns": 2}, "3 columns are more than 2; split the file or raise max_columns"),
        ({"max_cells": 20}, "10 rows × 3 columns are more than 20 cells; split the file or raise max_cells"),
        (
            {"max_unpacked_bytes": 200},
            r"MiB; leave out columns of text, split the file or raise max_unpacked",
        ),
    ],
    ids=str,
)
def test_a_parquet_file_names_the_bound_it_breaks(bound: dict[str, int], sentence: str) -> None:
    target = io.BytesIO()
    rows = np.arange(10)
    pq.write_table(pa.table({"item": rows.astype(str), "A": rows / 7, "B": rows / 3}), target)
    with pytest.raises(ScoreFileError, match=sentence):
        read_scores((target.getvalue(), "x"), **bound)


def test_a_text_that_a_parquet_file_repeats_is_measured_before_it_is_written_out() -> None:
    """A file of five kilobytes said that a long text stands in every row, and filled the memory."""
    target = io.BytesIO()
    ids = pa.array(["x" * 100_000] * 2_000)
    pq.write_table(pa.table({"item": ids, "A": np.arange(2_000) / 7, "B": np.zeros(2_000)}), target)
    assert len(target.getvalue()) < 20_000
    with pytest.raises(
        ScoreFileError, match="longer than 100 MiB together; split the file or raise max_unpacked_b"
    ):
        read_scores((target.getvalue(), "x"))


def test_single_precision_in_parquet_is_the_shortest_number_it_stands_for() -> None:
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.random(3_000), 10.0 ** rng.uniform(-30, 30, 3_000), [0.1, 100.0, 5e-324]])
    single = values.astype(np.float32)
    target = io.BytesIO()
    pq.write_table(pa.table({"A": single, "B": single[::-1]}), target)
    scores = read_scores((target.getvalue(), "x"), id_column=False)
    np.testing.assert_array_equal(scores.values[:, 0], [float(str(value)) for value in single])


@pytest.mark.parametrize("odd", ["", "\ud800"])
def test_many_names_get_the_same_places_as_few(monkeypatch, odd):
    names = [f"n{i}" for i in np.random.default_rng(1).integers(0, 50, 300)] + [odd]
    found = []
    for many in (10, 1_000):
        monkeypatch.setattr(coding, "MANY", many)
        found.append(coding.codes(names))
    assert found[0][0] == found[1][0]
    np.testing.assert_array_equal(found[0][1], found[1][1])


def test_parquet_whose_texts_are_no_utf8():
    target = io.BytesIO()
    units = pa.array([b"u1", b"\x85\xff"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"item": units, "A": [1.0, 2.0], "B": [2.0, 1.0]}), target)
    with pytest.raises(ScoreFileError, match="is broken"):
        read_scores((target.getvalue(), "x.parquet"))


def test_half_of_the_systems_may_be_called_by_numbers():
    rows = [{"model": s, "example_id": u, "pass1": i} for i, s in enumerate(["bké", "6"]) for u in "ab"]
    found = read_scores(("\n".join(map(json.dumps, rows)).encode(), "x.jsonl"))
    assert found.systems == ("bké", "6")
