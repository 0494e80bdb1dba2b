"""Long tables: one row per system and unit, one or several columns of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import Remedy, Sentence, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices, given_lists
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.costs import costs_note, long_costs
from nlpstat_core.readers.roles.layout import LongLayout, find_long_layout, long_roles, needed_system, settled
from nlpstat_core.readers.roles.metrics import choose_metric, metric_name
from nlpstat_core.readers.roles.names import Kind, is_metric, says
from nlpstat_core.readers.roles.odd_rows import (
    about_repeats,
    settled_repeats,
    telling_columns,
    without_repeats,
)
from nlpstat_core.readers.roles.pivot import LongData, pivot
from nlpstat_core.readers.roles.record import Role, RolesNeeded
from nlpstat_core.readers.roles.runs import columns_of_runs
from nlpstat_core.readers.roles.units import joined, joined_note
from nlpstat_core.readers.roles.wide import check_header


def read_long(table: Table, choices: Choices, system: int | None = None, metric: str | None = None) -> Part:
    """The scores in a long table; raises ScoreFileError for everything that makes it ambiguous.

    system: The column that names the systems, where it was found by content.
    metric: The metric to read where none was chosen.
    """
    check_header(table)
    by_name = needed_system(table.header, choices) if system is None else system
    columns = Columns(table)
    layout = find_long_layout(columns, by_name, choices)
    keys = [layout.system, *layout.unit, *layout.runs]
    if choices.repeats not in (None, "refuse"):
        names = [layout.metric_names] if layout.metric_names is not None else []
        part = read_long(*settled_repeats(table, [*keys, *layout.raters, *names], choices), system, metric)
        return replace(part, reading=without_repeats(part.reading, choices))
    chosen = _chosen_metric(columns, layout, choices.metric or metric)
    data = long_data(columns, layout, columns.values([chosen.column])[:, 0], chosen.rows)
    data = replace(
        data, telling=lambda: about_repeats(columns, keys) or telling_columns(columns, keys, chosen.column)
    )
    pivoted = pivot(data, choices.limits.max_cells)
    costs = long_costs(
        (joined(columns, layout.unit), columns.texts(layout.system)),
        (pivoted.units or (), pivoted.systems),
        chosen.costs,
    )
    _check_shared(data, columns, layout, choices)
    return replace(
        pivoted,
        metric=chosen.name,
        reading={**settled(columns, layout), **given_lists(columns=columns.header, metrics=chosen.names)},
        costs=costs,
        notes=(
            *_guessed(columns, system, layout),
            *joined_note(columns.header, layout.unit),
            *chosen.notes,
            *costs_note(costs),
            *pivoted.notes,
            *columns.sign_notes([chosen.column]),
            *table.notes,
        ),
    )


def _guessed(columns: Columns, system: int | None, layout: LongLayout) -> tuple[Note, ...]:
    """Say which column was found to name systems; a problem where no name says what names what."""
    if system is None:
        return ()
    name, ids = columns.header[system], [columns.header[i] for i in layout.unit]
    text = (
        f"Column {shown(name)} was taken as the names of the systems, because the same items appear "
        "under each."
    )
    by_name = says(Kind.MORE_SYSTEM, name) or says(Kind.ACTOR, name)
    one_score = sum(not is_metric(columns.header[i]) for i in layout.scores) < 2
    told = by_name or (one_score and any(says(Kind.ID, one) or says(Kind.MORE_UNIT, one) for one in ids))
    return (Note("system-column-guessed", "caution" if told else "problem", text),)


def _check_shared(data: LongData, columns: Columns, layout: LongLayout, choices: Choices) -> None:
    """Ask where every system has units of its own: nothing could be paired, so the column may be wrong."""
    if choices.id_column is not None or choices.named(Role.UNIT) or data.runs is not None:
        return
    owner: dict[str, str] = {}
    for unit, system in zip(data.units, data.systems, strict=True):
        if not unit or owner.setdefault(unit, system) != system:
            return
    if len(set(data.systems)) < 2 or len(owner) < 4:
        return
    header = columns.header
    used = {layout.system, *layout.unit, *layout.scores}
    others = [one for i, one in enumerate(header) if one and i not in used and not says(Kind.NEVER, one)]
    some = some_shown(others)
    names = " with ".join(shown(header[i]) for i in layout.unit)
    hint = f"name the column of test items (candidates: {some})" if others else "give shared ids"
    right = Remedy("roles", f"unit={header[layout.unit[0]]}", "aside", "if that is right")
    raise RolesNeeded(
        Sentence(
            f"no item is shared by two systems: the ids in {names} differ in every system; {hint}", right, "."
        ),
        header,
        columns.table.head(8),
        long_roles(columns.header, layout),
    )


@dataclass(frozen=True)
class _Metric:
    """The scores to read: column, name, rows (None for all), what to tell about the others, all names."""

    column: int
    name: str | None
    rows: Sequence[int] | None
    notes: tuple[Note, ...]
    names: Sequence[str]
    costs: Mapping[str, FloatArray]


def _chosen_metric(columns: Columns, layout: LongLayout, wanted: str | None) -> _Metric:
    if layout.metric_names is None:
        names = [columns.header[i] for i in layout.scores]
        place, notes = choose_metric(names, wanted)
        costs = {columns.header[i]: columns.values([i])[:, 0] for i in layout.costs}
        return _Metric(layout.scores[place], metric_name(names, place, wanted), None, notes, names, costs)
    cells = columns.texts(layout.metric_names)
    every = list(dict.fromkeys(cells))
    of_cost = [name for name in every if says(Kind.COST, name) and name != wanted]
    names = [name for name in every if name not in of_cost] or every
    place, notes = choose_metric(names, wanted)
    rows = [i for i, cell in enumerate(cells) if cell == names[place]]
    scored = next((i for i in layout.scores if says(Kind.SCORE, columns.header[i])), layout.scores[0])
    values = columns.parsed(scored).values
    told = np.array(cells, dtype=object)
    costs = {name: np.where(told == name, values, np.nan) for name in of_cost if name not in names}
    return _Metric(scored, names[place], rows, notes, names, costs)


def long_data(
    columns: Columns, layout: LongLayout, scores: FloatArray, rows: Sequence[int] | None = None
) -> LongData:
    """The rows of one metric."""
    chosen = range(len(columns.table)) if rows is None else rows

    def of(cells: Sequence[str]) -> list[str]:
        return list(cells) if rows is None else [cells[i] for i in chosen]

    runs = [of(columns.texts(i)) for i in layout.runs]
    raters = _as_one([of(columns.texts(i)) for i in layout.raters])
    names = [columns.header[i] for i in layout.runs]
    naming = columns_of_runs(names)
    return LongData(
        systems=of(columns.texts(layout.system)),
        units=of(joined(columns, layout.unit)),
        scores=scores if rows is None else scores[list(chosen)],
        lines=columns.lines if rows is None else [columns.lines[i] for i in chosen],
        runs=_as_one([*runs, *([] if raters is None else [raters])]),
        run_names=_as_one([runs[i] for i in naming]),
        run_column=" + ".join(names[i] for i in naming),
        raters=raters,
        rater_column=" + ".join(columns.header[i] for i in layout.raters),
        labels={name: of(cells) for name, cells in columns.labels(layout.labels).items()},
        where=columns.where,
    )


def _as_one(columns: Sequence[Sequence[str]]) -> list[str] | None:
    """Several columns that name something together as one; None without any."""
    return [" ".join(parts) for parts in zip(*columns, strict=True)] if columns else None
