"""Cells as people write them: signs around numbers, marks, verdicts, and tables pasted as text."""

import json

import numpy as np
import pytest

from nlpstat_core.errors import ConfigError, ScoreFileError
from nlpstat_core.readers import preview, reading_keywords
from nlpstat_core.scores.matrix import ScoreMatrix
from tests.core.reading import complaint, read

EXPECTED = [[0.5, 0.25], [0.75, 1.0], [0.125, 0.375], [0.0, 0.625]]


def column(cells: list[str], delimiter: str = ",") -> ScoreMatrix:
    rows = [f'u{i}{delimiter}"{cell}"{delimiter}"{cell}"' for i, cell in enumerate(cells)]
    return read("\n".join([delimiter.join(("item", "A", "B")), *rows]) + "\n")


@pytest.mark.parametrize(
    ("cells", "values", "code"),
    [
        (["87.3%", "5%", "0 %"], [87.3, 5, 0], "percent-signs"),
        (["1,234.5", "2,000.25", "7"], [1234.5, 2000.25, 7], "thousands-signs"),
        (["1,234", "950", "12,345"], [1234, 950, 12345], "thousands-signs"),
        (["1 234.5", "12 000", "7"], [1234.5, 12000, 7], "thousands-signs"),
        (["1'234", "12'000", "7"], [1234, 12000, 7], "thousands-signs"),
        (["$1,234.50", "$ 2", "-$3"], [1234.5, 2, -3], "currency-signs"),
        (["2.50 €", "3 €", "0€"], [2.5, 3, 0], "currency-signs"),
        (["**0.5**", "0.25", "0.75*"], [0.5, 0.25, 0.75], "marks-around-numbers"),
        ([r"\textbf{0.5}", "0.25", "0.75†"], [0.5, 0.25, 0.75], "marks-around-numbers"),
        (["87.1 ± 0.3", "80 ± 1", "7.5 +/- 2"], [87.1, 80, 7.5], "spreads-left-out"),
        (["0.5 (0.4, 0.6)", "0.25 [0.2; 0.3]", "0.75 (0.1)"], [0.5, 0.25, 0.75], "spreads-left-out"),
        (["3/5", "0/5", "5/5"], [0.6, 0, 1], "shares-read"),
        (["PASS", "fail", "Passed"], [1, 0, 1], "verdicts-read"),
        (["✓", "✗", "✓"], [1, 0, 1], "verdicts-read"),
        (["✅", "❌", "n/a"], [1, 0, np.nan], "verdicts-read"),
        (["correct", "incorrect", "wrong"], [1, 0, 0], "verdicts-read"),
    ],
)
def test_numbers_with_signs_around_them(cells: list[str], values: list[float], code: str) -> None:
    scores = column(cells)
    np.testing.assert_allclose(scores.values[:, 0], values, rtol=0, atol=0, equal_nan=True)
    assert code in {note.code for note in scores.notes}


def test_other_ways_to_write_nothing_and_minus() -> None:
    blanks = ["—", "–", "#DIV/0!", "#N/A", "n.a.", "--", "."]
    scores = column([*blanks, "−0.5", *["1"] * 8])
    assert np.isnan(scores.values[: len(blanks), 0]).all()
    assert scores.values[len(blanks), 0] == -0.5


def test_signs_that_may_mean_two_things_are_refused() -> None:
    text = 'item,A,B\na,"1,234",1\nb,"2,345",2\n'
    assert "'1,234' is ambiguous" in complaint(text)
    text = 'item,A,B\na,"1,234","1,234.5"\nb,"2,345","2,345.5"\n'  # the other column tells
    np.testing.assert_array_equal(read(text).values, [[1234, 1234.5], [2345, 2345.5]])
    assert "'5' isn't a number" not in complaint("item,A,B\na,5%,1\nb,5,2\nc,7%,3\n")


