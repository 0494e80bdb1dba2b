"""Scores from several files as one matrix: systems side by side, joined on unit ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import Remedy, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.filenames import stem, system_names
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.coding import agreed_labels
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.matrix import first_repeat
from nlpstat_core.scores.ratings import Ratings
from nlpstat_core.scores.runs import Runs


@dataclass(frozen=True)
class Named:
    """What one of several files holds; `path` is its name with its folders."""

    name: str
    path: str
    part: Part

    @property
    def is_named_by_file(self) -> bool:
        """Whether its only system has no name of its own."""
        system = self.part.systems[0]
        return system == stem(self.path) or says(Kind.SCORE, system)


def join(files: Sequence[Named]) -> Part:
    """One matrix from several files; raises ScoreFileError for files that contradict each other."""
    if len(files) == 1:
        return files[0].part
    files = _named(files)
    _check_systems(files)
    metric = _common_metric(files)
    units, rows = _units(files)
    n_units = len(units) if units is not None else len(files[0].part.values)
    values = [_spread(file.part.values, at, n_units) for file, at in zip(files, rows, strict=True)]
    labels, dropped = _labels(files, rows, n_units)
    ratings, lost = _joined_ratings(files, rows, n_units)
    return Part(
        values=np.concatenate(values, axis=1),
        systems=[system for file in files for system in file.part.systems],
        units=units,
        labels=labels,
        metric=metric,
        notes=(*_notes(files), *_unmatched(files, units), *dropped, *lost),
        counts=_joined_counts(files, rows, n_units),
        runs=_joined_runs(files, rows, n_units),
        costs=_joined_costs(files, rows, n_units),
        ratings=ratings,
    )


def _joined_counts(files: Sequence[Named], rows: Sequence[Sequence[int]], n_units: int) -> Counts | None:
    """The counts of all files side by side, where every file has counts of the same kind."""
    tables = [file.part.counts for file in files]
    counts = [table for table in tables if table is not None]
    if len(counts) < len(tables) or len({table.kind for table in counts}) > 1:
        return None
    hits = [_spread(table.hits, at, n_units) for table, at in zip(counts, rows, strict=True)]
    misses = [_spread(table.misses, at, n_units) for table, at in zip(counts, rows, strict=True)]
    return Counts(
        kind=counts[0].kind, hits=np.concatenate(hits, axis=1), misses=np.concatenate(misses, axis=1)
    )


def _joined_runs(files: Sequence[Named], rows: Sequence[Sequence[int]], n_units: int) -> Runs | None:
    """The runs of all files side by side; systems of a file without runs have one each."""
    if not any(file.part.runs is not None for file in files):
        return None
    values: list[FloatArray] = []
    names: list[tuple[str, ...]] = []
    for file, at in zip(files, rows, strict=True):
        own = file.part.runs
        tables = file.part.values.T[:, :, None] if own is None else own.values
        values += [_spread(table, at, n_units) for table in tables]
        names += [("1",)] * len(tables) if own is None else own.names
    first = next(file.part.runs for file in files if file.part.runs is not None)
    return replace(first, values=tuple(values), names=tuple(names))


def _joined_costs(
    files: Sequence[Named], rows: Sequence[Sequence[int]], n_units: int
) -> dict[str, FloatArray]:
    """The costs of all files side by side; NaN where a file has none of a name."""
    found = {}
    for name in dict.fromkeys(name for file in files for name in file.part.costs):
        parts = [
            _spread(file.part.costs.get(name, np.full(file.part.values.shape, np.nan)), at, n_units)
            for file, at in zip(files, rows, strict=True)
        ]
        found[name] = np.concatenate(parts, axis=1)
    return found


def _joined_ratings(
    files: Sequence[Named], rows: Sequence[Sequence[int]], n_units: int
) -> tuple[Ratings | None, list[Note]]:
    """The ratings of all files, raters of one name being one; a note where one file has none by rater."""
    given = [file.part.ratings for file in files]
    there = [one for one in given if one is not None]
    if not there:
        return None, []
    columns = {one.column for one in there}
    if len(there) < len(given) or len(columns) > 1:
        odd = next((file.name for file in files if file.part.ratings is None), files[-1].name)
        text = (
            f"Ratings by rater aren't kept: {shown(odd)} has none by two raters or more named in "
            f"{shown(there[0].column)}, so a judge's errors can't hold for other raters."
        )
        return None, [Note("ratings-dropped", "info", text)]
    names = tuple(dict.fromkeys(name for one in there for name in one.names))
    first = np.cumsum([0, *(one.shape[1] for one in there)])
    of_file = list(zip(there, rows, first, strict=False))
    joined = Ratings(
        items=np.concatenate([np.array(at, dtype=np.int64)[one.items] for one, at, _ in of_file]),
        systems=np.concatenate([one.systems + start for one, _, start in of_file]),
        raters=np.concatenate(
            [np.array([names.index(name) for name in one.names])[one.raters] for one in there]
        ),
        scores=np.concatenate([one.scores for one in there]),
        names=names,
        column=there[0].column,
        shape=(n_units, int(first[-1])),
    )
    return joined, []


def _named(files: Sequence[Named]) -> Sequence[Named]:
    """Files of one system get its name from their own where no column tells it, or the same in each."""
    if any(len(file.part.systems) != 1 for file in files):
        return files
    columns = [file.part.systems[0] for file in files]
    same = first_repeat(columns) is not None
    metric = columns[0] if len(set(columns)) == 1 and not files[0].is_named_by_file else None
    renamed = []
    for file, name in zip(files, system_names([file.path for file in files]), strict=True):
        part = replace(file.part, metric=file.part.metric or metric)
        part = replace(part, systems=[name]) if same or file.is_named_by_file else part
        renamed.append(replace(file, part=part))
    return renamed


def _check_systems(files: Sequence[Named]) -> None:
    seen: dict[str, str] = {}
    for file in files:
        for system in file.part.systems:
            if system in seen:
                raise ScoreFileError(
                    f"system {shown(system)} is in {shown(seen[system])} and in {shown(file.name)}; "
                    "give every system one file, or every file its own systems; "
                    "where every file is a data set, choose one with dataset."
                )
            seen[system] = file.name


def _common_metric(files: Sequence[Named]) -> str | None:
    metrics = {file.part.metric: file.name for file in files if file.part.metric is not None}
    if len(metrics) > 1:
        (first, one), (second, other), *_ = metrics.items()
        raise ScoreFileError(
            f"{shown(one)} holds {shown(first)} and {shown(other)} {shown(second)}; choose one with metric."
        )
    return next(iter(metrics), None)


def _units(files: Sequence[Named]) -> tuple[tuple[str, ...] | None, list[list[int]]]:
    """All unit ids in order of appearance, and the row of each file's units among them."""
    with_ids = [file for file in files if file.part.units is not None]
    if not with_ids:
        first = files[0]
        for file in files:
            if len(file.part.values) != len(first.part.values):
                raise ScoreFileError(
                    f"{shown(first.name)} has {len(first.part.values):,} scores and {shown(file.name)} "
                    f"{len(file.part.values):,}; give all files the same lines, or item ids."
                )
        return None, [list(range(len(first.part.values)))] * len(files)
    if len(with_ids) < len(files):
        without = next(file for file in files if file.part.units is None)
        raise ScoreFileError(
            f"{shown(with_ids[0].name)} has item ids and {shown(without.name)} has none; give all files ids."
        )
    places: dict[str, int] = {}
    rows = [[places.setdefault(unit, len(places)) for unit in file.part.units or ()] for file in files]
    return tuple(places), rows


