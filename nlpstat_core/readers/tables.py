"""A table from any kind of file: long when a column names the systems, else wide."""

from __future__ import annotations

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.choices import Choices
from nlpstat_core.readers.counts import is_counts, read_counts
from nlpstat_core.readers.long import is_long, read_long
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.table import Table
from nlpstat_core.readers.wide import read_wide


def read_table(table: Table, choices: Choices) -> Part:
    """The scores in a table.

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
        Everything that makes the table ambiguous.
    """
    columns = len(table.head.header)
    if columns > choices.limits.max_columns:
        raise ScoreFileError(f"{columns:,} columns are more than {choices.limits.max_columns:,}.")
    if not columns:
        raise ScoreFileError("there are no columns; give one row per unit and one column per system.")
    if is_counts(table.head, choices):
        return read_counts(table, choices)
    return read_long(table, choices) if is_long(table.head, choices) else read_wide(table, choices)
