"""Counts per unit: correct and total, or tp, fp and fn, in long tables or in wide ones, known by name."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices, given_lists
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.layout import find_long_layout, is_long, needed_system, settled
from nlpstat_core.readers.roles.long import long_data
from nlpstat_core.readers.roles.names import Kind, normal, says, says_id
from nlpstat_core.readers.roles.pivot import LongData, pivot
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.readers.roles.units import settled_columns
from nlpstat_core.readers.roles.wide import check_header, find_layout
from nlpstat_core.scores.counts import CountKind, Counts

# Kind → the counts it is made of, by their usual names.
KINDS: dict[CountKind, dict[str, str]] = {
    "f1": {
        "tp": "(?:n_)?tp|true_positives?",
        "fp": "(?:n_)?fp|false_positives?",
        "fn": "(?:n_)?fn|false_negatives?",
    },
    "accuracy": {
        "correct": "(?:n_|num_)?(?:correct|right|passed)",
        "total": "(?:n_|num_)?(?:total|count|items|attempts)|n",
    },
}
_PARTS = {part: re.compile(names) for parts in KINDS.values() for part, names in parts.items()}
_ANY_PART = "|".join(pattern.pattern for pattern in _PARTS.values())
_AT_END = re.compile(rf"[\s_.:/|-](?P<part>{_ANY_PART})$", re.IGNORECASE)
_LONGEST_PART = 30  # only so much of a name is searched
_SHARED = ""  # stands for the system of a column that holds the totals of all


def part_of(name: str) -> str | None:
    """Which count a column name stands for: correct, total, tp, fp, fn, or None.

    >>> part_of("TP"), part_of("n_correct"), part_of("score")
    ('tp', 'correct', None)
    """
    plain = normal(name)
    return next((part for part, pattern in _PARTS.items() if pattern.fullmatch(plain)), None)


def system_and_part(name: str) -> tuple[str, str] | None:
    """The system and the count in the name of a wide table's column; no system for a count of all.

    >>> system_and_part("System A_correct"), system_and_part("b-TP"), system_and_part("total")
    (('System A', 'correct'), ('b', 'tp'), ('', 'total'))
    """
    alone = part_of(name)
    if alone is not None:
        return _SHARED, alone
    found = _AT_END.search(name[-_LONGEST_PART:])
    if found is None:
        return None
    system = name[: len(name) - len(found[0])].strip(" \t_.:/|-")
    return (system, str(part_of(found["part"]))) if system else None


def kinds_of(parts: set[str]) -> list[CountKind]:
    """Scores that counts of these names (tp, fp, fn, correct, total) make, F1 before accuracy.

    >>> kinds_of({"correct", "total", "tp"})
    ['accuracy']
    """
    return [kind for kind, needed in KINDS.items() if set(needed) <= parts]


def fits(metric: str | None, kinds: Sequence[str]) -> bool:
    """Whether a wanted metric is one of the scores that the counts make; none wanted fits always."""
    return metric is None or normal(metric) in kinds


def is_one_system(header: Sequence[str]) -> bool:
    """Whether a table holds the counts of one system, as when every system has a file of its own."""
    parts = {part_of(name) or "" for name in header}
    others = [
        name for name in header[1:] if not (part_of(name) or says_id(name, False) or says(Kind.LABEL, name))
    ]
    return bool(kinds_of(parts)) and not others


def whole_systems(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The columns of every system that has all counts of a score.

    Returns: System → count → column name; a column without a system serves all systems.
    """
    found: dict[str, dict[str, str]] = {}
    for name in names:
        split = system_and_part(name)
        if split is not None:
            found.setdefault(split[0], {})[split[1]] = name
    if len(found) == 1 and is_one_system(names):
        return {"score": found[_SHARED]}
    shared = found.pop(_SHARED, {})
    every = {system: {**shared, **parts} for system, parts in found.items()}
    return {system: parts for system, parts in every.items() if kinds_of(set(parts))}


SHOWN = 6
# Of one cell: sums over runs and units stay whole numbers.
MOST_COUNT = 1e12


def is_counts(table: Table, choices: Choices) -> bool:
    """Whether a table's columns hold all counts of a score, and no column of scores or metric is wanted."""
    header = table.header
    if choices.systems_as_rows or choices.named(Role.SCORE):
        return False
    if is_long(table, choices):
        scored = any(says(kind, name) for kind in (Kind.SCORE, Kind.METRIC, Kind.F1) for name in header)
        kinds = kinds_of({part_of(name) or "" for name in header})
        return bool(kinds) and not scored and choices.metric not in header and fits(choices.metric, kinds)
    return len(whole_systems(header)) > 1 or is_one_system(header)


def _chosen_kind(kinds: Sequence[CountKind], header: Sequence[str], metric: str | None) -> CountKind:
    """The score to make of the counts: the one wanted, else F1 before accuracy."""
    if not kinds:
        text = ", ".join(map(shown, header[:8]))
        raise ScoreFileError(
            f"no columns correct and total, or tp, fp and fn, for all systems; the columns are {text}."
        )
    if not fits(metric, kinds):
        raise ScoreFileError(f"{absent('metric', metric, kinds)}.")
    return kinds[0] if metric is None else next(kind for kind in kinds if kind == normal(metric))


