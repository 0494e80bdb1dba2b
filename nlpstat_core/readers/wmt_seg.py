"""Segment scores as the WMT metrics tasks publish them: eight columns without a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlpstat_core.readers.cells import is_text, is_whole
from nlpstat_core.readers.choices import told
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.metrics import choose_metric
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import LongData, pivot
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import Head, text_table

NAMES = ("metric", "lang_pair", "testset", "reference", "system", "document", "segment", "score")
METRIC, PAIR, TESTSET, REFERENCE, SYSTEM, DOCUMENT, SEGMENT, SCORE = range(8)

EXAMPLE = """chrF	cs-en	newstest	refA	System A	doc1	1	0.31
chrF	cs-en	newstest	refA	System A	doc1	2	0.44
chrF	cs-en	newstest	refA	System B	doc1	1	0.27
chrF	cs-en	newstest	refA	System B	doc1	2	0.35
"""


def matches(probe: Probe) -> str | None:
    """Eight columns of which the seventh counts segments and the eighth holds scores.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    head = probe.head
    if head is None or head.delimiter != "\t":
        return None
    rows = [head.header, *head.rows]
    if all(len(row) == len(NAMES) and _is_segment(row) for row in rows):
        return "eight columns: metric, language pair, test set, reference, system, document, segment, score"
    return None


def _is_segment(row: Sequence[str]) -> bool:
    return (
        is_whole(row[SEGMENT]) and not is_text(row[SCORE]) and all(map(is_text, (row[METRIC], row[SYSTEM])))
    )


def read(probe: Probe) -> Part:
    """Read segment scores; a unit is a segment of a document.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
        The same segment of a system twice, scores that are no numbers.
    """
    columns = load_columns(
        text_table(probe.table_text, named_head(probe.table_head())), probe.choices.limits, range(SCORE)
    )
    named = _metrics(columns)
    metrics = list(dict.fromkeys(named))
    wanted = probe.choices.metric
    if wanted is not None and wanted not in metrics:
        wanted = next((name for name in metrics if name.startswith(f"{wanted} (")), wanted)
    place, notes = choose_metric(metrics, wanted)
    rows = [i for i, metric in enumerate(named) if metric == metrics[place]]
    pivoted = pivot(_rows_of(columns, rows), probe.choices.limits.max_cells)
    return Part(
        values=pivoted.values,
        systems=pivoted.systems,
        units=pivoted.units,
        labels=pivoted.labels,
        metric=metrics[place],
        reading=told(metrics=metrics),
        notes=(*notes, *pivoted.notes),
    )


def _metrics(columns: Columns) -> list[str]:
    """The metric of each row; scores against another reference are another metric."""
    metrics, references = columns.texts[METRIC], columns.texts[REFERENCE]
    if len(set(references)) == 1:
        return metrics
    return [f"{metric} ({reference})" for metric, reference in zip(metrics, references, strict=True)]


def named_head(head: Head) -> Head:
    """The same table with the names of its eight columns.

    Parameters
    ----------
    head : Head

    Returns
    -------
    Head
    """
    return replace(head, header=NAMES, rows=(head.header, *head.rows), named=False)


def _rows_of(columns: Columns, rows: Sequence[int]) -> LongData:
    """Some rows as long data; what is the same in all of them is no part of a unit's id."""
    of = {i: [columns.texts[i][row] for row in rows] for i in range(SCORE)}
    varying = [of[i] for i in (PAIR, TESTSET) if len(set(of[i])) > 1]
    units = [":".join(parts) for parts in zip(*varying, of[DOCUMENT], of[SEGMENT], strict=True)]
    labels = {NAMES[i]: of[i] for i in (PAIR, TESTSET) if len(set(of[i])) > 1}
    if len(set(of[DOCUMENT])) > 1:
        labels[NAMES[DOCUMENT]] = of[DOCUMENT]
    return LongData(
        systems=of[SYSTEM],
        units=units,
        scores=columns.values([SCORE])[list(rows), 0],
        lines=[columns.lines[row] for row in rows],
        labels=labels,
    )


WMT_SEG = Reader(
    key="wmt-seg",
    label="Segment scores of the WMT metrics tasks (eight columns)",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: named_head(probe.table_head()),
    roles=("metric", "label", "label", "metric", "system names", "label", "unit", "score"),
)
