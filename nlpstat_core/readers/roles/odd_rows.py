"""Rows that are no rows of scores, or come back: what a refusal says of them, and how they are settled."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.readers.open.cells import number
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, is_metric, says
from nlpstat_core.readers.roles.runs import named_run_columns
from nlpstat_core.readers.roles.statistics import is_called_statistic

REPEAT = "repeat"
MOST_SAMPLES = 200
TIME, FIRST_EPOCH = re.compile(r"\d[-/.]\d{1,2}[-/.]\d|\d:\d\d"), 1e8


def about_repeats(columns: Columns, keys: Sequence[int]) -> Sentence:
    """What may be done about rows that repeat a cell: sums, headers, copies, times; empty for others.

    keys: The columns of units, and of systems and runs in a long table.
    """
    for key, name in ((key, columns.header[key]) for key in keys):
        often = Counter(columns.texts(key))
        if word := next(
            (cell for cell, times in often.items() if times > 1 and is_called_statistic(cell)), ""
        ):
            return Sentence(
                f"{shown(word)} seems to sum up the others: leave it out, ", Remedy("drop_rows", word)
            )
        if name and name in often:
            where = f"{columns.where} {columns.lines[columns.texts(key).index(name)]}"
            return Sentence(f"{where} repeats the header: if another table begins there, give each alone")
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


def sample_column(columns: Columns, system: int, units: Sequence[int]) -> tuple[int, ...]:
    """A column that counts the samples of every system and unit; empty where none does.

    Its name may also be that of units ("sample_id"), so every system and unit must have the same few
    numbers, and there must be fewer of them than of units.
    """
    for place, name in enumerate(columns.header):
        if place == system or not says(Kind.SAMPLE, name) or not columns.is_whole(place):
            continue
        names, samples = codes(columns.texts(place))
        if not 1 < len(names) <= MOST_SAMPLES:
            continue
        for unit in units:
            if unit != place and _is_full(columns, (system, unit), samples, len(names)):
                return (place,)
    return ()


def _is_full(columns: Columns, keys: tuple[int, int], samples: IntArray, many: int) -> bool:
    """Whether every system and unit has every sample once, and more units than samples are there."""
    systems, units = (codes(columns.texts(i)) for i in keys)
    pairs = systems[1] * len(units[0]) + units[1]
    n_pairs = len(np.unique(pairs))
    distinct = len(np.unique(pairs * many + samples))
    return len(units[0]) > many and distinct == len(pairs) == n_pairs * many


def telling_columns(columns: Columns, keys: Sequence[int], score: int) -> Sentence:
    """What to say of columns that tell rows apart which repeat a system and unit; empty without any.

    keys: The columns of systems, units, runs.
    """
    known = columns.rows_alike(keys)
    found: list[tuple[int, str]] = []
    for place, name in enumerate(columns.header):
        if not name or place in {*keys, score} or is_metric(name) or says(Kind.CORRECT, name):
            continue
        names, own = codes(columns.texts(place))
        few = 1 < len(names) <= min(MOST_SAMPLES, len(own) // 2)
        if few and len(np.unique(known * len(names) + own)) == len(own):
            found.append((len(names), name))
    if not found:
        return Sentence()
    name = min(found)[1]
    system, unit = (columns.header[key] for key in keys[:2])
    told = (f"run={name}", f"metric={name}", f"system={system}+{name}", f"unit={unit}+{name}")
    return Sentence(
        f"column {shown(name)} tells these rows apart, so say whether it names data sets, runs, metrics, or "
        "a part of the systems or items",
        Remedy("dataset_column", name, "aside"),
        *(Remedy("roles", roles, "aside") for roles in told),
    )
