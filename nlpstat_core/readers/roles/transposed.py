"""A table with one row per system, turned round."""

from __future__ import annotations

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import mostly_text
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.choices import Choices

UNIT = "unit"


def transposed(table: Table, choices: Choices) -> tuple[Table, str, tuple[Note, ...]]:
    """A table with one row per system turned round: one row per unit; which column named the systems.

    What is said of systems in words (their type, their team) is no score of theirs and is left out.
    Raises ScoreFileError for too many systems, a column of names that isn't there, no numbers.
    """
    header, limits = table.header, choices.limits
    wanted = choices.system_column
    if wanted is not None and wanted not in header:
        raise ScoreFileError(f"{absent('column', wanted, header)}.")
    names = 0 if wanted is None else header.index(wanted)
    if len(table) > limits.max_columns:
        raise BoundsExceeded(
            f"{table.where} {table.lines[limits.max_columns]}: more than {limits.max_columns:,} systems or "
            f"{limits.max_cells:,} cells; ",
            Remedy("max_columns"),
            " and ",
            Remedy("max_cells"),
            ", or split the file.",
        )
    labels = choices.label_columns or ()
    rows, words = [], []
    for column, name in enumerate(header):
        if column == names:
            continue
        cells = table.texts(column)
        if name in labels or mostly_text(cells, table.decimal):
            words.append(name)
        else:
            rows.append([name, *cells])
    if not rows:
        raise ScoreFileError(
            "no numbers beside the names of the systems; give one column of scores per unit."
        )
    lines = range(2, len(rows) + 2)
    found = Table.of((UNIT, *table.texts(names)), rows, lines, "column", decimal=table.decimal)
    return found, header[names], _left_out(words)


def _left_out(names: list[str]) -> tuple[Note, ...]:
    if not names:
        return ()
    text = f"Left out because they say something about systems: {some_shown(names)}."
    return (Note("labels-left-out", "info", text),)
