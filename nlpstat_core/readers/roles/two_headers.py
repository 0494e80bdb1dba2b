"""Headers of two rows, systems above metrics or metrics above systems, as one row per system and unit."""

import re
from collections.abc import Mapping, Sequence

from nlpstat_core.errors import Remedy, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_missing, is_text
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.names import Kind, is_metric, says
from nlpstat_core.scores.matrix import first_repeat

Pair = tuple[str, str]  # system and metric
SYSTEM, ITEM = "system", "item"
MOST_CELLS = 3_000_000
_LEVELS = 2
_MADE_UP = re.compile(r"Unnamed: \d+(?:_level_\d+)?")


def one_header(table: Table) -> Table:
    """The same table; where its header has two rows, a long one with a column for each metric."""
    if not _may_be_two(table):
        return table
    lower = [_name(cell) for cell in table.head(1)[0]]
    body = table.take(range(1, len(table)))
    index = ""
    if len(body) > 1 and sum(map(bool, body.head(1)[0])) == 1 and body.head(1)[0][0]:
        index = body.head(1)[0][0]  # data frames give the names of the rows a line of their own
        body = body.take(range(1, len(body)))
    head = body.head(20)
    scored = [i for i, cell in enumerate(lower) if i and cell and _are_scores(head, i, table.decimal)]
    if len(scored) < 2:
        return table
    above = _filled([_name(name) for name in table.header], scored)
    pairs = [(above[i], lower[i]) for i in scored]
    twice = first_repeat([" / ".join(pair) for pair in pairs])
    if twice is not None:
        raise ScoreFileError(
            f"the header has two rows, and {shown(twice)} appears there twice; give each its own."
        )
    place = _metrics_row(table.header[0], lower[0], [one for one, _ in pairs], [one for _, one in pairs])
    if place is None:
        (first, second), *_ = pairs
        raise ScoreFileError(
            f"the header has two rows ({shown(first)} above {shown(second)}), and neither names metrics; "
            "if the lower row names the systems, ",
            Remedy("header_row", table.lines[0]),
            "; else give one row per system and item.",
        )
    below = table.head(1)[0]
    rest = {i: below[i] or _name(name) for i, name in enumerate(table.header) if i not in scored}
    if index and 0 in rest:
        rest[0] = index
    named = {i: (pair[1 - place], pair[place]) for i, pair in zip(scored, pairs, strict=True)}
    text = "The header has two rows: {systems:,} systems with {metrics:,} metrics each."
    return long_table(table, body, rest, named, text)


def _name(cell: str) -> str:
    return "" if _MADE_UP.fullmatch(cell) else cell


def _may_be_two(table: Table) -> bool:
    """Whether names come back or are left out in the header, and text stands below them."""
    header = [_name(name) for name in table.header]
    names = [name for name in header if name]
    repeats = len(set(names)) < len(names)
    gaps = bool(names) and any(not name for name in header[1:])
    if len(table) < _LEVELS + 1 or len(header) < 3 or not (repeats or gaps):
        return False
    below = table.head(1)[0]
    return sum(bool(cell) and is_text(cell, table.decimal) for cell in below[1:]) >= 2 and all(
        is_missing(cell) or is_text(cell, table.decimal) for cell in below
    )


def _are_scores(head: Sequence[Sequence[str]], column: int, decimal: str) -> bool:
    """Whether numbers stand below a name, in the first rows."""
    cells = [row[column] for row in head if not is_missing(row[column])]
    return bool(cells) and 2 * sum(is_text(cell, decimal) for cell in cells) < len(cells)


def _filled(header: Sequence[str], scored: Sequence[int]) -> list[str]:
    """The upper names with those of merged cells, which stand in the first of them only."""
    filled, last = [], ""
    for i, name in enumerate(header):
        last = name or (last if i in scored else "")
        filled.append(last)
    return filled


def _metrics_row(above: str, below: str, upper: Sequence[str], lower: Sequence[str]) -> int | None:
    """Which of the two rows names metrics: it says so, or its names are known; None where neither does."""
    for place, (own, other) in enumerate(((above, below), (below, above))):
        if says(Kind.METRIC, own) or says(Kind.SYSTEM, other):
            return place
    known = [sum(map(is_metric, set(names))) / len(set(names)) for names in (upper, lower)]
    return None if known[0] == known[1] else int(known[1] > known[0])


def long_table(
    table: Table, body: Table, rest: Mapping[int, str], scored: Mapping[int, Pair], text: str
) -> Table:
    """One row per system and unit.

    body: Its rows without those that belong to the header.
    scored: The system and the metric of each column of scores.
    text: What is said of it, with the numbers of `systems` and `metrics`.
    """
    systems = list(dict.fromkeys(system for system, _ in scored.values()))
    metrics = list(dict.fromkeys(metric for _, metric in scored.values()))
    if len(systems) * len(body) * (len(metrics) + len(rest) + 1) > MOST_CELLS:
        raise ScoreFileError("a table this large needs one row of names; give one column per system.")
    columns: dict[str, list[str]] = {SYSTEM: [system for system in systems for _ in range(len(body))]}
    for place, (i, name) in enumerate(rest.items()):
        own = "" if says(Kind.METRIC, name) or says(Kind.SYSTEM, name) else name
        columns[own or (ITEM if place == 0 else f"column {i + 1}")] = body.texts(i) * len(systems)
    at = {pair: i for i, pair in scored.items()}
    empty = [""] * len(body)
    for metric in metrics:
        cells = [body.texts(at[system, metric]) if (system, metric) in at else empty for system in systems]
        columns[metric] = [cell for part in cells for cell in part]
    said = text.format(systems=len(systems), metrics=len(metrics))
    return body.long(columns, len(systems), Note("header-of-two-rows", "info", said))
