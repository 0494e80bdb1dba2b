"""JSON lines: one record a line (eval-arena and others)."""

from __future__ import annotations

from typing import Any

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.objects import check_records, parse_json, table_of_records
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.record import Probe, Reader
from nlpstat_core.readers.tables import read_table
from nlpstat_core.readers.textlines import lines_of

EXAMPLE = """{"model": "System A", "example_id": "s1", "pass1": 0.31}
{"model": "System A", "example_id": "s2", "pass1": 0.44}
{"model": "System B", "example_id": "s1", "pass1": 0.27}
{"model": "System B", "example_id": "s2", "pass1": 0.35}
"""


def matches(probe: Probe) -> str | None:
    """Lines that are JSON objects, two at least.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    str or None
    """
    if not probe.text[:1000].lstrip().startswith("{"):
        return None
    lines = (line.strip() for _, line in lines_of(probe.text))
    first, second = next(lines, ""), next(lines, "")
    return "one JSON record a line" if first.endswith("}") and second.startswith("{") else None


def json_lines(text: str, most: int) -> list[tuple[int, dict[str, Any]]]:
    """Records with their lines.

    Parameters
    ----------
    text : str
    most : int
        Objects and lists that may be in it.

    Returns
    -------
    list of (int, dict)

    Raises
    ------
    ScoreFileError
        A line that is no JSON object, or too many objects.
    """
    check_records(text, most)
    found = []
    for number, line in lines_of(text):
        record = parse_json(line, number)
        if not isinstance(record, dict):
            raise ScoreFileError(f"line {number} is no JSON record; give one {{...}} a line.")
        found.append((number, record))
    return found


def read(probe: Probe) -> Part:
    """Read JSON lines.

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
    return read_table(
        table_of_records(json_lines(probe.text, probe.choices.limits.max_rows), "line"), probe.choices
    )


JSONL = Reader(
    key="jsonl",
    label="JSON lines, one record a line (eval-arena)",
    example=EXAMPLE,
    matches=matches,
    read=read,
    table=lambda probe: table_of_records(json_lines(probe.text, probe.choices.limits.max_rows), "line").head,
)
