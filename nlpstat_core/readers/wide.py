"""Wide tables: one row per evaluation unit, one column per system."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import DECIMAL_POINT, is_missing, is_text
from nlpstat_core.readers.choices import Choices
from nlpstat_core.readers.columns import comment_notes
from nlpstat_core.readers.jointids import id_choice
from nlpstat_core.readers.layout import columns_of_text, find_layout
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.names import LABEL_NAME, says, says_id
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import DELIMITER_NAMES, Head, Table, check_header, text_table
from nlpstat_core.readers.transposed import UNIT, transposed
from nlpstat_core.readers.unitids import told_names

EXAMPLE = """item,domain,System A,System B
s1,news,0.31,0.27
s2,chat,0.44,0.35
s3,chat,0.12,
"""


def matches(probe: Probe) -> str | None:
    """Any table is wide unless an earlier format knows it.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    if probe.head is None:
        return None
    names = DELIMITER_NAMES.get(probe.head.delimiter, "delimiter")
    return f"a {names} between columns, one column per system"


def read(probe: Probe) -> Part:
    """Read a wide table from text.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        Everything that makes the file ambiguous, with line and column.
    """
    head = probe.table_head()
    part = read_wide(text_table(probe.table_text, head), probe.choices)
    return replace(part, reading={"delimiter": head.delimiter, **part.reading})


def read_wide(table: Table, choices: Choices) -> Part:
    """The scores in a wide table from any kind of file.

    Parameters
    ----------
    table : Table
    choices : Choices

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        Everything that makes the table ambiguous, with line and column.
    """
    reading: dict[str, Any] = {}
    left_out: tuple[Note, ...] = ()
    if choices.systems_as_rows:
        table, system_column, left_out = transposed(table, choices)
        choices = replace(choices, id_column=UNIT, label_columns=())
        reading = {"systems_as_rows": True, "system_column": system_column}
    _check_names(table.head, choices)
    columns = load_columns(table, choices.limits, columns_of_text(table.head.header, choices))
    layout = find_layout(columns, choices)
    return Part(
        values=columns.values(layout.systems),
        systems=[columns.header[column] for column in layout.systems],
        units=layout.units,
        labels=columns.labels(layout.labels),
        metric=choices.metric,
        reading=reading
        or {
            "id_column": id_choice(columns.header, layout.unit),
            "label_columns": [columns.header[column] for column in layout.labels],
        },
        notes=(*left_out, *layout.notes, *comment_notes(columns)),
    )


def _check_names(head: Head, choices: Choices) -> None:
    """Refuse a first line that holds scores: taken as names, it would be lost without a word."""
    first, rest = head.header[0], head.header[1:]
    told = first in told_names(choices, head.header) or says_id(first, True) or says(LABEL_NAME, first)
    names = rest if is_text(first, head.decimal) and not told and len(rest) > 1 else head.header
    decimals = not told and any(DECIMAL_POINT.fullmatch(name) for name in rest)
    if decimals or all(_is_number(name, head.decimal) for name in names):
        raise ScoreFileError(
            f"{head.where} {head.line} holds numbers where the names of the systems should stand; "
            "put a line with names above it (or say format='columns' if the systems have no names)."
        )
    check_header(head)


def _is_number(name: str, decimal: str) -> bool:
    return not is_missing(name) and not is_text(name, decimal)


WIDE = Reader(
    key="wide-csv",
    label="Table, one column per system (CSV, TSV, semicolons)",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: probe.head,
)
