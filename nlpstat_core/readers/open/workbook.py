"""Excel workbooks (.xlsx): one sheet as a table, read by a library in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_missing, number
from nlpstat_core.readers.open.heading import guess_decimal, is_units_row, title_note, title_rows
from nlpstat_core.readers.open.limits import Limits, absent, too_many
from nlpstat_core.readers.open.packed import Budget, is_workbook, is_zip, measure
from nlpstat_core.readers.open.table import Table, cell_text

OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
ERROR = b' t="e"'
# How a cell ends that holds a formula and no result of it, as libraries write that never compute.
UNSAVED = (b"</f><v></v>", b"</f><v/>", b"</f><v />", b"</f></c>")
MEMORY = 2 << 30  # bytes of address space that the process may have
SECONDS = 60.0
HEAD_ROWS = 60
MOST_OTHERS = 0.2  # share of a column of numbers in words, or with percent signs, that may be others
ROUNDED = 0.006  # share of the range by which a rounded mean may be off
_CHILD = Path(__file__).with_name("sheet_child.py")


def is_excel(data: bytes) -> bool:
    """Whether content is a workbook, also one of the old kind, which is refused."""
    return data.startswith(OLD_WORKBOOK) or is_workbook(data)


def read_workbook(data: bytes, limits: Limits, sheet: str | None, header_row: int | None) -> Table:
    """The chosen sheet of a workbook, else the first one that holds a table; raises ScoreFileError."""
    if not is_zip(data):
        raise ScoreFileError(
            "this is an old or protected workbook; save it as .xlsx without a password, or CSV."
        )
    members, (errors, *unsaved) = measure(data, Budget(limits.max_unpacked_bytes), (ERROR, *UNSAVED))
    if "xl/workbook.xml" not in members:
        raise ScoreFileError("this is not an .xlsx workbook; save it as .xlsx or CSV.")
    answer = _answer(data, limits, sheet)
    names = answer.get("names", [])
    if "error" in answer:
        if answer["error"] == "memory":
            raise _too_much()
        raise ScoreFileError("the workbook is broken; save it again as .xlsx or CSV.")
    if not names:
        raise ScoreFileError("the workbook has no sheets; save it again as .xlsx or CSV.")
    if "name" not in answer:
        raise ScoreFileError(f"{absent('sheet', sheet, names)}.")
    if "high" in answer:
        raise _refused(answer["high"], answer["wide"], limits)
    table = _table(answer["rows"], int(answer["first"]), names, answer["name"], errors, header_row)
    if answer.get("filled"):
        text = f"{answer['filled']:,} cells were merged with the one above and were given its text."
        table = replace(table, notes=(*table.notes, Note("merged-cells", "info", text)))
    return _without_formulas(table, sum(unsaved)) if any(unsaved) else table


def _without_formulas(table: Table, many: int) -> Table:
    """The table with a note on formulas whose results weren't saved; a column of nothing else is refused."""
    empty = [name for place, name in enumerate(table.header) if name and not any(table.texts(place))]
    if empty and 2 * many >= len(table) * len(empty) > 0:
        which = "column" if len(empty) == 1 else "columns"
        has = "has" if len(empty) == 1 else "have"
        some = some_shown(empty, 3)
        raise ScoreFileError(
            f"the workbook holds formulas without their results, and {which} {some} {has} nothing else; open "
            "it in Excel or LibreOffice and save it there, or save the sheet as CSV."
        )
    text = f"{many:,} cells of the workbook hold formulas whose results weren't saved, and count as missing."
    if many == 1:
        text = "1 cell of the workbook holds a formula whose result wasn't saved, and counts as missing."
    return replace(table, notes=(*table.notes, Note("formulas-without-results", "caution", text)))


def _answer(data: bytes, limits: Limits, sheet: str | None) -> dict[str, Any]:
    """What the process tells of the workbook."""
    bounds = [MEMORY, limits.max_rows, limits.max_columns, limits.max_cells]
    command = [sys.executable, "-I", str(_CHILD), *map(str, bounds), *([] if sheet is None else [sheet])]
    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=SECONDS, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise BoundsExceeded(
            f"reading the workbook took more than {SECONDS:g} seconds; save the sheet as CSV."
        ) from None
    except ValueError:  # a sheet's name with a NUL in it
        raise ScoreFileError(f"there is no sheet {shown(sheet)}; check its name.") from None
    if done.returncode:
        raise _too_much()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _too_much() -> ScoreFileError:
    return BoundsExceeded(
        "the workbook claims more cells or texts than fit into memory, or is broken; "
        "clear cells far away from the table and save it again, or save the sheet as CSV."
    )


def _refused(high: int, wide: int, limits: Limits) -> ScoreFileError:
    if high > limits.max_rows:
        return too_many("rows", high, limits.max_rows)
    if wide > limits.max_columns:
        text = (
            f"the sheet has more than {limits.max_columns:,} columns; clear the cells far from the table or "
        )
        return BoundsExceeded(text, Remedy("max_columns"), ".")
    text = f"the sheet has more than {limits.max_cells:,} cells; split it or "
    return BoundsExceeded(text, Remedy("max_cells"), ".")