def test_yes_and_no_are_no_verdicts_but_may_be_answers() -> None:
    assert "no numbers where scores" in complaint("item,A,B\na,yes,no\nb,no,yes\n")


def test_a_stray_word_among_verdicts_is_refused_with_its_place_or_missing() -> None:
    rows = "".join(f"t{i},{'pass' if i % 2 else 'fail'},{'pass' if i % 3 else 'fail'}\n" for i in range(9))
    text = f"item,A,B\n{rows}t9,ERROR,pass\n"
    assert "line 11, column 'A': 'ERROR' isn't a number" in complaint(text)
    scores = read(text, bad_cells="missing")
    assert np.isnan(scores.values[9, 0])
    assert np.nansum(scores.values[:, 0]) == 4


def test_verdicts_beside_numbers_are_labels() -> None:
    scores = read("item,A,B,seen\na,1,0.5,pass\nb,2,0.5,fail\nc,3,1.5,pass\n")
    assert scores.systems == ("A", "B")
    assert scores.labels["seen"] == ("pass", "fail", "pass")
    long = "model,item,verdict,bleu\n" + "".join(
        f"{m},{i},{'pass' if i % 2 else 'fail'},{i / 8 + (m == 'B') / 4}\n" for m in "AB" for i in range(4)
    )
    assert read(long).metric == "bleu"
    assert read(long, metric="verdict").values[1].tolist() == [1, 1]


PASTED = {
    "markdown": "Results\n\n| item | A | **B** |\n|:--|--:|--:|\n| a | 0.5 | **0.25** |\n| b | 0.75 | 1 |\n"
    "| c | 0.125 | 0.375 |\n| d | 0 | 0.625 |\n\nThe end.\n",
    "boxed": "+------+------+------+\n| item | A    | B    |\n+======+======+======+\n| a | 0.5 | 0.25 |\n"
    "+------+------+------+\n| b | 0.75 | 1.0 |\n+---+---+---+\n| c | 0.125 | 0.375 |\n| d | 0 | 0.625 |\n"
    "+-+-+-+\n",
    "psql": " item | A | B \n------+---+---\n a | 0.5 | 0.25\n b | 0.75 | 1\n c | 0.125 | 0.375\n"
    " d | 0 | 0.625\n(4 rows)\n",
    "latex": "\\begin{table}\n\\begin{tabular}{l|r@{}r}\n\\toprule\nitem & A & B \\\\ \\midrule\n"
    "a & 0.5 & \\textbf{0.25} \\\\\nb & $0.75$ & 1 \\\\ \\cmidrule(lr){1-2}\n% a comment\n"
    "c & 0.125 & \\underline{0.375} \\\\\nd & 0 & 0.625 \\\\\n"
    "\\bottomrule\n\\end{tabular}\n\\caption{A & B}\n\\end{table}\n",
    "pipes": "item|A|B\na|0.5|0.25\nb|0.75|1\nc|0.125|0.375\nd|0|0.625\n",
}


@pytest.mark.parametrize("kind", PASTED)
def test_tables_pasted_as_text(kind: str) -> None:
    scores = read(PASTED[kind], "x.txt")
    assert scores.systems == ("A", "B")
    assert scores.units == ("a", "b", "c", "d")
    np.testing.assert_array_equal(scores.values, EXPECTED)


def test_several_tables_in_one_text() -> None:
    one = "| item | A | B |\n|---|---|---|\n| {0}1 | 1 | 2 |\n| {0}2 | 3 | 4 |\n"
    scores = read(f"{one.format('x')}\n{one.format('y')}", "x.md")
    assert scores.units == ("x1", "x2", "y1", "y2")
    other = "| name | C |\n|---|---|\n| z | 1 |\n"
    scores = read(f"{one.format('x')}\n{other}", "x.md")
    assert scores.units == ("x1", "x2")
    (note,) = [note for note in scores.notes if note.code == "tables-left-out"]
    assert "line 6, 'name | C'" in note.text