def _spread(values: FloatArray, rows: Sequence[int], n_units: int) -> FloatArray:
    spread = np.full((n_units, values.shape[1]), np.nan)
    spread[list(rows)] = values
    return spread


def _labels(
    files: Sequence[Named], rows: Sequence[Sequence[int]], n_units: int
) -> tuple[Mapping[str, Sequence[str]], tuple[Note, ...]]:
    """Labels of all files; where two files contradict each other the label is left out."""
    kept, wrong = agreed_labels(zip(rows, (file.part.labels for file in files), strict=True), n_units)
    for name in wrong:
        _check_texts(files, name)
    if not wrong:
        return kept, ()
    which = ", ".join(map(shown, wrong[:5]))
    return kept, (Note("labels-left-out", "info", f"Left out because the files differ there: {which}."),)


def _check_texts(files: Sequence[Named], name: str) -> None:
    """Refuse files that have other texts or hashes under the same ids: they are of different tasks."""
    own = [dict(zip(file.part.units or (), file.part.labels.get(name, ()), strict=False)) for file in files]
    texts = [text for text in own[0].values() if text]
    told = says(Kind.TEXT, name) and texts and 2 * len(set(texts)) > len(texts)  # not what systems answered
    for file, other in zip(files, own, strict=True):
        shared = [unit for unit in own[0] if unit in other]
        if told and 2 * sum(own[0][unit] != other[unit] for unit in shared) > len(shared):
            both = f"{shown(files[0].name)} and {shown(file.name)}"
            where = f"(column {shown(name)}, item {shown(shared[0])})"
            raise ScoreFileError(
                f"{both} have different texts under the same ids {where}, so they belong to different "
                "tasks; give one task at a time, or choose a file",
                Remedy("dataset", form="aside"),
                ".",
            )