def read_counts(table: Table, choices: Choices) -> Part:
    """The counts in a table; raises ScoreFileError for ones that are negative, not whole or missing alone."""
    check_header(table)
    return _read_long(table, choices) if is_long(table, choices) else _read_wide(table, choices)


def _read_long(table: Table, choices: Choices) -> Part:
    columns = Columns(table)
    layout = find_long_layout(columns, needed_system(table.header, choices), choices)
    places = {part_of(columns.header[i]) or "": i for i in layout.scores}
    kind = _chosen_kind(kinds_of(set(places)), columns.header, choices.metric)
    used = [places[part] for part in KINDS[kind]]
    hits, misses = hits_and_misses(kind, columns, used, len(used))
    data = long_data(columns, layout, hits[:, 0])
    pivoted = pivot(data, choices.limits.max_cells)
    counts = summed(kind, hits[:, 0], misses[:, 0], data, *pivoted.values.shape)
    return replace(
        pivoted,
        values=counts.unit_scores(),
        counts=counts,
        runs=None,
        ratings=None,
        metric=kind,
        reading={
            **settled(columns, layout),
            **given_lists(columns=columns.header, metrics=[*kinds_of(set(places)), *places]),
        },
        notes=(*_others(columns, layout.scores, used, kind), *_about_runs(pivoted.notes), *table.notes),
    )


def _about_runs(notes: Sequence[Note]) -> list[Note]:
    """The notes of the pivot, which averages scores of runs; counts of runs are added up."""
    added = Note("summed-runs", "info", "Counts of several runs are added up.")
    return [added if note.code == "averaged-runs" else note for note in notes]


def _read_wide(table: Table, choices: Choices) -> Part:
    columns = Columns(table)
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
        reading=settled_columns(header, layout.unit, layout.labels),
        notes=(*layout.notes, *_others(columns, layout.systems, used, metric), *table.notes),
    )


def _others(columns: Columns, numbers: Sequence[int], used: Sequence[int], metric: str) -> tuple[Note, ...]:
    """What was read, and the columns of numbers that were left out."""
    sentence = ", ".join(shown(columns.header[i]) for i in dict.fromkeys(used[:SHOWN]))
    what = {"f1": "F1, made of the", "accuracy": "accuracy, made of the"}.get(metric, "the")
    text = f"The scores are {what} counts in {sentence}{' …' if len(used) > SHOWN else ''}"
    others = [columns.header[i] for i in numbers if i not in used]
    if others:
        text += f"; the file also has {some_shown(others, SHOWN)} (choose with metric)"
    return (Note("counts-read", "info", f"{text}."),)


def hits_and_misses(
    kind: CountKind, columns: Columns, used: Sequence[int], n_parts: int
) -> tuple[FloatArray, FloatArray]:
    """Hits and misses in some columns of a table.

    used: Columns, group by group: correct and total, or tp, fp and fn.
    n_parts: Columns of a group.
    Returns float arrays, shape (n_rows, groups): NaN where all counts of a group are missing.
    """

    def where(row: int, place: int) -> str:
        return f"{columns.where} {columns.lines[row]}, column {shown(columns.header[used[place]])}"

    cells = columns.values(used)
    bad = ~np.isnan(cells) & ((cells < 0) | (cells != np.round(cells)) | (cells > MOST_COUNT))
    if bad.any():
        row, place = np.argwhere(bad)[0]
        text = f"{cells[row, place]:g} is not a count; give whole numbers from 0 to 10¹²."
        raise ScoreFileError(f"{where(row, place)}: {text}")
    groups = cells.reshape(cells.shape[0], -1, n_parts)
    missing = np.isnan(groups)
    lone = missing.any(axis=2) & ~missing.all(axis=2)
    if lone.any():
        row, group = np.argwhere(lone)[0]
        place = group * n_parts + int(np.argmax(missing[row, group]))
        text = "the count is missing; give all counts of an item, or none."
        raise ScoreFileError(f"{where(row, place)}: {text}")
    if kind == "f1":
        return groups[:, :, 0], groups[:, :, 1] + groups[:, :, 2]
    over = groups[:, :, 0] > groups[:, :, 1]
    if over.any():
        row, group = np.argwhere(over)[0]
        correct, total = groups[row, group]
        text = f"{correct:g} correct items of {total:g}; check the total."
        raise ScoreFileError(f"{where(row, group * n_parts)}: {text}")
    return groups[:, :, 0], groups[:, :, 1] - groups[:, :, 0]


def summed(
    kind: CountKind, hits: FloatArray, misses: FloatArray, data: LongData, n_units: int, n_systems: int
) -> Counts:
    """Counts of rows as a table of units × systems; several runs are added up.

    data: Systems and units of the rows, in the order in which `pivot` numbers them.
    """
    cells = codes(data.units)[1] * n_systems + codes(data.systems)[1]
    there = ~np.isnan(hits)
    seen = np.bincount(cells[there], minlength=n_units * n_systems) > 0

    def table(counts: FloatArray) -> FloatArray:
        total = np.bincount(cells[there], weights=counts[there], minlength=n_units * n_systems)
        return np.where(seen, total, np.nan).reshape(n_units, n_systems)

    return Counts(kind=kind, hits=table(hits), misses=table(misses))