def test_the_line_of_a_bad_cell_in_latex_is_told() -> None:
    text = "item & A & B \\\\\na & 1 & 2 \\\\\nb & 2 & 3 \\\\\nc & x & 3 \\\\\nd & 4 & 3 \\\\\n"
    assert "line 4, column 'A': 'x' isn't a number" in complaint(text)


REPORT = "Report of today\nrevision 7\nitem,A,B\nt0,1,2\nt1,3,TBD\nt2,5,7\nAverage,3,4.5\nt4,,8\n"


def test_what_is_told_of_rows_and_cells_and_its_replay() -> None:
    scores = read(REPORT, header_row=3, drop_rows=["Average"], bad_cells="missing")
    assert scores.units == ("t0", "t1", "t2", "t4")
    np.testing.assert_array_equal(scores.values, [[1, 2], [3, np.nan], [5, 7], [np.nan, 8]])
    codes = {note.code: note.text for note in scores.notes}
    assert "line 5, column 'B': 'TBD'" in codes["bad-cells-missing"]
    assert "1 row was left out" in codes["rows-dropped"]
    again = read(REPORT, **reading_keywords(json.loads(json.dumps(dict(scores.reading)))))
    assert again.fingerprint == scores.fingerprint
    assert again.reading == scores.reading
    seen = preview((REPORT.encode(), "x.csv"), drop_rows="Average", bad_cells="missing", header_row="3")
    assert seen.scores is not None
    assert seen.scores.fingerprint == scores.fingerprint


def test_rows_to_leave_out_are_found_by_words_in_any_column_and_numbers_in_the_first() -> None:
    text = "n,item,A,B\n1,x,1,2\n2,y,3,4\n3,Average,2,3\n4,z,5,1\n"
    assert read(text, drop_rows="Average", id_column="item").units == ("x", "y", "z")
    assert read(text, drop_rows="3", id_column="item").units == ("x", "y", "z")
    (note,) = [note for note in read(text, drop_rows="Mean").notes if note.code == "rows-dropped"]
    assert note.severity == "caution"


def test_rows_are_left_out_of_long_tables_and_of_tools() -> None:
    text = "model,item,score\n" + "".join(f"{m},{i},{len(i)}\n" for m in "AB" for i in ("a", "bb", "all"))
    assert read(text, drop_rows="all").units == ("a", "bb")
    comet = {m: [{"src": s, "mt": "x", "COMET": 0.5} for s in ("a", "b", "c")] for m in ("A", "B")}
    assert read(json.dumps(comet), "x.json", drop_rows="1").units == ("0", "2")


@pytest.mark.parametrize(
    ("choices", "word"),
    [
        ({"header_row": 0}, "header_row must be"),
        ({"header_row": "x"}, "header_row must be"),
        ({"header_row": True}, "header_row must be"),
        ({"drop_rows": 3}, "drop_rows must be"),
        ({"bad_cells": "zero"}, "bad_cells"),
    ],
)
def test_what_cant_be_told(choices: dict[str, object], word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        read(REPORT, **choices)


def test_a_header_row_beyond_the_text_or_of_a_file_without_rows() -> None:
    assert "nothing from line 99 on" in complaint(REPORT, header_row=99)
    with pytest.raises(ScoreFileError, match="header_row is for text and sheets"):
        read('{"A": [1, 2], "B": [2, 3]}', "x.json", header_row=2)


def test_decimal_commas_in_quotes_between_commas() -> None:
    text = 'item,A,B\na,"0,51","0,4321"\nb,"12,5",1\nc,,"-0,5"\n'  # as Google Sheets saves it in Europe
    np.testing.assert_array_equal(read(text).values, [[0.51, 0.4321], [12.5, 1], [np.nan, -0.5]])
    text = "item;A;B\na;1.234,5;2.345,5\nb;1.235,5;2.346,5\n"
    np.testing.assert_array_equal(read(text).values, [[1234.5, 2345.5], [1235.5, 2346.5]])
