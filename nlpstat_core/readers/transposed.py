"""A table with one row per system turned round: one row per unit."""

from __future__ import annotations

from collections.abc import Iterator

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import mostly_text
from nlpstat_core.readers.choices import Choices
from nlpstat_core.readers.names import absent
from nlpstat_core.readers.rowwise import refuse_width
from nlpstat_core.readers.table import HEAD_RECORDS, Head, Record, Table
from nlpstat_core.readers.textlines import Skipped

UNIT = "unit"


def transposed(table: Table, choices: Choices) -> tuple[Table, str, tuple[Note, ...]]:
    """The same scores with the systems as columns, which column named the systems, and what was left out.

    What is said of systems in words (their type, their team) is no score of theirs.

    Parameters
    ----------
    table : Table
        One row per system: its name in the first column, or in the one that was told, and its scores.
    choices : Choices

    Returns
    -------
    tuple of Table, str and tuple of Note

    Raises
    ------
    ScoreFileError
        Rows of other lengths, too many cells or systems, a column of names that isn't there, no numbers.
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
    every = [list(cells) for cells in zip(header, *rows, strict=True)]
    systems = every.pop(names)[1:]
    labels = choices.label_columns or ()
    turned = [
        cells for cells in every if cells[0] not in labels and not mostly_text(cells[1:], table.head.decimal)
    ]
    if not turned:
        raise ScoreFileError(
            "no numbers beside the names of the systems; give one column of scores per unit."
        )
    kept = {id(cells) for cells in turned}
    words = [cells[0] for cells in every if id(cells) not in kept]

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
    return Table(head, body), header[names], _left_out(words)


def _left_out(names: list[str]) -> tuple[Note, ...]:
    if not names:
        return ()
    told = ", ".join(map(shown, names[:5])) + (" …" if len(names) > 5 else "")
    return (Note("labels-left-out", "info", f"Left out because they say something about systems: {told}."),)
