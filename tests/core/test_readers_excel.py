"""Excel workbooks and Parquet files, and the traps that only binary files can set."""

import io
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers import preview, read_scores
from nlpstat_core.readers.open import workbook as opening
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.scores.matrix import ScoreMatrix

DATA = Path(__file__).parents[3] / "shared" / "data" / "formats"
FRAME = pd.DataFrame(
    {"item": [1, 2, 3], "doc": ["x", "x", "y"], "A": [0.5, None, 0.1], "B": [True, False, True]}
)
TABLE = [["item", "doc", "A", "B"], [1, "x", 0.5, True], [2, "x", None, 0], [3, "y", 0.1, 1]]


TABLE_NUMBERS = [["s1", 0.5, 1], ["s2", 0.25, 0], ["s3", 0.125, 1]]


def workbook(*sheets: list[list[object]], row: int = 0, column: int = 0) -> bytes:
    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
        for table in sheets:
            sheet = book.add_worksheet()
            for i, cells in enumerate(table):
                sheet.write_row(row + i, column, cells)
    return target.getvalue()


def changed(data: bytes, pattern: str, by: str, part: str = "xl/worksheets/sheet1.xml") -> bytes:
    """The same workbook with something replaced in one of its members."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == part:
                content, times = re.subn(pattern.encode(), by.encode(), content, count=1)
                assert times == 1
            new.writestr(name, content)
    return target.getvalue()


def parquet(frame: pd.DataFrame, **options: object) -> bytes:
    target = io.BytesIO()
    frame.to_parquet(target, **options)  # type: ignore[call-overload]
    return target.getvalue()


def read(data: bytes, **choices: object) -> ScoreMatrix:
    return read_scores((data, "scores.xlsx"), **choices)  # type: ignore[arg-type]


def complaint(data: bytes, **choices: object) -> str:
    with pytest.raises(ScoreFileError) as raised:
        read(data, **choices)
    return str(raised.value)


@pytest.mark.parametrize("at", [(0, 0), (3, 2)])
def test_one_sheet(at: tuple[int, int]) -> None:
    scores = read(workbook(TABLE, row=at[0], column=at[1]))
    assert (scores.systems, scores.units) == (("A", "B"), ("1", "2", "3"))
    assert dict(scores.labels) == {"doc": ("x", "x", "y")}
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [np.nan, 0], [0.1, 1]])
    assert scores.reading["sheet"] == "Sheet1"
    assert scores.reading["format"] == "excel"


def test_sheets() -> None:
    other = [["system", "item", "score"], ["A", "x", 1], ["A", "y", 2], ["B", "x", 3], ["B", "y", 4]]
    data = workbook(TABLE, other)
    assert (
        read(data).notes[0].text
        == "Sheet 'Sheet1' was read; the workbook also has 'Sheet2' (choose with sheet)."
    )
    np.testing.assert_array_equal(read(data, sheet="Sheet2").values, [[1, 3], [2, 4]])
    assert "no sheet 'Sheet3' (did you mean 'Sheet2'?)" in complaint(data, sheet="Sheet3")
    assert "is empty" in complaint(workbook([]))


@pytest.mark.skipif(not DATA.exists(), reason="the collection of real score files isn't here")
def test_a_published_workbook() -> None:
    scores = read_scores(DATA / "wmt24_AutoRank.xlsx", sheet="en-cs")
    assert scores.units is not None
    assert (scores.units[0], scores.systems[:2]) == ("Unbabel-Tower70B", ("metricx", "cometkiwi"))
    assert scores.values[0].tolist()[:2] == [1.79315877338701, -0.7321]
    assert list(scores.labels) == ["type", "lp_supported", "human_eval", "past_cutoff"]


def test_errors_name_rows_as_the_spreadsheet_does() -> None:
    table = [*TABLE, [4, "y", "0.5x", 1]]
    assert "row 7, column 'A': '0.5x' isn't a number" in complaint(workbook(table, row=2))
    assert "row 5: the item '1' was on row 2 already" in complaint(workbook([*TABLE, [1, "y", 1, 1]]))


def test_preview_of_a_workbook() -> None:
    seen = preview((workbook(TABLE), "x.xlsx"))
    assert (seen.header, seen.rows[1]) == (("item", "doc", "A", "B"), ("2", "x", "", "0"))
    assert seen.guess is not None
    assert list(seen.guess.roles.values()) == ["unit", "block", "system", "system"]
    assert preview((workbook([]), "x.xlsx")).header == ()


def test_cells_with_errors_are_missing_with_a_note() -> None:
    broken = changed(workbook(TABLE), '<c r="C2"><v>0.5</v></c>', '<c r="C2" t="e"><v>#DIV/0!</v></c>')
    scores = read(broken)
    assert np.isnan(scores.values[0, 0])
    assert scores.notes[0].code == "excel-errors"


@pytest.mark.parametrize(
    ("part", "pattern", "by"),
    [
        # Libraries allot memory for the area, or for the number that is claimed, and abort the process.
        ("xl/worksheets/sheet1.xml", '<dimension ref="A1:D4"/>', '<dimension ref="A1:XFD1048576"/>'),
        (
            "xl/sharedStrings.xml",
            'count="[0-9]+" uniqueCount="[0-9]+"',
            'count="4000000000" uniqueCount="4000000000"',
        ),
        ("xl/styles.xml", 'cellXfs count="1"', 'cellXfs count="4000000000"'),
        ("xl/worksheets/sheet1.xml", '<row r="4"[^>]*>', '<row r="9999999">'),
        ("xl/worksheets/sheet1.xml", ' r="D4"', ""),
        ("xl/worksheets/sheet1.xml", 'r="D4"', "r='$d$4'"),
    ],
)
def test_numbers_that_lie_do_no_harm(part: str, pattern: str, by: str) -> None:
    """They are passed over, or end the process that reads the workbook, with one sentence."""
    seen = preview((changed(workbook(TABLE), pattern, by, part), "scores.xlsx"))
    if seen.scores is None:
        assert re.search("claims more cells or texts than fit|the workbook is broken", seen.problem)
    else:
        np.testing.assert_array_equal(seen.scores.values[-1], [0.1, 1])


def test_the_process_that_reads_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook([["item", "A", "B"], *([f"u{i}" * 50, i / 7, i / 3] for i in range(20_000))])
    monkeypatch.setattr(opening, "MEMORY", 30 << 20)
    assert "claims more cells or texts than fit into memory" in complaint(data)
    monkeypatch.undo()
    monkeypatch.setattr(opening, "SECONDS", 0.01)
    assert "took more than 0.01 seconds" in complaint(data)


def test_a_title_block_and_a_row_of_units() -> None:
    above = [["WMT scores of 2024"], [], ["item", "A", "B"], ["", "(%)", "(%)"], *TABLE_NUMBERS]
    scores = read(workbook(above))
    assert (scores.systems, scores.units) == (("A", "B"), ("s1", "s2", "s3"))
    assert [note.code for note in scores.notes if note.code in ("title-lines", "units-row")] == [
        "title-lines",
        "units-row",
    ]


@pytest.mark.parametrize(
    ("pattern", "by", "text"),
    [
        ('r="D4"', 'r="XFD4"', "column 16384 has no name"),
        ('r="D4"', 'r="XFD1048576"', "claims more cells or texts than fit into memory"),
        ('r="D4"', 'r="ZZZ4"', "the sheet has more than 16,384 columns"),
        ('r="D4"', 'r="D99999999"', "claims more cells or texts than fit into memory"),
        ('r="D4"', 'r="4D"', "the workbook is broken"),
        ('t="s"><v>0</v>', 't="s"><v>99</v>', "the workbook is broken"),
    ],
)
def test_sheets_that_are_wrong(pattern: str, by: str, text: str) -> None:
    assert text in complaint(changed(workbook(TABLE), pattern, by), max_columns=16_384)


def test_texts_in_all_their_forms() -> None:
    data = workbook([["item", "A", "B"], ["x_x000D_y", 1, 2], ["second", 3, 4]])
    inline = changed(
        data, '<c r="A3" t="s"><v>[0-9]+</v></c>', '<c r="A3" t="inlineStr"><is><t>z</t></is></c>'
    )
    assert read(inline).units == ("x_x000D_y", "z")
    rich = "<si><r><t>sec</t></r><r><t>ond</t></r><rPh><t>no</t></rPh></si>"
    assert read(changed(data, "<si><t>second</t></si>", rich, "xl/sharedStrings.xml")).units == (
        "x_x000D_y",
        "second",
    )


def test_a_library_reads_the_same() -> None:
    rng = np.random.default_rng(0)
    table = [
        ["item", "A", "B"],
        *([f"u{i}", *row] for i, row in enumerate(rng.normal(size=(50, 2)).tolist())),
    ]
    data = workbook(table, row=2, column=1)
    rows = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()
    np.testing.assert_array_equal(read(data).values, [row[1:] for row in rows[1:]])


def test_workbooks_that_grow_too_large() -> None:
    table = [["item", "A", "B"], *([i, 0, 0] for i in range(30_000))]
    data = workbook(table)
    assert len(data) < 600_000
    assert "larger than 1 MiB" in complaint(data, max_unpacked_bytes=2**20)
    assert "more than 10,000 cells" in complaint(data, max_cells=10_000)


def test_other_and_broken_workbooks() -> None:
    assert "without a password" in complaint(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    assert "not an .xlsx workbook" in complaint(
        workbook(TABLE).replace(b"xl/workbook.xml", b"xl/workbook.bin")
    )
    data = workbook(TABLE)
    assert "can't be unpacked" in complaint(data[: len(data) // 2])


def test_parquet() -> None:
    scores = read(parquet(FRAME, index=False))
    assert (scores.systems, scores.units) == (("A", "B"), ("1", "2", "3"))
    np.testing.assert_array_equal(scores.values, [[0.5, 1], [np.nan, 0], [0.1, 1]])
    assert scores.reading["format"] == "parquet"
    guess = preview((parquet(FRAME), "x")).guess
    assert guess is not None
    assert list(guess.roles.values())[:2] == ["unit", "block"]


@pytest.mark.parametrize("index", [["x", "y"], pd.Index(["x", "y"], name="segment")])
def test_the_index_of_a_frame_holds_the_units(index: object) -> None:
    frame = pd.DataFrame({"A": [1.5, 2], "B": [3, 4]}, index=index)  # type: ignore[arg-type]
    assert read(parquet(frame)).units == ("x", "y")


def test_single_precision_is_read_as_it_was_written() -> None:
    frame = pd.DataFrame(
        {"item": ["x", "y"], "A": np.array([0.1, 0.3], dtype="f4"), "B": np.array([1, np.nan], "f4")}
    )
    np.testing.assert_array_equal(read(parquet(frame)).values, [[0.1, 1], [0.3, np.nan]])


def test_parquet_beyond_the_bounds_or_broken() -> None:
    frame = pd.DataFrame({"item": range(5000), "A": 0, "B": 0})
    assert "5,000 rows × 3 columns" in complaint(parquet(frame), max_cells=10_000)
    data = parquet(frame)
    for bad in (b"PAR1PAR1", data[:100] + b"PAR1", data[:50] + bytes(60) + data[110:]):
        assert "Parquet file is broken" in complaint(bad)
    nested = pd.DataFrame({"item": ["x", "y"], "A": [1, 2], "B": [3, 4], "trace": [[1], [2]]})
    assert read(parquet(nested)).systems == ("A", "B")


SOUND = [workbook(TABLE), parquet(FRAME)]
NAMES = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
    .map(str.strip)
    .filter(bool)
    .filter(lambda name: not (says(Kind.NEVER, name) or says(Kind.ASIDE, name)))  # "turn", "weight" …
)
SCORES = st.floats(-1e6, 1e6).map(lambda value: round(value, 6) + 0.0) | st.just(float("nan"))


@given(
    st.lists(NAMES, min_size=2, max_size=4, unique=True),
    st.lists(NAMES, min_size=3, max_size=5, unique=True),
    st.lists(SCORES, min_size=20, max_size=20),
)
def test_round_trip(systems: list[str], units: list[str], cells: list[float]) -> None:
    values = np.array(cells)[: len(units) * len(systems)].reshape(len(units), len(systems))
    values[:2] = np.nan_to_num(values[:2])
    rows = [
        [unit, *(None if np.isnan(v) else v for v in row)]
        for unit, row in zip(units, values.tolist(), strict=True)
    ]
    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate([["", *systems], *rows]):
            for j, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(i, j, cell)
                elif cell is not None:
                    sheet.write_number(i, j, cell)
    frame = pd.DataFrame(values, index=units, columns=systems)
    for data in (target.getvalue(), parquet(frame)):
        scores = read(data, label_columns=[], id_column="")
        assert (scores.systems, scores.units) == (tuple(systems), tuple(units))
        np.testing.assert_array_equal(scores.values, values)


@given(st.data())
def test_damaged_files(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(SOUND)))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    seen = preview((bytes(content), "x"))
    assert (seen.scores is None) == bool(seen.problem)


def test_a_caller_with_bounds_of_its_own_reads_workbooks() -> None:
    """Also where the system bounds the processor time of the caller, as servers do."""
    pytest.importorskip("resource", reason="this system bounds no processor time")
    target = io.BytesIO()
    pd.DataFrame(TABLE_NUMBERS, columns=["item", "A", "B"]).to_excel(target, index=False)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_CPU, (30, 30));"
        "from nlpstat_core.readers import read_scores;"
        "print(read_scores((sys.stdin.buffer.read(), 'x.xlsx')).values.tolist())"
    )
    done = subprocess.run([sys.executable, "-c", code], input=target.getvalue(), capture_output=True)
    assert done.stdout.decode().strip() == "[[0.5, 1.0], [0.25, 0.0], [0.125, 1.0]]", done.stderr.decode()


def test_cells_merged_downwards_hold_the_same_words() -> None:
    rows = [(system, unit, i / 8) for i, (system, unit) in enumerate(["Ax", "Ay", "Bx", "By"])]
    frame = pd.DataFrame(rows, columns=["model", "item", "score"]).set_index(["model", "item"])
    target = io.BytesIO()
    frame.to_excel(target, merge_cells=True)
    scores = read_scores((target.getvalue(), "x.xlsx"))
    assert scores.systems == ("A", "B")
    assert scores.values.tolist() == [[0, 0.25], [0.125, 0.375]]
    assert any(note.code == "merged-cells" for note in scores.notes)


def test_sheets_of_one_system_each() -> None:
    target = io.BytesIO()
    with pd.ExcelWriter(target) as book:
        pd.DataFrame({"About": ["words"]}).to_excel(book, sheet_name="Info", index=False)
        for name, scores in {"gpt-4.1": [0.5, 0.25], "pi": [1.0, 0.75]}.items():
            frame = pd.DataFrame({"item": ["a", "b"], "bleu": scores, "ter": 0.5})
            frame.to_excel(book, sheet_name=name, index=False)
    scores = read_scores((target.getvalue(), "x.xlsx"))
    assert (scores.systems, scores.metric) == (("gpt-4.1", "pi"), "bleu")
    assert scores.values.tolist() == [[0.5, 1], [0.25, 0.75]]
    assert [note.code for note in scores.notes] == ["sheets-are-systems", "metric-chosen"]
    assert scores.notes[0].text.endswith("Ignored: 'Info'.")
    again = {key: value for key, value in scores.reading.items() if key not in ("reason", "metrics")}
    assert read_scores((target.getvalue(), "x.xlsx"), **again).fingerprint == scores.fingerprint
    with pytest.raises(ScoreFileError, match=r"names of metrics|only one system"):
        read_scores((target.getvalue(), "x.xlsx"), sheet="pi")


def test_decimal_commas_in_words_and_empty_remarks() -> None:
    def sheet(**columns: list[object]) -> bytes:
        target = io.BytesIO()
        pd.DataFrame({"item": ["a", "b"], **columns}).to_excel(target, index=False)
        return target.getvalue()

    scores = read(sheet(A=["0,51", "1"], B=["0,4321", "-2,5"], Notes=[None, None]))
    assert scores.systems == ("A", "B")
    assert scores.values.tolist() == [[0.51, 0.4321], [1, -2.5]]
    beside = read(sheet(parts=["3,4", "5,6"], A=[0.5, 0.25], B=[1.0, 0.75]), roles="ignored=parts")
    assert beside.values.tolist() == [[0.5, 1], [0.25, 0.75]]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its bound of seconds ends it")
def test_the_process_that_reads_a_sheet_ends_with_its_caller() -> None:
    """Its input stays open here, so that nothing else would end it."""
    caller = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-I', *sys.argv[1:]], stdin=0)\n"
        "print(child.pid, flush=True)\n"
        "child.wait()\n"
    )
    command = [sys.executable, "-c", caller, str(opening._CHILD), str(2 << 30), "9", "9", "9"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        child = Path(f"/proc/{int(process.stdout.readline())}")
        waited_for(lambda: b"calamine" in (child / "maps").read_bytes())  # it has begun to read
        process.kill()
        waited_for(lambda: ended(child))


def ended(process: Path) -> bool:
    """Whether it is gone, or no more than an entry that nobody has asked for yet."""
    try:
        return ") Z " in (process / "stat").read_text()
    except OSError:
        return True


def waited_for(condition: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < 20
        time.sleep(0.02)
