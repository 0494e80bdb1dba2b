"""Rows that are no rows of scores, or come back: what a refusal says of them, and how they are settled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.readers.open.cells import number
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.runs import named_run_columns
from nlpstat_core.readers.roles.statistics import is_called_statistic

REPEAT = "repeat"
TIME, FIRST_EPOCH = re.compile(r"\d[-/.]\d{1,2}[-/.]\d|\d:\d\d"), 1e8


def about_repeats(columns: Columns, keys: Sequence[int]) -> Sentence:
    """What may be done about rows that repeat a cell: copies, times that tell them apart; empty for others.

    keys: The columns of units, and of systems and runs in a long table.
    """
    known = columns.rows_alike(keys)
    if columns.rows_alike(range(len(columns.header))).max() == known.max():  # in everything
        many = len(known) - len(np.unique(known))
        what = "1 row is a copy" if many == 1 else f"{many:,} rows are copies"
        return Sentence(f"{what} of an earlier one: leave copies out, ", Remedy("repeats", "first"))
    time = _time_column(columns, keys, known)
    if time is None:
        return Sentence()
    return Sentence(
        f"column {shown(columns.header[time])} tells these rows apart and seems to be a time: take the last, "
        "the first or the mean of them",
        *(Remedy("repeats", how, "aside") for how in ("last", "first", "mean")),
    )


def about_constant(columns: Columns, column: int) -> Sentence:
    """Say where a column that was taken for ids is the same in every row but summaries; empty elsewhere."""
    cells, header = columns.texts(column), columns.header
    (usual, _), *rare = Counter(cells).most_common()
    if not header[column] or number(usual) is not None:
        return Sentence()
    sums = [row for row, cell in enumerate(cells) if cell != usual]
    if len(rare) > 3 or not all(is_called_statistic(cell) for cell, _ in rare) or len(cells) < 2 + len(sums):
        return Sentence()
    rows = len(cells) - len(sums)
    texts = [i for i, name in enumerate(header) if name and i != column and columns.is_text(i)]
    unit = next((f"unit={header[i]}," for i in texts if len(set(columns.texts(i))) >= rows), "")
    told = f"{unit}system={header[column]}"
    system = Sentence(f"has {shown(usual)} there, so that is the system, ", Remedy("roles", told))
    if not sums:
        return Sentence("every row ", system)
    where, word = f"{columns.where} {columns.lines[sums[0]]}", cells[sums[0]]
    leave = f"{where} is a row of {shown(word)}: leave it out, "
    return Sentence(leave, Remedy("drop_rows", word), "; every other row ", system)


def settled_repeats(table: Table, keys: Sequence[int], choices: Choices) -> tuple[Table, Choices]:
    """The table with one row a cell: the first, the last, or all as runs, as told; nothing is left to do.

    "First" and "last" go by a column of times, where one tells the rows apart, else by their order.
    """
    columns = Columns(table)
    known = columns.rows_alike(keys)
    time = _time_column(columns, keys, known)
    order = np.arange(len(known))
    if time is not None:
        key = [(number(stamp) or 0.0, stamp) for stamp in columns.texts(time)]
        order = np.array(sorted(range(len(key)), key=key.__getitem__), dtype=int)
    if choices.repeats == "mean":
        counts: Counter[int] = Counter()
        at = [0] * len(known)
        for row in order.tolist():
            counts[int(known[row])] += 1
            at[row] = counts[int(known[row])]
        table = table.with_column(REPEAT, [str(place) for place in at])
        runs = (*named_run_columns(choices, table.header), REPEAT)
        return table, replace(choices, repeats=None, run_column=runs)
    if choices.repeats == "last":
        order = order[::-1]
    kept = order[np.unique(known[order], return_index=True)[1]]
    return table.take(sorted(kept.tolist())), replace(choices, repeats=None)


def without_repeats(reading: Mapping[str, object], choices: Choices) -> dict[str, object]:
    """What was settled without the column of repeats, which the file doesn't have."""
    found = {key: value for key, value in reading.items() if key != "run_column"}
    return found if choices.run_column is None else found | {"run_column": choices.run_column}


def _is_time(cell: str) -> bool:
    """Whether a cell holds a date or a time of day, or seconds since 1970; no duration."""
    value = number(cell)
    return bool(TIME.search(cell)) if value is None else value > FIRST_EPOCH


def _time_column(columns: Columns, keys: Sequence[int], known: np.ndarray) -> int | None:
    """A column of times under which no cell comes back."""
    for place, name in enumerate(columns.header):
        if place in keys or not says(Kind.TIME, name) or not all(map(_is_time, columns.texts(place))):
            continue
        own = codes(columns.texts(place))[1]
        if len(np.unique(known * (int(own.max()) + 1) + own)) == len(own):
            return place
    return None
