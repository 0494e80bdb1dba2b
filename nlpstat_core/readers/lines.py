"""One score a line: one system a file, units in order."""

from __future__ import annotations

from dataclasses import replace

from nlpstat_core.readers.cells import is_missing, is_text, mostly_text
from nlpstat_core.readers.dialect import find_head
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.names import SCORE_NAME, says
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import WHITESPACE, Head, text_table

EXAMPLE = """0.31
0.44
0.27
"""


def matches(probe: Probe) -> str | None:
    """One column of numbers, with or without a name above it.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    if probe.head is not None:
        return None
    head = _head(probe)
    if any(len(row) != 1 for row in (head.header, *head.rows)):
        return None
    scores = [cell for (cell,) in head.rows if not is_missing(cell)]
    return "one score a line" if scores and not mostly_text(scores, head.decimal) else None


def read(probe: Probe) -> Part:
    """Read one column of scores; its name is the file's unless a line above says another.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part
        One system.

    Raises
    ------
    ScoreFileError
        A line that is no number.
    """
    head = _head(probe)
    columns = load_columns(text_table(probe.table_text, head), probe.choices.limits)
    named = head.named and not says(SCORE_NAME, head.header[0])
    return Part(
        values=columns.values([0]),
        systems=[head.header[0] if named else probe.stem],
        metric=probe.choices.metric,
    )


def _head(probe: Probe) -> Head:
    """The lines as a table of one column."""
    head = find_head(probe.table_text, probe.choices.limits.max_columns, WHITESPACE)
    if head is None:
        return Head(WHITESPACE, ".", (), 1, ())
    if head.header and is_text(head.header[0]):
        return head
    return replace(head, header=("score",) * len(head.header), rows=(head.header, *head.rows), named=False)


LINES = Reader(
    key="lines",
    label="One score a line, one file per system",
    example=EXAMPLE,
    matches=matches,
    read=read,
)
