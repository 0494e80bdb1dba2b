"""Columns of numbers without a header."""

import numpy as np
import pytest

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import read_scores
from nlpstat_core.scores.matrix import ScoreMatrix


def read(text: str, **choices: object) -> ScoreMatrix:
    return read_scores((text.encode(), "scores"), **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize("gap", [" ", "\t", "   ", " \t "])
def test_two_columns(gap: str) -> None:
    scores = read(f"  0.5{gap}1\n0.25{gap}-2e-1\n\n")
    assert scores.systems == ("system 1", "system 2")
    assert scores.units is None
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [0.25, -0.2]])
    assert scores.reading["format"] == "columns"


def test_whole_numbers_in_two_columns_are_scores() -> None:
    np.testing.assert_array_equal(read("1 5\n2 4\n3 3\n").values, [[1, 5], [2, 4], [3, 3]])


def test_a_count_of_rows_is_no_system() -> None:
    scores = read("1 0.5 1\n2 0.25 0\n3 0.75 1\n")
    assert scores.systems == ("system 1", "system 2")
    assert scores.units == ("1", "2", "3")
    assert read("0 0.5 1\n1 0.25 0\n", id_column=False).systems == ("system 1", "system 2", "system 3")


def test_named_rows() -> None:
    scores = read("s1 0.5 1\ns2 0.25 0\n")
    assert scores.units == ("s1", "s2")
    assert scores.systems == ("system 1", "system 2")


def test_missing_scores_and_decimal_commas() -> None:
    scores = read("0,5 NA\n0,25 1\n0,125 0\n")
    np.testing.assert_array_equal(scores.values, [[0.5, np.nan], [0.25, 1], [0.125, 0]])


def test_commas_when_told() -> None:
    scores = read("0.5,1\n0.25,0\n", format="columns")
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [0.25, 0]])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0.5 1\n0.25 x\n1 0\n", "line 2, column 'column 2': 'x' isn't a number"),
        ("0.5 1\n0.25\n", "line 2 has too few fields"),
        ("0.5 1\n0.25 1 1\n", "line 2 has too many fields"),
        ("0.5 1\n", "only 1 item"),
        ("0.5\n0.25\n", "only one system, 'scores'"),
        ("s1 0.5 1\ns1 0.25 0\n", "the item 's1' was on line 1 already"),
        ("0.5 inf\n0.25 1\n", "holds numbers where the names|is infinite"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(ScoreFileError, match=sentence):
        read(text)


@pytest.mark.parametrize(
    ("ids", "cells"),
    [
        *((ids, cells) for ids in (True, False) for cells in ("{:.2f}%,", "{:.2f} %,", "{:.1f},")),
        (True, "{:.2f}%;"),
    ],
)
def test_a_first_row_of_scores_is_no_header(ids: bool, cells: str) -> None:
    """Whatever stands around them; what the refusal says reads them all."""
    rows = [[2.5 + i * 0.75, 30 + i * 0.5] for i in range(9)]
    said = [[cells.format(value) for value in row] for row in rows]
    lines = [f"n{i}{cells[-1]}" * ids + "".join(row)[:-1] for i, row in enumerate(said)]
    text = "\n".join(line.replace(".", ",") if cells[-1] == ";" else line for line in lines)
    with pytest.raises(ScoreFileError, match=r"line 1 holds numbers .* say format='columns'"):
        read(text)
    scores = read(text, format="columns")
    assert scores.units == (tuple(f"n{i}" for i in range(9)) if ids else None)
    np.testing.assert_allclose(scores.values, rows, atol=0.06)
