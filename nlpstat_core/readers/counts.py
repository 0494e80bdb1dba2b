"""Counts per unit: correct and total, or tp, fp and fn, in long tables or in wide ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlpstat_core.arrays import FloatArray
from nlpstat_core.counts import CountKind, Counts
from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.choices import Choices, told
from nlpstat_core.readers.columns import Columns, comment_notes
from nlpstat_core.readers.countcells import hits_and_misses, summed
from nlpstat_core.readers.countnames import KINDS, fits, is_one_system, kinds_of, part_of, whole_systems
from nlpstat_core.readers.jointids import id_choice, joined
from nlpstat_core.readers.layout import columns_of_text, find_layout
from nlpstat_core.readers.loading import load_columns
from nlpstat_core.readers.long import is_long
from nlpstat_core.readers.longlayout import LongLayout, find_long_layout, find_system
from nlpstat_core.readers.longlayout import columns_of_text as columns_of_long_text
from nlpstat_core.readers.names import METRIC_NAME, SCORE_NAME, absent, normal, says
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.pivot import LongData, pivot
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import Head, Table, check_header, text_table

EXAMPLE = """system,item,correct,total
System A,s1,3,5
System A,s2,5,5
System B,s1,2,5
System B,s2,4,5
"""

SHOWN = 6


def matches(probe: Probe) -> str | None:
    """A table whose columns hold all counts of a score, unless a column of scores or a metric is wanted.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    if probe.head is None or not is_counts(probe.head, probe.choices):
        return None
    return "columns of counts per unit (correct and total, or tp, fp and fn)"


def is_counts(head: Head, choices: Choices) -> bool:
    """Whether a table is to be read as counts.

    Parameters
    ----------
    head : Head
    choices : Choices

    Returns
    -------
    bool
    """
    header = head.header
    if choices.systems_as_rows:
        return False
    if is_long(head, choices):
        scored = any(says(SCORE_NAME, name) or says(METRIC_NAME, name) for name in header)
        kinds = kinds_of({part_of(name) or "" for name in header})
        return bool(kinds) and not scored and choices.metric not in header and fits(choices.metric, kinds)
    return len(whole_systems(header)) > 1 or is_one_system(header)


def _chosen_kind(kinds: Sequence[CountKind], header: Sequence[str], metric: str | None) -> CountKind:
    """The score to make of the counts: the one wanted, else F1 before accuracy."""
    if not kinds:
        told = ", ".join(map(shown, header[:8]))
        raise ScoreFileError(
            f"no columns correct and total, or tp, fp and fn, for all systems; the columns are {told}."
        )
    if not fits(metric, kinds):
        raise ScoreFileError(f"{absent('metric', metric, kinds)}.")
    return kinds[0] if metric is None else next(kind for kind in kinds if kind == normal(metric))


