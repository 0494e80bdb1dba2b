"""Columns of scores without a header, as NLPStatTest writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlpstat_core.readers.cells import is_missing, is_text, is_whole
from nlpstat_core.readers.choices import NO_COLUMN
from nlpstat_core.readers.columns import comment_notes
from nlpstat_core.readers.jointids import check_units
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.names import says_id
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import WHITESPACE, Head, text_table

EXAMPLE = """0.262025 0.596949
0.412615 0.884498
0.400959 0.393599
"""


def matches(probe: Probe) -> str | None:
    """White space between columns and scores in the first line already.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    head = probe.head
    if head is None or head.delimiter not in (WHITESPACE, "\t") or not _holds_scores(head):
        return None
    return f"{len(head.header)} columns of numbers without a header"


def _holds_scores(head: Head) -> bool:
    """Whether the first record is numbers, after a unit id if there are at least two more columns."""
    first, rest = head.header[0], head.header[1:]
    scores = rest if is_text(first, head.decimal) and not says_id(first, True) else head.header
    numbers = [cell for cell in scores if not is_missing(cell)]
    return bool(numbers) and not any(is_text(cell, head.decimal) for cell in numbers)


def read(probe: Probe) -> Part:
    """Read columns without a header; the systems are called "system 1", "system 2" and so on.

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
    head, told = without_names(probe.table_head()), probe.choices.id_column
    width = len(head.header)
    has_ids = told not in (None, False, NO_COLUMN) or (
        told is None and _are_ids([row[0] for row in head.rows], width, head.decimal)
    )
    columns = load_columns(
        text_table(probe.table_text, head), probe.choices.limits, keep_text={0} if has_ids else ()
    )
    if has_ids and told is None:  # so far by the first rows
        has_ids = _are_ids(columns.texts[0], width, head.decimal)
    systems = list(range(int(has_ids), len(head.header)))
    values = columns.values(systems)
    if has_ids:
        check_units(columns.texts[0], columns.lines, columns.where)
    return Part(
        values=values,
        systems=[f"system {i + 1}" for i in range(len(systems))] if len(systems) > 1 else [probe.stem],
        units=columns.texts[0] if has_ids else None,
        metric=probe.choices.metric,
        reading={"delimiter": head.delimiter, "id_column": columns.header[0] if has_ids else False},
        notes=comment_notes(columns),
    )


def without_names(head: Head) -> Head:
    """The same table with made-up names, its first record being data.

    Parameters
    ----------
    head : Head

    Returns
    -------
    Head
    """
    made_up = tuple(f"column {i + 1}" for i in range(len(head.header)))
    return replace(head, header=made_up, rows=(head.header, *head.rows), named=False)


def _are_ids(cells: Sequence[str], width: int, decimal: str) -> bool:
    """Whether cells of the first column name the units, or count them beside two others (from 0 or 1)."""
    if all(is_text(cell, decimal) for cell in cells):
        return True
    if width < 3 or not all(map(is_whole, cells)):
        return False
    counted = [float(cell) for cell in cells]
    return counted[0] in (0.0, 1.0) and counted == [counted[0] + i for i in range(len(counted))]


COLUMNS = Reader(
    key="columns",
    label="Columns of numbers without header (NLPStatTest)",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: without_names(probe.table_head()),
)
