"""Excel workbooks (.xlsx): one sheet as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.choices import told
from nlpstat_core.readers.names import absent
from nlpstat_core.readers.objects import table_of
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.sheetcells import Cells
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.table import Head, Record, Table
from nlpstat_core.readers.tables import read_table
from nlpstat_core.readers.textlines import Skipped
from nlpstat_core.readers.unzip import is_zip, unzip
from nlpstat_core.readers.xlsx import WORKBOOK, cells, sheets

OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"

EXAMPLE = """scores.xlsx, first sheet
    item   System A   System B
    s1     0.31       0.27
    s2     0.44       0.35
"""


def matches(probe: Probe) -> str | None:
    """A zip archive that holds a workbook, or a workbook of the old kind (to be refused).

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    if probe.data.startswith(OLD_WORKBOOK):
        return "an old or protected Excel workbook"
    return "an Excel workbook" if is_zip(probe.data) and b"xl/workbook" in probe.data else None


def read(probe: Probe) -> Part:
    """Read the chosen sheet, else the first one.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        Workbooks over the bounds or broken, a sheet that isn't there, or what is wrong with the table.
    """
    names, name, found = _sheet(probe)
    part = read_table(_table(found, name, probe.choices.limits), probe.choices)
    return replace(
        part,
        reading={"sheet": name, **part.reading, **told(sheets=names)},
        notes=(*_notes(names, name, found.errors), *part.notes),
    )


def head(probe: Probe) -> Head:
    """The first rows of the chosen sheet, for a preview.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Head

    Raises
    ------
    ScoreFileError
    """
    _, name, found = _sheet(probe)
    return _table(found, name, probe.choices.limits).head


def _sheet(probe: Probe) -> tuple[Sequence[str], str, Cells]:
    """Names of all sheets, and name and cells of the one to read."""
    if not is_zip(probe.data):
        raise ScoreFileError(
            "this is an old or protected workbook; save it as .xlsx without a password, or CSV."
        )
    members = unzip(probe.data, probe.choices.limits)
    if WORKBOOK not in members:
        raise ScoreFileError("this is no .xlsx workbook; save it as .xlsx or CSV.")
    places = sheets(members)
    names, name = list(places), probe.choices.sheet
    if not names:
        raise ScoreFileError("the workbook has no sheets; save it again as .xlsx or CSV.")
    if name is None:
        name = names[0]
    elif name not in places:
        raise ScoreFileError(f"{absent('sheet', name, names)}.")
    return names, name, cells(members, places[name], probe.choices.limits)


def _table(found: Cells, name: str, limits: Limits) -> Table:
    """A sheet as a table; its first row that isn't empty is the header."""
    rows = {number: row for number, row in sorted(found.rows.items()) if any(map(str.strip, row.values()))}
    if not rows:
        raise ScoreFileError(f"sheet {shown(name)} is empty; choose another with sheet.")
    left = min(min(row) for row in rows.values())
    right = max(max(row) for row in rows.values())
    if len(rows) * (right - left + 1) > limits.max_cells:
        raise ScoreFileError(
            f"{len(rows):,} rows × {right - left + 1:,} columns are more than {limits.max_cells:,} cells; "
            "clear cells far away from the table, or raise max_cells."
        )

    def records() -> Iterator[Record]:
        for number, row in rows.items():
            yield number, [row.get(column, "") for column in range(left, right + 1)]

    def body(skipped: Skipped) -> Iterator[Record]:
        found = records()
        next(found)
        return found

    line, header = next(records())
    return table_of(header, body, "row", line)


def _notes(names: Sequence[str], name: str, errors: int) -> tuple[Note, ...]:
    """Which other sheets there are, and how many cells Excel couldn't compute."""
    notes = []
    others = [other for other in names if other != name]
    if others:
        some = ", ".join(map(shown, others[:8])) + (" …" if len(others) > 8 else "")
        text = f"Sheet {shown(name)} was read; the workbook also has {some} (choose with sheet)."
        notes.append(Note("sheet-chosen", "info", text))
    if errors:
        what = (
            "1 cell holds an error such as #DIV/0! and counts"
            if errors == 1
            else (f"{errors:,} cells hold errors such as #DIV/0! and count")
        )
        notes.append(Note("excel-errors", "caution", f"{what} as missing."))
    return tuple(notes)


EXCEL = Reader(
    key="excel",
    label="Excel workbook (.xlsx), one sheet",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=head,
)
