"""Wide tables with a column of runs: the same units come back under every seed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.coding import agreed_labels
from nlpstat_core.readers.roles.header_shapes import SCORE, runs_side_by_side
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.readers.roles.runs import means_of, named_run_columns, proposed_kind
from nlpstat_core.readers.roles.wide import read_wide
from nlpstat_core.scores.runs import Runs


def read_by_run(table: Table, choices: Choices) -> Part | None:
    """The scores of a wide table whose rows are units in runs; None where nothing comes back in another."""
    named = (*named_run_columns(choices, table.header), *choices.named(Role.RUN))
    by_name = choices.run_column is None and not choices.roles
    columns = named or (tuple(name for name in table.header if says(Kind.RUN, name)) if by_name else ())
    if not columns or choices.systems_as_rows:
        return None
    cells = [" ".join(parts) for parts in zip(*(table.texts(name) for name in columns), strict=True)]
    rows: dict[str, list[int]] = {}
    for row, run in enumerate(cells):
        rows.setdefault(run, []).append(row)
    if not 2 <= len(rows) < len(cells):
        return None
    rest = table.keep([i for i, name in enumerate(table.header) if name not in columns])
    roles = {role: names for role, names in (choices.roles or {}).items() if role != Role.RUN} or None
    own = replace(choices, run_column=None, roles=roles)
    try:
        parts = {run: read_wide(rest.take(places), own) for run, places in rows.items()}
    except ScoreFileError:
        if named:
            raise
        return None  # a label that is called like runs
    joined = _joined(parts, " + ".join(columns))
    if joined is None:
        return None
    column: object = columns[0] if len(columns) == 1 else list(columns)
    return replace(joined, reading={**joined.reading, "run_column": column})


def read_side_by_side(table: Table, choices: Choices) -> Part:
    """The scores of one system in a wide table whose columns were told to be its runs."""
    roles = dict(choices.roles or {})
    names = roles.pop(Role.RUN)
    part = read_wide(table, replace(choices, roles={**roles, Role.SYSTEM: names}))
    kind = runs_side_by_side(names) or "columns"
    runs = Runs(
        values=(part.values,), names=(tuple(part.systems),), column=kind, proposal=proposed_kind(kind)
    )
    text = f"The columns {some_shown(names, 3)} were read as {len(names):,} runs of one system."
    notes = (Note("columns-are-runs", "info", text), *part.notes)
    costs = {name: means_of(cost, [range(cost.shape[1])]) for name, cost in part.costs.items()}
    return replace(part, values=runs.means, systems=[SCORE], runs=runs, costs=costs, notes=notes)


def _joined(parts: dict[str, Part], column: str) -> Part | None:
    """One part with runs; None where units have no ids or none comes back."""
    first = next(iter(parts.values()))
    if any(part.units is None or part.counts is not None for part in parts.values()):
        return None
    systems = list(dict.fromkeys(name for part in parts.values() for name in part.systems))
    place: dict[str, int] = {}
    for part in parts.values():
        for unit in part.units or ():
            place.setdefault(unit, len(place))
    if len(place) == sum(len(part.units or ()) for part in parts.values()):
        return None
    tables: list[FloatArray] = []
    names: list[tuple[str, ...]] = []
    for system in systems:
        own: dict[str, FloatArray] = {}
        for run, part in parts.items():
            if system in part.systems:
                scores = np.full(len(place), np.nan)
                found = part.values[:, list(part.systems).index(system)]
                scores[[place[unit] for unit in part.units or ()]] = found
                if not np.isnan(found).all():
                    own[run] = scores
        tables.append(np.stack(list(own.values()), axis=1) if own else np.full((len(place), 1), np.nan))
        names.append(tuple(own) or ("1",))
    runs = Runs(values=tuple(tables), names=tuple(names), column=column, proposal=proposed_kind(column))
    few, many = int(runs.numbers.min()), int(runs.numbers.max())
    counted = f"{many:,} runs" if few == many else f"{few:,} to {many:,} runs"
    note = Note("averaged-runs", "info" if few == many else "caution", f"Scores are means over {counted}.")
    at = ([place[unit] for unit in part.units or ()] for part in parts.values())
    labels, _ = agreed_labels(zip(at, (part.labels for part in parts.values()), strict=True), len(place))
    notes = list(dict.fromkeys(note for part in parts.values() for note in part.notes))
    return replace(
        first,
        values=runs.means,
        systems=systems,
        units=list(place),
        labels={name: own for name, own in labels.items() if name in first.labels},
        runs=runs,
        costs=_joined_costs(parts, systems, place),
        notes=(note, *notes),
    )


def _joined_costs(
    parts: Mapping[str, Part], systems: Sequence[str], place: Mapping[str, int]
) -> dict[str, FloatArray]:
    """Costs of all runs, their mean a system and unit; NaN where no run has one."""
    found = {}
    for name in dict.fromkeys(name for part in parts.values() for name in part.costs):
        every = np.full((len(place), len(systems) * len(parts)), np.nan)
        for run, part in enumerate(parts.values()):
            if name in part.costs:
                rows = [place[unit] for unit in part.units or ()]
                columns = [systems.index(system) * len(parts) + run for system in part.systems]
                every[np.ix_(rows, columns)] = part.costs[name]
        groups = [range(at * len(parts), (at + 1) * len(parts)) for at in range(len(systems))]
        found[name] = means_of(every, groups)
    return found
