"""Long tables: one row per system and unit, one or several columns of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import is_missing, is_text
from nlpstat_core.readers.choices import Choices, told
from nlpstat_core.readers.columns import Columns, comment_notes
from nlpstat_core.readers.jointids import id_choice, joined, joined_note
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.longlayout import (
    LongLayout,
    columns_of_text,
    find_long_layout,
    find_system,
    unit_candidates,
)
from nlpstat_core.readers.metrics import choose_metric, metric_name
from nlpstat_core.readers.names import SCORE_NAME, says
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import LongData, pivot
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import Head, Table, check_header, text_table

EXAMPLE = """system,item,score
System A,s1,0.31
System A,s2,0.44
System B,s1,0.27
System B,s2,0.35
"""


def matches(probe: Probe) -> str | None:
    """A table with a column that names systems and one that names units.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    head = probe.head
    if head is None or not is_long(head, probe.choices):
        return None
    system = find_system(head.header, probe.choices)
    return f"column {shown(head.header[system or 0])} names the system of each row"


def is_long(head: Head, choices: Choices) -> bool:
    """Whether a column names systems and another one units.

    Parameters
    ----------
    head : Head
    choices : Choices

    Returns
    -------
    bool
    """
    if choices.systems_as_rows:
        return False
    system = find_system(head.header, choices)
    if system is None:
        return False
    if choices.system_column is not None:
        return True
    units = unit_candidates(head.header, system, choices)
    return bool(units) and _names_systems(head, system) and len(head.header) > 2


def _names_systems(head: Head, system: int) -> bool:
    """Whether the column holds text as far as the first rows tell ("Method" may be a system itself)."""
    cells = [row[system] for row in head.rows if len(row) > system and not is_missing(row[system])]
    return 2 * sum(map(is_text, cells)) > len(cells)


def read(probe: Probe) -> Part:
    """Read a long table from text.

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
    part = read_long(text_table(probe.table_text, head), probe.choices)
    return replace(part, reading={"delimiter": head.delimiter, **part.reading})


def read_long(table: Table, choices: Choices) -> Part:
    """The scores in a long table from any kind of file.

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
    check_header(table.head)
    system = find_system(table.head.header, choices)
    if system is None:
        raise ScoreFileError("no column names the systems; add a column 'system', or say system_column.")
    columns = load_columns(table, choices.limits, columns_of_text(table.head.header, system, choices))
    layout = find_long_layout(columns, system, choices)
    metric = _chosen_metric(columns, layout, choices.metric)
    pivoted = pivot(_long_data(columns, layout, metric), choices.limits.max_cells)
    return Part(
        values=pivoted.values,
        systems=pivoted.systems,
        units=pivoted.units,
        labels=pivoted.labels,
        metric=metric.name,
        reading={
            "system_column": columns.header[layout.system],
            "id_column": id_choice(columns.header, layout.unit),
            "label_columns": [columns.header[i] for i in layout.labels],
            **told(columns=columns.header, metrics=metric.names),
        },
        notes=(
            *joined_note(columns.header, layout.unit),
            *metric.notes,
            *pivoted.notes,
            *comment_notes(columns),
        ),
    )


@dataclass(frozen=True)
class _Metric:
    """The scores to read: column, name, rows (None for all), what to tell about the others, all names."""

    column: int
    name: str | None
    rows: Sequence[int] | None
    notes: tuple[Note, ...]
    names: Sequence[str]


def _chosen_metric(columns: Columns, layout: LongLayout, wanted: str | None) -> _Metric:
    if layout.metric_names is None:
        names = [columns.header[i] for i in layout.scores]
        place, notes = choose_metric(names, wanted)
        return _Metric(layout.scores[place], metric_name(names, place, wanted), None, notes, names)
    cells = columns.texts[layout.metric_names]
    names = list(dict.fromkeys(cells))
    place, notes = choose_metric(names, wanted)
    rows = [i for i, cell in enumerate(cells) if cell == names[place]]
    return _Metric(_score_column(columns, layout), names[place], rows, notes, names)


def _score_column(columns: Columns, layout: LongLayout) -> int:
    """The column of scores beside a column that names the metric."""
    return next((i for i in layout.scores if says(SCORE_NAME, columns.header[i])), layout.scores[0])


def _long_data(columns: Columns, layout: LongLayout, metric: _Metric) -> LongData:
    """The rows of one metric."""
    chosen = range(len(columns.lines)) if metric.rows is None else metric.rows

    def of(cells: Sequence[str]) -> list[str]:
        return [cells[i] for i in chosen]

    runs = [of(columns.texts[i]) for i in layout.runs]
    return LongData(
        systems=of(columns.texts[layout.system]),
        units=of(joined(columns, layout.unit)),
        scores=columns.values([metric.column])[list(chosen), 0],
        lines=[columns.lines[i] for i in chosen],
        runs=[" ".join(parts) for parts in zip(*runs, strict=True)] if runs else None,
        labels={name: of(cells) for name, cells in columns.labels(layout.labels).items()},
        where=columns.where,
    )


LONG = Reader(
    key="long-csv",
    label="Table, one row per system and unit",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: probe.head,
)
