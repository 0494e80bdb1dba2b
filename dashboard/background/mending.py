"""The second look at a refused file, in a reading process: what can be seen of it, and what would mend it.

Every offer is tried here, within the bounds of any reading; only what reads well is offered: without a row
that sums up the others, and with every system that another offer reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.background.looks import File, Look, Offers, Repair, drop_rows
from dashboard.background.roles import IGNORED, can_choose, choices_for, guessed_words
from nlpstat_core.errors import NlpstatError, Sentence, shown

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop

MOST_BUTTONS = 8
HEAD_ROWS, MOST_COLUMNS, LONGEST_CELL = 4, 12, 40
REPEATS = {
    "first": "Keep the first of rows that repeat",
    "last": "Keep the last of rows that repeat",
    "mean": "Average rows that repeat",
}
# What a repaired file may not have: a row that sums up the others, a column of scores that is left out.
NOT_WELL = ("summary-row", "columns-left-out", "label-column-guessed", "id-column-guessed")
UNLIKE = 50.0  # times by which the middles of systems don't differ
NO_NUMBERS = "no numbers where scores are expected"
LOOKED_AT = 2_000  # rows in which a refused summary of the others is looked for
# A title of several lines above the header is looked for in files that are read in a moment.
LAST_HEADER, MOST_TRIED = 8, 1_000_000
# After so long, or so many in vain, no further offer is tried.
SECONDS, MOST_TRIES = 15.0, 12


@dataclass(frozen=True)
class Tried:
    """The systems a repair leads to, and whether their scores are alike."""

    systems: frozenset[str]
    alike: bool


Finder = Callable[[Look, Sentence, Mapping[str, object]], list[Repair]]


def other_sheets(seen: Look, problem: Sentence, choices: Mapping[str, object]) -> list[Repair]:
    """Every other sheet of a workbook."""
    if len(seen.sheets) < 2:
        return []
    kept = {key: value for key, value in choices.items() if key != "roles"}
    now = sheet_of(seen, choices)
    return [Repair(sheet, {**kept, "sheet": sheet}) for sheet in seen.sheets if sheet != now]


def as_told(seen: Look, problem: Sentence, choices: Mapping[str, object]) -> list[Repair]:
    """What the refusal says itself: which rows to leave out, and which of several rows counts."""
    found = []
    for remedy in problem.remedies:
        if remedy.keyword == "drop_rows" and remedy.value is not None:
            found.append(drop_rows((str(remedy.value),), choices))
        elif remedy.keyword == "repeats" and remedy.value in REPEATS:
            found.append(Repair(REPEATS[str(remedy.value)], {**choices, "repeats": remedy.value}))
        elif remedy.keyword == "dataset_column" and remedy.value is not None:
            label = f"Read {remedy.value} as data sets"
            found.append(Repair(label, {**choices, "dataset_column": remedy.value}))
    return found


def leave_column_out(seen: Look, problem: Sentence, choices: Mapping[str, object]) -> list[Repair]:
    """Reading on without the column of the bad cell."""
    label = problem.remedy("label_columns")
    if label is None or not can_choose(seen) or label.value not in seen.header:
        return []
    words = guessed_words(seen)
    words[seen.header.index(label.value)] = IGNORED
    return [Repair(f"Leave column {label.value} out", choices_for(seen, words, choices))]


def bad_cells_missing(seen: Look, problem: Sentence, choices: Mapping[str, object]) -> list[Repair]:
    """Reading on with every cell that is no number as a missing score."""
    bad = problem.remedy("bad_cells")
    if bad is None or choices.get("bad_cells") == "missing" or problem.remedy("drop_rows"):
        return []
    label = f"Treat {shown(bad.cell)} and cells like it as missing"
    return [Repair(label, {**choices, "bad_cells": "missing"})]


def leave_summary_out(seen: Look, problem: Sentence, choices: Mapping[str, object]) -> list[Repair]:
    """Reading on without all rows that sum up the others, where the bad cell stands in one of them."""
    from nlpstat_core.readers import is_summary

    bad = problem.remedy("bad_cells")
    rows = [row for row in seen.rows if row and is_summary(row[0])]
    if bad is None or not any(bad.cell in row for row in rows):
        return []
    return [drop_rows(tuple(dict.fromkeys(row[0] for row in rows)), choices)]


def later_headers(file: File, problem: Sentence, choices: Mapping[str, object]) -> Iterator[Repair]:
    """Reading from a later line on."""
    if "header_row" not in choices and not problem.remedy("bad_cells") and len(file[0]) <= MOST_TRIED:
        for line in range(2, LAST_HEADER + 1):
            yield Repair(f"The header is line {line}", {**choices, "header_row": line})


# What a reader allows is offered: a new keyword of `read_scores` is one more function here, from what was
# seen of the file, what was wrong with it and the keywords it was read with.
FINDERS: tuple[Finder, ...] = (
    *(other_sheets, leave_summary_out, as_told, bad_cells_missing, leave_column_out),
)


def sheet_of(seen: Look, choices: Mapping[str, object]) -> str:
    """The sheet that was read."""
    return str(choices.get("sheet") or seen.sheets[0])


def offers(
    file: File,
    choices: Mapping[str, object],
    bounds: Mapping[str, int],
    problem: Sentence,
    progress: Progress,
    should_stop: ShouldStop,
) -> Offers:
    """What can be seen of a refused file, and every repair with which it can be read.

    bounds: Further keywords: bounds of what is read.
    """
    from dashboard.background.readings import look
    from nlpstat_core.readers.open.memory import memory_at_most

    with memory_at_most():
        seen = look(file, {**bounds, **choices}, LOOKED_AT)
        found = _that_read(file, choices, bounds, problem, seen)
    sheets = [repair.label for repair in found if "sheet" in repair.choices]
    if NO_NUMBERS in problem and seen.sheets and sheets:
        text = f"Sheet '{sheet_of(seen, choices)}' holds no numbers. Choose: {', '.join(sheets)}"
        problem = Sentence(text)
    head = (seen.header, *seen.rows[:HEAD_ROWS]) if seen.rows else ()
    return Offers(
        problem=problem,
        repairs=found,
        head=tuple(tuple(cell[:LONGEST_CELL] for cell in row[:MOST_COLUMNS]) for row in head),
    )


def _that_read(
    file: File, choices: Mapping[str, object], bounds: Mapping[str, int], problem: Sentence, seen: Look
) -> tuple[Repair, ...]:
    """The repairs with which a file can be read; of later headers the first."""
    end = time.monotonic() + SECONDS
    read: dict[str, tuple[Repair, Tried]] = {}
    for repair in [repair for find in FINDERS for repair in find(seen, problem, choices)][:MOST_TRIES]:
        if len(read) < MOST_BUTTONS and repair.label not in read and time.monotonic() < end:
            tried = _tried(file, repair, bounds)
            read |= {repair.label: (repair, tried)} if tried else {}
    found = _with_every_system(list(read.values()))
    if len(found) < MOST_BUTTONS:
        for repair in later_headers(file, problem, choices):
            if time.monotonic() < end and _tried(file, repair, bounds):
                return (*found, repair)
    return found


def _with_every_system(read: Sequence[tuple[Repair, Tried]]) -> tuple[Repair, ...]:
    """The repairs that lose no system that another one reads; other sheets have systems of their own."""
    same = [tried.systems for repair, tried in read if "sheet" not in repair.choices and tried.alike]
    return tuple(
        repair
        for repair, tried in read
        if "sheet" in repair.choices or not any(tried.systems < systems for systems in same)
    )


def _tried(file: File, repair: Repair, bounds: Mapping[str, int]) -> Tried | None:
    """What a repair makes of a file; None where it reads badly or not at all."""
    import numpy as np

    from nlpstat_core.readers import read_board

    try:
        scores = read_board(file, **bounds, **repair.choices)
    except NlpstatError:
        return None
    if any(note.severity == "problem" and note.code in NOT_WELL for note in scores.notes):
        return None
    middle = np.nanmedian(np.abs(scores.values[:, scores.present.any(axis=0)]), axis=0)
    return Tried(frozenset(scores.systems), bool(middle.max() <= UNLIKE * middle.min()))