def read(probe: Probe) -> Part:
    """Read counts from text.

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
    part = read_counts(text_table(probe.table_text, head), probe.choices)
    return replace(part, reading={"delimiter": head.delimiter, **part.reading})


def read_counts(table: Table, choices: Choices) -> Part:
    """The counts in a table from any kind of file.

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
        Counts that are negative, not whole or missing alone, with line and column.
    """
    check_header(table.head)
    return _read_long(table, choices) if is_long(table.head, choices) else _read_wide(table, choices)


def _read_long(table: Table, choices: Choices) -> Part:
    system = find_system(table.head.header, choices)
    if system is None:
        raise ScoreFileError("no column names the systems; add a column 'system', or say system_column.")
    columns = load_columns(table, choices.limits, columns_of_long_text(table.head.header, system, choices))
    layout = find_long_layout(columns, system, choices)
    places = {part_of(columns.header[i]) or "": i for i in layout.scores}
    kind = _chosen_kind(kinds_of(set(places)), columns.header, choices.metric)
    used = [places[part] for part in KINDS[kind]]
    hits, misses = hits_and_misses(kind, columns, used, len(used))
    data = _long_data(columns, layout, hits[:, 0])
    pivoted = pivot(data, choices.limits.max_cells)
    counts = summed(kind, hits[:, 0], misses[:, 0], data, len(pivoted.units), len(pivoted.systems))
    return Part(
        values=counts.unit_scores(),
        counts=counts,
        systems=pivoted.systems,
        units=pivoted.units,
        labels=pivoted.labels,
        metric=kind,
        reading={
            "system_column": columns.header[layout.system],
            "id_column": id_choice(columns.header, layout.unit),
            "label_columns": [columns.header[i] for i in layout.labels],
            **told(columns=columns.header, metrics=[*kinds_of(set(places)), *places]),
        },
        notes=(
            *_others(columns, layout.scores, used, kind),
            *_about_runs(pivoted.notes),
            *comment_notes(columns),
        ),
    )


def _about_runs(notes: Sequence[Note]) -> list[Note]:
    """The notes of the pivot, which averages scores of runs; counts of runs are added up."""
    added = Note("summed-runs", "info", "Counts of several runs are added up.")
    return [added if note.code == "averaged-runs" else note for note in notes]


def _long_data(columns: Columns, layout: LongLayout, scores: FloatArray) -> LongData:
    runs = [columns.texts[i] for i in layout.runs]
    return LongData(
        systems=columns.texts[layout.system],
        units=joined(columns, layout.unit),
        scores=scores,
        lines=columns.lines,
        runs=[" ".join(parts) for parts in zip(*runs, strict=True)] if runs else None,
        labels=columns.labels(layout.labels),
        where=columns.where,
    )


def _read_wide(table: Table, choices: Choices) -> Part:
    columns = load_columns(table, choices.limits, columns_of_text(table.head.header, choices))
    layout = find_layout(columns, choices)
    header = columns.header
    systems = whole_systems([header[i] for i in layout.systems])
    part = None if choices.metric is None else part_of(choices.metric)
    if part is not None and all(part in parts for parts in systems.values()):
        used = [header.index(parts[part]) for parts in systems.values()]
        values, counts, metric = columns.values(used), None, part
    else:
        kinds = [kind for kind in KINDS if all(set(KINDS[kind]) <= set(parts) for parts in systems.values())]
        kind = _chosen_kind(kinds if systems else [], header, choices.metric)
        metric = kind
        used = [header.index(parts[name]) for parts in systems.values() for name in KINDS[kind]]
        hits, misses = hits_and_misses(kind, columns, used, len(KINDS[kind]))
        counts = Counts(kind=kind, hits=hits, misses=misses)
        values = counts.unit_scores()
    return Part(
        values=values,
        counts=counts,
        systems=list(systems),
        units=layout.units,
        labels=columns.labels(layout.labels),
        metric=metric,
        reading={
            "id_column": id_choice(header, layout.unit),
            "label_columns": [header[i] for i in layout.labels],
        },
        notes=(*layout.notes, *_others(columns, layout.systems, used, metric), *comment_notes(columns)),
    )


def _others(columns: Columns, numbers: Sequence[int], used: Sequence[int], metric: str) -> tuple[Note, ...]:
    """What was read, and the columns of numbers that were left out."""
    told = ", ".join(shown(columns.header[i]) for i in dict.fromkeys(used[:SHOWN]))
    what = {"f1": "F1, made of the", "accuracy": "accuracy, made of the"}.get(metric, "the")
    text = f"The scores are {what} counts in {told}{' …' if len(used) > SHOWN else ''}"
    others = [shown(columns.header[i]) for i in numbers if i not in used]
    if others:
        more = " …" if len(others) > SHOWN else ""
        text += f"; the file also has {', '.join(others[:SHOWN])}{more} (choose with metric)"
    return (Note("counts-read", "info", f"{text}."),)


COUNTS = Reader(
    key="counts",
    label="Table of counts: correct and total, or tp, fp and fn, in long columns or one set per system",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: probe.head,
)
