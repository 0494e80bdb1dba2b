"""JSON: a list of records, or an object of systems with their scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.objects import NESTED, check_records, parse_json, table_of_records, table_of_rows
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.table import Head, Table
from nlpstat_core.readers.tables import read_table

EXAMPLE = """{"System A": {"s1": 0.31, "s2": 0.44}, "System B": {"s1": 0.27, "s2": 0.35}}
"""
ADVICE = 'give a list of records or {"system": {"unit": score}}'


def matches(probe: Probe) -> str | None:
    """A text that begins as a JSON list or object.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    start, end = probe.text[:1000].lstrip(), probe.text[-1000:].rstrip()
    if start[:1] == "{" and start[1:].lstrip()[:1] in ('"', "}"):
        return "a JSON object"
    if start[:1] == "[" and (start[1:].lstrip()[:1] in ("{", "[", "]") or end[-1:] == "]"):
        return "a JSON list"
    return None


def read(probe: Probe) -> Part:
    """Read JSON.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Part

    Raises
    ------
    ScoreFileError
    """
    return read_table(_table(probe), probe.choices)


def _table(probe: Probe) -> Table:
    check_records(probe.text, probe.choices.limits.max_rows)
    data = parse_json(probe.text)
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        if isinstance(data.get("columns"), list) and isinstance(data.get("data"), list):
            return _split(data)
        if len(lists) == 1 and lists[0] and all(isinstance(record, dict) for record in lists[0]):
            data = lists[0]
    if isinstance(data, list):
        for number, record in enumerate(data, start=1):
            if not isinstance(record, dict):
                raise ScoreFileError(f"entry {number} of the JSON list is no record; {ADVICE}.")
        return table_of_records(list(enumerate(data, start=1)), "record")
    if isinstance(data, dict) and data:
        if all(isinstance(value, dict) for value in data.values()):
            return _by_unit(data)
        if all(isinstance(value, list) for value in data.values()):
            return _by_order(data)
    raise ScoreFileError(f"the JSON holds no scores in a known shape; {ADVICE}.")


def _by_unit(data: Mapping[str, Mapping[str, Any]]) -> Table:
    """{system: {unit: score}}, also what data frames write column by column."""
    units = dict.fromkeys(unit for scores in data.values() for unit in scores)
    for system, scores in data.items():
        for unit, score in scores.items():
            if isinstance(score, NESTED):
                raise ScoreFileError(
                    f"{shown(system)}, {shown(unit)}: a list or object is no score; {ADVICE}."
                )
    rows = [[unit, *(scores.get(unit) for scores in data.values())] for unit in units]
    return table_of_rows(["", *data], rows, "entry", 1)


def _by_order(data: Mapping[str, list[Any]]) -> Table:
    """{system: [scores]}: the first score of each belongs to one unit."""
    first, *others = data
    for other in others:
        if len(data[other]) != len(data[first]):
            raise ScoreFileError(
                f"{shown(first)} has {len(data[first]):,} scores and {shown(other)} {len(data[other]):,}; "
                'give lists of one length or {"system": {"unit": score}}.'
            )
    return table_of_rows(list(data), list(zip(*data.values(), strict=True)), "entry", 1)


def _split(data: Mapping[str, Any]) -> Table:
    """Columns, index and rows apart, as data frames write with orient "split"."""
    index, rows = data.get("index"), data["data"]
    width = len(data["columns"])
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != width:
            raise ScoreFileError(f"entry {number} of 'data' does not fit the {width} columns.")
    names = [str(name) for name in data["columns"]]
    if not isinstance(index, list) or len(index) != len(rows):
        return table_of_rows(names, rows, "entry", 1)
    return table_of_rows(["", *names], [[at, *row] for at, row in zip(index, rows, strict=True)], "entry", 1)


def head(probe: Probe) -> Head:
    """The first rows for a preview.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    Head
    """
    return _table(probe).head


JSON = Reader(
    key="json",
    label="JSON: records, or systems with their scores",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=head,
)
