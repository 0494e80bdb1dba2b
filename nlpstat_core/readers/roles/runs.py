"""Runs of a system: from rows that name their run, and from names with a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import RunsKind
from nlpstat_core.errors import ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.coding import means_at
from nlpstat_core.readers.roles.names import normal
from nlpstat_core.scores.runs import Runs

if TYPE_CHECKING:
    from nlpstat_core.readers.roles.pivot import LongData

IN_NAMES = "names"  # run_column=names: what follows "seed", "run" … in the systems' names
# Where fewer of the cells of a system's table units × runs are there, no run is behind its units.
_LEAST_FILLED = 0.5
_TRAINING = re.compile(r"(?:.*_)?(?:seed|fold|init|initiali[sz]ation|restart|random_state)s?(?:_.*)?")
_SAMPLES = re.compile(r"(?:.*_)?(?:epoch|sample|trial|temperature|repeat|attempt|generation)s?(?:_.*)?")
_BEFORE, _AFTER = r"(?:^|(?<=[\W_]))", r"(?=$|[\W_])"
_SEEDED = "random_?seed|seed|init|restart|replicate|replica|rep|repeat|trial"
_MARKED = f"{_SEEDED}|run|fold|sample|epoch|iteration|iter"
_MARKS = {
    marked: re.compile(rf"{_BEFORE}({words})[-_=. ]?(\d+|[a-z]){_AFTER}", re.IGNORECASE)
    for marked, words in ((False, _SEEDED), (True, _MARKED))
}


def proposed_kind(column: str) -> RunsKind | None:
    """What the name of a column of runs suggests: trainings, repeated samples, or nothing.

    >>> proposed_kind("Seed"), proposed_kind("epoch"), proposed_kind("run_idx")
    ('training', 'samples', None)
    """
    name = normal(column)
    if _TRAINING.fullmatch(name):
        return "training"
    return "samples" if _SAMPLES.fullmatch(name) else None


def named_run_columns(choices: Choices, header: Sequence[str]) -> tuple[str, ...]:
    """The columns of runs that were told by keyword; raises ScoreFileError for one that isn't there."""
    given = choices.run_column
    if not given or given == IN_NAMES:
        return ()
    names = (given,) if isinstance(given, str) else given
    for name in names:
        if name not in header:
            raise ScoreFileError(f"{absent('column', name, [name for name in header if name])}.")
    return names


def columns_of_runs(columns: Sequence[str]) -> list[int]:
    """Which of several columns of runs name the run: those of trainings, where there are some.

    A seed whose answers were sampled several times is one run; its samples are averaged.
    """
    trained = [i for i, name in enumerate(columns) if proposed_kind(name) == "training"]
    return trained or list(range(len(columns)))


