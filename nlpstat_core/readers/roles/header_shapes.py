"""Headers that hold more than a name a column: two rows, systems by metrics, runs or raters side by side."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, takewhile

from nlpstat_core.errors import Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_missing, is_text
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.names import RATERS, RUNS, Kind, is_metric, normal, says
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
    return long_table(body, rest, named, text)


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


def long_table(body: Table, rest: Mapping[int, str], scored: Mapping[int, Pair], text: str) -> Table:
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


HEAD_ROWS = 20
# What metrics are taken of or over, and no system is called.
_NO_SYSTEM = re.compile(
    "(?:.*_)?(?:train|dev|test|val|valid|validation|eval|strict|loose|macro|micro|weighted|human)"
    "|[a-z]{2}_[a-z]{2}"  # a language pair
)
_BESIDE = (
    Kind.NEVER,
    Kind.SUMMARY,
    Kind.SPREAD,
    re.compile("time|seconds"),
)  # what is told of systems beside metrics
_BETWEEN = re.compile(r"\s*[(\[]|[\s_.:/|-]+")


def systems_and_metrics(table: Table, told: Sequence[str] = ()) -> Table:
    """The same table; where the names of its numbers are systems by metrics, a long one with the metrics.

    told: Columns that the user told something of; a table with one of them among its scores stays as it is.
    """

    def is_scored(column: int) -> bool:
        name = table.header[column]
        if not name or says(Kind.ID, name) or says(Kind.LABEL, name):
            return False
        return _holds_numbers([row[0] for row in table.keep([column]).head(HEAD_ROWS)], table.decimal)

    places = range(len(table.header))
    first = next((i for i in places if is_scored(i) and not says(Kind.NEVER, table.header[i])), None)
    if first is None or not any(_pair(table.header[first], metric_first=turned) for turned in (False, True)):
        return table  # which most tables are, and thousands of columns needn't be looked at
    scored = [i for i in places if is_scored(i)]
    if len(scored) < 4 or not {table.header[i] for i in scored}.isdisjoint(told):
        return table
    likely = [i for i in scored if not says(Kind.NEVER, table.header[i])]
    for columns, metric_first in product((scored, likely), (False, True)):
        pairs = (_pair(table.header[i], metric_first=metric_first) for i in columns)
        found = [pair for pair in takewhile(bool, pairs) if pair]  # the first name without one ends it
        if len(found) == len(columns) and _is_grid(found):
            rest = {i: name for i, name in enumerate(table.header) if i not in columns}
            text = "The column names give {systems:,} systems with {metrics:,} metrics each."
            return long_table(table, rest, dict(zip(columns, found, strict=True)), text)
    return table


def _holds_numbers(cells: Sequence[str], decimal: str) -> bool:
    there = [cell for cell in cells if not is_missing(cell)]
    return bool(there) and 2 * sum(is_text(cell, decimal) for cell in there) < len(there)


def _splits(name: str) -> Iterator[tuple[str, str]]:
    for mark in _BETWEEN.finditer(name):
        first, second = name[: mark.start()], name[mark.end() :]
        if first and second:
            yield first, second.rstrip(")]") if mark[0].strip() in ("(", "[") else second


def _pair(name: str, *, metric_first: bool) -> Pair | None:
    """System and metric of a name: as much of it as is a metric, or else the word for a spread or a time."""
    pairs = [(second, first) if metric_first else (first, second) for first, second in _splits(name)]
    metrics = [pair for pair in pairs if is_metric(pair[1])]
    others = [pair for pair in pairs if any(says(kind, pair[1]) for kind in _BESIDE)]
    longest = max(metrics, key=lambda pair: len(pair[1]), default=None)
    return longest or min(others, key=lambda pair: len(pair[1]), default=None)


def _is_grid(pairs: Sequence[Pair]) -> bool:
    """Whether several systems have the same several metrics, one of which is known by more than a letter."""
    systems, metrics = ({pair[i] for pair in pairs} for i in range(2))
    if any(is_metric(name) or says(_NO_SYSTEM, name) for name in systems):
        return False
    known = any(len(name) > 1 and (is_metric(name) or says(Kind.SUMMARY, name)) for name in metrics)
    full = len(set(pairs)) == len(pairs) == len(systems) * len(metrics)
    return known and full and len(systems) > 1 and len(metrics) > 1


SCORE = "score"
FEWEST_RUNS = 3
# TREC calls its systems runs, and counts from 1.
_ONE_RUN = re.compile(rf"(?:(?P<kind>{RUNS}|resample|split|sample)_?)?(?P<number>\d{{1,4}})")
_NUMBERED = re.compile(rf"(?P<kind>{RUNS}|{RATERS})_?(?P<number>\d{{1,3}})(?:_scores?|_ratings?)?")


def numbered_columns(table: Table, told: Sequence[str] = ()) -> Table:
    """The same table; where its scores stand in columns of runs or raters, one with a row for each.

    told: Columns that the user told something of; a table with one of them among its runs stays as it is.
    """
    matches = {i: match for i, one in enumerate(table.header) if (match := _NUMBERED.fullmatch(normal(one)))}
    kinds = {match["kind"] for match in matches.values()}
    others = [name for i, name in enumerate(table.header) if i not in matches]
    is_long = any(says(Kind.SYSTEM, name) for name in others)
    scored = any(is_metric(name) or says(Kind.SCORE, name) for name in others)
    if len(matches) < 2 or len(kinds) > 1 or not is_long or scored or not set(told) <= set(others):
        return table
    (kind,) = kinds
    many = len(table)
    if many * len(matches) * (len(others) + 2) > MOST_CELLS or {kind, SCORE} & set(others):
        return table
    columns = {name: table.texts(table.header.index(name)) * len(matches) for name in others}
    columns[kind] = [match["number"] for match in matches.values() for _ in range(many)]
    columns[SCORE] = [cell for i in matches for cell in table.texts(i)]
    text = f"The columns {some_shown([table.header[i] for i in matches])} hold one {kind} each."
    return table.long(columns, len(matches), Note("numbered-columns", "info", text))


def runs_side_by_side(names: Sequence[str]) -> str | None:
    """What names count, if runs from 0 or 1: "fold" in fold_1, fold_2 …, "" where they are but numbers.

    >>> runs_side_by_side(["0", "1", "2"]), runs_side_by_side(["fold1", "fold2", "fold3"])
    ('', 'fold')
    >>> runs_side_by_side(["301", "302", "303"]), runs_side_by_side(["system1", "system2", "system3"])
    (None, None)
    """
    found = [_ONE_RUN.fullmatch(normal(name)) for name in names]
    kinds = {match["kind"] or "" for match in found if match}
    if len(found) < FEWEST_RUNS or not all(found) or len(kinds) > 1:
        return None
    numbers = sorted(int(match["number"]) for match in found if match)
    first = numbers[0] if numbers[0] < 2 - ("run" in kinds) else -1
    return kinds.pop() if numbers == list(range(first, first + len(found))) else None


def heads_runs(header: Sequence[str]) -> bool:
    """Whether a header that looks like numbers is one of runs: Resamples:, 0, 1, 2 …"""
    first = header[0] if header else ""
    return not any(map(str.isdigit, first)) and runs_side_by_side(header[1:]) is not None
