"""Long data to a matrix: one row per (system, unit) becomes one column per system."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, Sentence, shown
from nlpstat_core.notes import RATINGS_IN_WORDS, Note
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.coding import agreed_labels, codes, means_at
from nlpstat_core.readers.roles.raters import raters_note, ratings_in_words
from nlpstat_core.readers.roles.runs import runs_of
from nlpstat_core.readers.roles.statistics import is_called_statistic
from nlpstat_core.scores.ratings import Ratings


@dataclass(frozen=True, kw_only=True)
class LongData:
    """Rows of long data, all sequences of length n_rows.

    runs: Repetition each row belongs to, by everything that tells it: seed, run, rater.
    run_names: Run each row belongs to; samples of one training and raters are no runs.
    telling: What may be done about rows that repeat a cell, where something can be told.
    """

    systems: Sequence[str]
    units: Sequence[str]
    scores: FloatArray
    lines: Sequence[int]
    runs: Sequence[str] | None = None
    run_names: Sequence[str] | None = None
    run_column: str = ""
    raters: Sequence[str] | None = None
    rater_column: str = ""
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    where: str = "line"
    telling: Callable[[], Sentence] = Sentence


def pivot(data: LongData, max_cells: int) -> Part:
    """One row per unit, one column per system, as they first appear; several runs are averaged."""
    _check_filled("system", data.systems, data)
    _check_filled("item id", data.units, data)
    systems, system_codes = codes(data.systems)
    units, unit_codes = codes(data.units)
    if len(systems) * len(units) > max_cells:
        raise BoundsExceeded(
            f"{len(units):,} items × {len(systems):,} systems are more than {max_cells:,} cells; "
            "check which columns hold the items and the systems, or ",
            Remedy("max_cells"),
            ".",
        )
    cells = unit_codes * len(systems) + system_codes
    notes = _check_repeats(data, cells)
    values = means_at(cells, data.scores, len(units) * len(systems)).reshape(len(units), len(systems))
    labels, dropped = _labels(data, unit_codes, len(units))
    runs, about_runs = runs_of(data, system_codes, unit_codes, len(systems), len(units))
    return Part(
        values=values,
        systems=systems,
        units=units,
        labels=labels,
        notes=(*notes, *about_runs, *dropped),
        runs=runs,
        ratings=_ratings(data, unit_codes, system_codes, (len(units), len(systems))),
    )


def _ratings(data: LongData, items: IntArray, systems: IntArray, shape: tuple[int, int]) -> Ratings | None:
    """The ratings behind the cells; None without raters, and where a rater rated runs of a system."""
    if data.raters is None or data.run_names is not None:
        return None
    names, raters = codes(data.raters)
    there = ~np.isnan(data.scores)
    if np.unique(raters[there]).size < 2:
        return None
    return Ratings(
        items=items[there],
        systems=systems[there],
        raters=raters[there],
        scores=data.scores[there],
        names=names,
        column=data.rater_column,
        shape=shape,
    )


def first_duplicate(keys: IntArray) -> tuple[int, int] | None:
    """The first row whose key stood before, with the row it stood on.

    >>> first_duplicate(np.array([4, 7, 5, 7, 4]))
    (3, 1)
    """
    order = np.argsort(keys, kind="stable")
    later = order[1:][keys[order][1:] == keys[order][:-1]]
    if not later.size:
        return None
    row = int(later.min())
    return row, int(np.flatnonzero(keys == keys[row])[0])


def _check_filled(what: str, names: Sequence[str], data: LongData) -> None:
    if not all(names):
        row = next(i for i, name in enumerate(names) if not name)
        said = next((name for name in (data.systems[row], data.units[row]) if is_called_statistic(name)), "")
        raise ScoreFileError(
            f"{data.where} {data.lines[row]} has no {what}; ",
            *(
                (f"{shown(said)} sums up the others: leave it out, ", Remedy("drop_rows", said), ".")
                if said
                else ("fill it in or take the row out.",)
            ),
        )


def _check_repeats(data: LongData, cells: IntArray) -> tuple[Note, ...]:
    """Refuse the same cell twice; with runs the same cell of one run twice."""
    twice = first_duplicate(_split(cells, data.runs))
    if twice is not None:
        row, before = twice
        times = int((cells == cells[row]).sum())
        inside, advice = "", "give each (system, item) once, or a column 'run' to average over"
        if times > 2:
            advice = f"{times} rows in all repeat it, so {advice}"
        if data.runs is not None:
            inside, advice = f" in run {shown(data.runs[row])}", "give each (system, item, run) once"
        raise ScoreFileError(
            f"{data.where} {data.lines[row]}: system {shown(data.systems[row])} has item "
            f"{shown(data.units[row])}{inside} on {data.where} {data.lines[before]} already; ",
            data.telling() or advice,
            ".",
        )
    in_runs = _split(cells, data.run_names)
    note = None if data.raters is None else raters_note(data.raters, in_runs, data.scores)
    about_raters = () if note is None else (note,)
    if about_raters and data.run_names is None:
        return about_raters
    if about_raters:  # several ratings of one run are one
        cells = cells[np.unique(in_runs, return_index=True)[1]]
    counts = np.bincount(cells)
    most, least = int(counts.max()), int(counts[counts > 0].min())
    if most == 1:
        return about_raters
    if most == least:
        return (Note("averaged-runs", "info", f"Scores are means over {most:,} runs."), *about_raters)
    text = f"Scores are means over {least:,} to {most:,} runs; not every cell has as many."
    return (Note("averaged-runs", "caution", text), *about_raters)


def _split(cells: IntArray, runs: Sequence[str] | None) -> IntArray:
    """A number for each cell of each run; the cells' own where there are no runs."""
    if runs is None:
        return cells
    names, run_codes = codes(runs)
    return cells * len(names) + run_codes


def _labels(
    data: LongData, unit_codes: IntArray, n_units: int
) -> tuple[dict[str, tuple[str, ...]], tuple[Note, ...]]:
    """Label columns by unit; those that differ within a unit are no labels of units."""
    kept, dropped = agreed_labels([(unit_codes.tolist(), data.labels)], n_units)
    if not dropped:
        return kept, ()
    which = ", ".join(map(shown, dropped[:5]))
    text = f"Left out because they differ between systems for the same item: {which}."
    notes = [Note("labels-left-out", "info", text)]
    if hint := ratings_in_words({name: data.labels[name] for name in dropped}):
        notes.append(Note(RATINGS_IN_WORDS, "info", hint))
    return kept, tuple(notes)
