"""Columns whose names hold a system and a metric ("A_BLEU", "ter.B", "C (chrF)"): one row for each."""

import re
from collections.abc import Iterator, Sequence
from itertools import product, takewhile

from nlpstat_core.readers.open.cells import is_missing, is_text
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.names import Kind, is_metric, says
from nlpstat_core.readers.roles.two_headers import Pair, long_table

HEAD_ROWS = 20
# What metrics are taken of or over, and no system is called.
_KIND = re.compile(
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
            return long_table(table, table, rest, dict(zip(columns, found, strict=True)), text)
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
    if any(is_metric(name) or says(_KIND, name) for name in systems):
        return False
    known = any(len(name) > 1 and (is_metric(name) or says(Kind.SUMMARY, name)) for name in metrics)
    full = len(set(pairs)) == len(pairs) == len(systems) * len(metrics)
    return known and full and len(systems) > 1 and len(metrics) > 1