def runs_of(
    data: LongData, systems: IntArray, units: IntArray, n_systems: int, n_units: int
) -> tuple[Runs | None, tuple[Note, ...]]:
    """The runs behind the cells of long data.

    systems, units: Column and row of every row of the data.
    Returns Runs or None: None where no cell has two runs, or where runs are not behind the same units.
    """
    if data.run_names is None:
        return None, ()
    there = ~np.isnan(data.scores)
    if not there.any():
        return None, ()
    systems, units, scores = systems[there], units[there], data.scores[there]
    named: dict[tuple[int, str], int] = {}
    rows = np.flatnonzero(there).tolist()
    keys = [(system, data.run_names[row]) for system, row in zip(systems.tolist(), rows, strict=True)]
    column_of = np.array([named.setdefault(key, len(named)) for key in keys], dtype=np.int64)
    place = column_of * n_units + units
    cells = np.unique(place)
    pairs = np.unique(systems * n_units + units)
    if cells.size == pairs.size:
        return None, ()
    of_system = np.array([system for system, _ in named], dtype=np.int64)
    n_runs = np.bincount(of_system, minlength=n_systems)
    possible = int((n_runs * np.bincount(pairs // n_units, minlength=n_systems)).sum())
    if cells.size < _LEAST_FILLED * possible:
        text = (
            f"The runs in {shown(data.run_column)} each hold different items, so no run covers "
            "all items of its system; they were averaged, and tests treat these runs as fixed."
        )
        return None, (Note("runs-not-crossed", "caution", text),)
    tables = means_at(place, scores, len(named) * n_units).reshape(len(named), n_units)
    values: list[FloatArray] = []
    names: list[tuple[str, ...]] = []
    every = [name for _, name in named]
    for system in range(n_systems):
        own = np.flatnonzero(of_system == system)
        values.append(tables[own].T if own.size else np.full((n_units, 1), np.nan))
        names.append(tuple(every[i] for i in own) or ("1",))
    column = data.run_column
    runs = Runs(values=tuple(values), names=tuple(names), column=column, proposal=proposed_kind(column))
    return runs, _notes(runs)


def _notes(runs: Runs) -> tuple[Note, ...]:
    if "epoch" not in normal(runs.column):
        return ()
    text = (
        f"{shown(runs.column)} counts repetitions here. If these are epochs of one training, they "
        "are not separate runs: keep only the last epoch of every system."
    )
    return (Note("epochs-as-runs", "caution", text),)


def with_runs_of_names(part: Part, run_column: object) -> Part:
    """Systems whose names differ in a seed as runs of one system: model_seed1 and model_seed2 are of "model".

    run_column: "names" asks for it and knows more words (run, fold, epoch, sample); False forbids it.
    """
    given = run_column == IN_NAMES
    if part.counts is not None or part.runs is not None or (run_column is not None and not given):
        return part
    groups: dict[str, list[tuple[int, str]]] = {}
    marks: dict[str, None] = {}
    for column, name in enumerate(part.systems):
        found = _MARKS[given].search(name)
        stem, run = name, "1"
        if found is not None:
            rest = name[: found.start()].rstrip("-_=. /") + name[found.end() :]
            stem, run = rest.strip("-_=. /") or name, found[2]
            marks.setdefault(found[1].lower(), None)
        groups.setdefault(stem, []).append((column, run))
    several = [own for own in groups.values() if len(own) > 1]
    family = 2 * sum(map(len, several)) >= len(part.systems)  # else the mark is a part of some names
    distinct = all(len({run for _, run in own}) == len(own) for own in several)
    if len(groups) < 2 or not several or not distinct:
        return part
    if not family and not given:
        apart = some_shown([part.systems[column] for own in several for column, _ in own])
        text = (
            f"Names that differ in {shown(next(iter(marks)))} only were kept as separate systems, because "
            f"most names have none: "
            f"{apart}. With the names as the column of runs (names) they are joined."
        )
        return replace(part, notes=(*part.notes, Note("runs-not-joined", "caution", text)))
    tables = tuple(part.values[:, [column for column, _ in own]] for own in groups.values())
    mark = next(iter(marks))
    runs = Runs(
        values=tables,
        names=tuple(tuple(run for _, run in own) for own in groups.values()),
        column=f"{mark} in the names",
        proposal=proposed_kind(mark),
    )
    some = [f"{shown(stem)} ({len(own)})" for stem, own in groups.items()]
    listed = ", ".join(some[:5]) + (" …" if len(some) > 5 else "")
    text = (
        f"Names that differ in {shown(mark)} only were read as runs of one system: {listed}. "
        "Without a column of runs (none) they are separate systems."
    )
    note = Note("runs-from-names", "info", text)
    columns = [[column for column, _ in own] for own in groups.values()]
    return replace(
        part,
        values=runs.means,
        systems=list(groups),
        runs=runs,
        costs={name: means_of(cost, columns) for name, cost in part.costs.items()},
        notes=(*part.notes, note),
    )


def means_of(cells: FloatArray, groups: Sequence[Sequence[int]]) -> FloatArray:
    """Means of the columns of each group, without the cells that aren't there; NaN where none is."""
    there = np.isfinite(cells)
    sums = [np.where(there, cells, 0.0)[:, list(group)].sum(axis=1) for group in groups]
    many = [there[:, list(group)].sum(axis=1) for group in groups]
    total, count = np.stack(sums, axis=1), np.stack(many, axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