def _table(
    rows: list[list[Any]], first: int, names: Sequence[str], name: str, errors: int, header_row: int | None
) -> Table:
    """A sheet as a table; its first row that isn't empty or a title is the header."""
    kept = [
        (number, row)
        for number, row in enumerate(rows, start=first)
        if number >= (header_row or 1)
        and any(cell != "" and not (isinstance(cell, str) and cell.isspace()) for cell in row)
    ]
    if not kept and header_row:
        raise ScoreFileError(f"sheet {shown(name)} has nothing from row {header_row:,} on; check header_row.")
    if not kept:
        raise ScoreFileError(f"sheet {shown(name)} is empty; choose another with sheet.")
    beginning = [[cell_text(cell).strip() for cell in row] for _, row in kept[:HEAD_ROWS]]
    above = 0 if header_row else title_rows(beginning)
    notes = list(_notes(names, name, errors))
    if above:
        notes.append(title_note(beginning[:above]))
    (line, _), *body = kept[above:]
    if is_units_row(beginning[above + 1 :], "."):
        notes.append(
            Note("units-row", "info", f"Row {body[0][0]} holds units of measurement and was left out.")
        )
        body = body[1:]
    decimal = _decimal([row for _, row in body])
    notes += _written_alike([row for _, row in body], decimal)
    return Table.of(
        beginning[above],
        [[None if cell == "" else cell for cell in row] for _, row in body],
        lines=[number for number, _ in body],
        where="row",
        line=line,
        sheet=name,
        decimal=decimal,
        notes=tuple(notes),
        reading={"sheets": list(names)},
    )


def _decimal(rows: Sequence[Sequence[Any]]) -> str:
    """The decimal mark of numbers that are kept as words; a point where other cells are numbers."""
    if any(isinstance(cell, float) and not cell.is_integer() for row in rows for cell in row):
        return "."
    words = [[cell for cell in row if isinstance(cell, str)] for row in rows[:HEAD_ROWS]]
    return guess_decimal(words, beside_commas=True)


def _written_alike(rows: Sequence[list[Any]], decimal: str) -> list[Note]:
    """Write numbers that columns keep as words as the sheet writes numbers, in place: 81,8 as 81.8.

    In a column of percentages a number is one, too (0.78 below 78.0% is 78%).
    """
    percentages = 0
    for column in range(len(rows[0]) if rows else 0):
        first = [row[column].strip() for row in rows[:HEAD_ROWS] if isinstance(row[column], str)]
        if not any(word[-1:].isdigit() or word.endswith("%") for word in first):
            continue
        words = [row[column].strip() for row in rows if isinstance(row[column], str)]
        words = [word for word in words if not is_missing(word)]
        if decimal == "." and guess_decimal([words], beside_commas=True) == ",":
            with_points = {word: word.replace(".", "").replace(",", ".") for word in words}
            with_points = {
                word: new for word, new in with_points.items() if number(new.rstrip("% ")) is not None
            }
            if sum(word in with_points for word in words) >= (1 - MOST_OTHERS) * len(words):
                for row in rows:
                    if isinstance(row[column], str):
                        row[column] = with_points.get(row[column].strip(), row[column])
                words = [with_points.get(word, word) for word in words]
        percentages += _with_percent_signs(rows, column, words, decimal)
    if not percentages:
        return []
    what = "1 number" if percentages == 1 else f"{percentages:,} numbers"
    text = f"{what} without a percent sign among percentages were read as percentages, too."
    return [Note("percent-signs-added", "caution", text.replace("were", "was") if percentages == 1 else text)]


def _with_percent_signs(rows: Sequence[list[Any]], column: int, words: Sequence[str], decimal: str) -> int:
    """Write the few numbers in a column of percentages as percentages, where one scale fits all; how many."""
    places = [
        row for row in rows if isinstance(row[column], (int, float)) and not isinstance(row[column], bool)
    ]
    found = [number(word[:-1], decimal) for word in words if word.endswith("%")]
    percents = [value for value in found if value is not None]
    if not 0 < len(places) <= max(1, MOST_OTHERS * len(rows)) or len(percents) < len(words):
        return 0
    low, high, mean = min(percents), max(percents), sum(percents) / len(percents)
    fits = [scale for scale in (1, 100) if all(low <= scale * row[column] <= high for row in places)]
    if len(fits) > 1:  # 0.78 below 0% and 100%: the mean of them tells
        near = ROUNDED * (high - low)
        fits = [scale for scale in fits if all(abs(scale * row[column] - mean) <= near for row in places)]
    if len(fits) != 1:
        return 0
    for row in places:
        row[column] = f"{fits[0] * row[column]:.15g}%".replace(".", decimal)
    return len(places)


def _notes(names: Sequence[str], name: str, errors: int) -> tuple[Note, ...]:
    """Which other sheets there are, and how many cells Excel couldn't compute."""
    notes = []
    others = [other for other in names if other != name]
    if others:
        some = some_shown(others, 8)
        text = f"Sheet {shown(name)} was read; the workbook also has {some} (choose with sheet)."
        notes.append(Note("sheet-chosen", "info", text))
    if errors:
        what = "1 cell" if errors == 1 else f"{errors:,} cells"
        verb = "holds an error" if errors == 1 else "hold errors"
        counts = "counts" if errors == 1 else "count"
        text = f"{what} of the workbook {verb} such as #DIV/0! and {counts} as missing."
        notes.append(Note("excel-errors", "caution", text))
    return tuple(notes)
