"""Lines of system and score, each system with all its units in order (seg.score files)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.cells import is_text
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import codes
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import WHITESPACE, Head, text_table
from nlpstat_core.scores import first_repeat

EXAMPLE = """SystemA	0.31
SystemA	0.44
SystemB	0.27
SystemB	0.35
"""


def matches(probe: Probe) -> str | None:
    """Two columns without a header: names that repeat, and scores.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    head = probe.head
    if head is None or len(head.header) != 2 or head.delimiter not in ("\t", WHITESPACE):
        return None
    rows = [head.header, *head.rows]
    if not all(len(row) == 2 and is_text(row[0]) and not is_text(row[1], head.decimal) for row in rows):
        return None
    if first_repeat([row[0] for row in rows]) is None:
        return None
    return "two columns, systems that repeat and their scores"


def read(probe: Probe) -> Part:
    """Read the scores of each system; the first of each belong to one unit, the second to the next.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        Systems with different numbers of scores.
    """
    head = named_head(probe.table_head())
    columns = load_columns(text_table(probe.table_text, head), probe.choices.limits, keep_text={0})
    systems, places = codes(columns.texts[0])
    scores = columns.values([1])[:, 0]
    counts = np.bincount(places)
    if (counts != counts[0]).any():
        other = int(np.flatnonzero(counts != counts[0])[0])
        raise ScoreFileError(
            f"system {shown(systems[0])} has {counts[0]:,} scores and {shown(systems[other])} "
            f"{counts[other]:,}; units go by order here, so give every system one score per unit."
        )
    order = np.argsort(places, kind="stable")
    return Part(
        values=scores[order].reshape(len(systems), -1).T,
        systems=systems,
        metric=probe.choices.metric,
        reading={"delimiter": head.delimiter},
    )


def named_head(head: Head) -> Head:
    """The same table with names for its two columns.

    Parameters
    ----------
    head : Head

    Returns
    -------
    Head
    """
    return replace(head, header=("system", "score"), rows=(head.header, *head.rows), named=False)


SYSTEM_SCORE = Reader(
    key="system-score",
    label="System and score, units in order (seg.score)",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: named_head(probe.table_head()),
    roles=("system names", "score"),
)
