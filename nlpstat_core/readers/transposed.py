"""A table with one row per system turned round: one row per unit."""

from __future__ import annotations

from collections.abc import Iterator

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.names import absent
from nlpstat_core.readers.record import Choices
from nlpstat_core.readers.rowwise import refuse_width
from nlpstat_core.readers.table import HEAD_RECORDS, Head, Record, Table
from nlpstat_core.readers.textlines import Skipped

UNIT = "unit"


def transposed(table: Table, choices: Choices) -> tuple[Table, str]:
    """The same scores with the systems as columns, and which column named the systems.

    Parameters
    ----------
    table : Table
        One row per system: its name in the first column, or in the one that was told, and its scores.
    choices : Choices

    Returns
    -------
    tuple of Table and str

    Raises
    ------
    ScoreFileError
        Rows of other lengths, too many cells or systems, a column of names that isn't there.
    """
    header, limits = table.head.header, choices.limits
    wanted = choices.system_column
    if wanted is not None and wanted not in header:
        raise ScoreFileError(f"{absent('column', wanted, header)}.")
    names = 0 if wanted is None else header.index(wanted)
    rows: list[list[str]] = []
    for line, row in table.body(Skipped()):
        if len(row) != len(header):
            refuse_width(f"{table.head.where} {line}", len(row), len(header))
        rows.append(row)
        if len(rows) * len(header) > limits.max_cells or len(rows) > limits.max_columns:
            raise ScoreFileError(
                f"{table.head.where} {line}: more than {limits.max_columns:,} systems or "
                f"{limits.max_cells:,} cells; raise max_columns and max_cells, or split the file."
            )
    turned = [list(cells) for cells in zip(header, *rows, strict=True)]
    systems = turned.pop(names)[1:]

    def body(skipped: Skipped) -> Iterator[Record]:
        return enumerate(turned, start=2)

    head = Head(
        delimiter="",
        decimal=table.head.decimal,
        header=(UNIT, *(system.strip() for system in systems)),
        line=1,
        rows=tuple(map(tuple, turned[:HEAD_RECORDS])),
        where="column",
    )
    return Table(head, body), header[names]