def _notes(files: Sequence[Named]) -> tuple[Note, ...]:
    """Notes of the files, each with its file's name unless all files say the same."""
    every = [set(file.part.notes) for file in files]
    common = set.intersection(*every)
    found = [note for note in files[0].part.notes if note in common]
    for file in files:
        for note in file.part.notes:
            if note not in common:
                found.append(replace(note, text=f"{shown(file.name)}: {note.text}"))
    return tuple(found)


def _unmatched(files: Sequence[Named], units: Sequence[str] | None) -> tuple[Note, ...]:
    """Say how many units are not in every file."""
    if units is None:
        return ()
    have = [set(file.part.units or ()) for file in files]
    common = set.intersection(*have)
    if len(common) == len(units):
        return ()
    unit = next(unit for unit in units if unit not in common)
    file = next(file for file, ids in zip(files, have, strict=True) if unit not in ids)
    text = (
        f"{len(units) - len(common):,} of {len(units):,} items aren't in every file "
        f"(the first, {shown(unit)}, isn't in {shown(file.name)})."
    )
    severity: Literal["caution", "problem"] = "caution" if common else "problem"
    return (Note("ids-differ", severity, text),)


FEW = 5  # times as many units as such a table has are in the files of scores
FEWEST_FILES = 2


def sums_beside(files: Sequence[Named], by_tool: bool) -> list[int]:
    """Which of several files hold a few units of their own, while all others share theirs.

    by_tool: Whether the first files are those of a tool, which need no second file to be known as scores.
    Returns: Positions; nothing where the others aren't of one kind.

    >>> from nlpstat_core.readers.part import Part
    >>> import numpy as np
    >>> def of(name, units):
    ...     return Named(name, name, Part(values=np.zeros((len(units), 1)), systems=[name], units=units))
    >>> items = [f"u{i}" for i in range(9)]
    >>> sums_beside([of("A", items), of("B", items), of("board", ["all"])], by_tool=False)
    [2]
    """
    units = [set(file.part.units or ()) for file in files]
    most = max(map(len, units), default=0)
    small = [i for i, own in enumerate(units) if FEW * len(own) < most and (own or by_tool)]
    large = [own for i, own in enumerate(units) if i not in small]
    if not large or len(large) < (1 if by_tool else FEWEST_FILES) or not set.intersection(*large):
        return []
    known = set.union(*large)
    return [i for i in small if not units[i] & known]
