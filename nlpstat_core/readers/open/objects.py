"""JSON and JSON lines: parsed strictly, and as a table where they hold records or systems with scores."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from nlpstat_core.errors import Remedy, ScoreFileError, shown, some_shown
from nlpstat_core.readers.open.cells import is_text
from nlpstat_core.readers.open.dialect import text_lines
from nlpstat_core.readers.open.limits import beyond
from nlpstat_core.readers.open.table import Table

NESTED = (dict, list)
KEY = "key"  # column of what lists of records are called
ADVICE = 'give a list of records or {"system": {"item": score}}'
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def json_kind(text: str) -> str | None:
    """Whether a text is "json" or "jsonl", None where it is neither.

    >>> json_kind('{"a": 1}'), json_kind('{"a": 1}\\n{"a": 2}'), json_kind("[1, 2]"), json_kind("[x")
    ('json', 'jsonl', 'json', None)
    """
    start, end = text[:1000].lstrip(), text[-1000:].rstrip()
    if start.startswith("{"):
        lines = (line.strip() for line in text_lines(text) if not line.isspace())
        first, second = next(lines, ""), next(lines, "")
        if first.endswith("}") and second.startswith("{"):
            return "jsonl"
        return "json" if start[1:].lstrip()[:1] in ('"', "}") or not start[1:].strip() else None
    if start[:1] == "[" and (start[1:].lstrip()[:1] in ("{", "[", "]") or end[-1:] == "]"):
        return "json"
    return None


def check_records(text: str, most: int) -> None:
    """Refuse a JSON text of more objects and lists than fit into memory, before it is parsed."""
    if text.count("{") + text.count("[") > most:
        outside = _STRING.sub("", text)  # brackets inside of texts, such as code, are no lists
        if outside.count("{") + outside.count("[") > most:
            raise beyond(f"the JSON holds more than {most:,} objects and lists", Remedy("max_rows"))


def parse_json(text: str, first_line: int = 1) -> Any:
    """A JSON value; raises ScoreFileError for no JSON, a name twice in an object, nesting without end."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise ScoreFileError(
            f"line {line}, column {error.colno}: this is not valid JSON ({error.msg}); export the scores "
            f"again."
        ) from None
    except RecursionError:
        raise ScoreFileError(
            f"line {first_line}: the JSON is nested too deeply; give a list of records."
        ) from None
    except ScoreFileError as error:
        where = f"line {first_line}: " if first_line > 1 else ""
        raise ScoreFileError(where, error.sentence) from None
    except ValueError:
        raise ScoreFileError(
            f"line {first_line}: the JSON holds a number with thousands of digits; correct it."
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ: Python would keep the last of two in silence."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ScoreFileError(f"the name {shown(name)} appears twice in one JSON object; use it once.")
            seen.add(name)
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def parse_lines(text: str, most: int) -> tuple[list[int], list[dict[str, Any]]]:
    """The records of JSON lines and the line of each; raises ScoreFileError for a line that is none."""
    check_records(text, most)
    lines, records = [], []
    for number, line in enumerate(text_lines(text), 1):
        if line.isspace():
            continue
        record = parse_json(line.strip(), number)
        if not isinstance(record, dict):
            raise ScoreFileError(f"line {number} is not a JSON record; give one {{...}} per line.")
        lines.append(number)
        records.append(record)
    return lines, records


def table_of_json(data: Any) -> Table:
    """A table from a list of records, or from systems with their scores; ScoreFileError for other shapes."""
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        if isinstance(data.get("columns"), list) and isinstance(data.get("data"), list):
            return _split(data)
        if len(lists) == 1 and lists[0] and all(isinstance(record, dict) for record in lists[0]):
            data = lists[0]
    if isinstance(data, list):
        for number, record in enumerate(data, start=1):
            if not isinstance(record, dict):
                raise ScoreFileError(f"entry {number} of the JSON list is not a record; {ADVICE}.")
        return table_of_records(data, range(1, len(data) + 1), "record")
    if isinstance(data, dict) and data:
        if len(data) > 1 and all(map(_is_list_of_records, data.values())):
            records = [{KEY: key, **record} for key, value in data.items() for record in value]
            return table_of_records(records, range(1, len(records) + 1), "record")
        if all(isinstance(value, dict) for value in data.values()):
            return _by_row(data) if _are_records(list(data.values())) else _by_unit(data)
        listed = {name: value for name, value in data.items() if isinstance(value, list)}
        if listed and not any(isinstance(value, dict) for value in data.values()):
            return _by_order(listed)  # what else is told of the whole file stands beside them
        if len(data) > 1 and not any(isinstance(value, NESTED) for value in data.values()):
            return _by_name(data)
    raise ScoreFileError(f"the JSON holds no scores in a known shape; {ADVICE}.")


def _is_list_of_records(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(record, dict) and KEY not in record for record in value)


def table_of_records(records: Sequence[Mapping[str, Any]], lines: Sequence[int], where: str) -> Table:
    """Records with names as a table; names whose values are lists or objects are left out."""
    plain: dict[str, bool] = {}
    for record in records:
        for name, value in record.items():
            plain[name] = plain.get(name, True) and not isinstance(value, NESTED)
    names = [name for name, good in plain.items() if good]
    values = (record.get(name) for record in records for name in names)
    numbers = any(
        isinstance(one, (int, float)) or (isinstance(one, str) and not is_text(one)) for one in values
    )
    if len(names) < len(plain) and not numbers:
        nested = some_shown([name for name, good in plain.items() if not good])
        raise ScoreFileError(f"the only numbers are in the lists or objects {nested}; {ADVICE}.")
    columns = [[record.get(name) for record in records] for name in names]
    line = lines[0] if len(lines) else 1
    return Table.of_columns([name.strip() for name in names], columns, lines, where, line=line)


def _are_records(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether objects are rows, no scores of a system: the same names, with words and with numbers."""
    names = set(rows[0])
    if len(rows) < 2 or any(set(row) != names for row in rows):
        return False
    words = {name for name in names if all(isinstance(row[name], str) and is_text(row[name]) for row in rows)}
    return bool(words) and any(isinstance(row[name], (int, float)) for row in rows for name in names - words)


def _by_row(data: Mapping[str, Mapping[str, Any]]) -> Table:
    """{row: {column: cell}}, as data frames write with orient "index"."""
    records = [{"": name, **row} for name, row in data.items()]
    return table_of_records(records, range(1, len(records) + 1), "entry")


def _by_unit(data: Mapping[str, Mapping[str, Any]]) -> Table:
    """{system: {unit: score}}, also what data frames write column by column."""
    units = dict.fromkeys(unit for scores in data.values() for unit in scores)
    for system, scores in data.items():
        for unit, score in scores.items():
            if isinstance(score, NESTED):
                held = f" (it holds {some_shown([*score], 3)})" if isinstance(score, dict) else ""
                what = f"a list or object is not a score{held}"
                raise ScoreFileError(f"{shown(system)}, {shown(unit)}: {what}; {ADVICE}.")
    columns = [list(units), *([scores.get(unit) for unit in units] for scores in data.values())]
    return Table.of_columns(["", *map(str.strip, data)], columns, range(1, len(units) + 1), "entry")


def _by_name(data: Mapping[str, Any]) -> Table:
    """{unit: score} of one system."""
    units = list(data)
    return Table.of_columns(
        ["unit", "score"], [units, list(data.values())], range(1, len(units) + 1), "entry"
    )


def _by_order(data: Mapping[str, list[Any]]) -> Table:
    """{system: [scores]}: the first score of each belongs to one unit."""
    first, *others = data
    for name, values in data.items():
        if any(isinstance(value, NESTED) for value in values):
            raise ScoreFileError(f"{shown(name)} holds lists or objects, which are not scores; {ADVICE}.")
    for other in others:
        if len(data[other]) != len(data[first]):
            raise ScoreFileError(
                f"{shown(first)} has {len(data[first]):,} scores and {shown(other)} {len(data[other]):,}; "
                'give lists of one length or {"system": {"item": score}}.'
            )
    lines = range(1, len(data[first]) + 1)
    return Table.of_columns(map(str.strip, data), data.values(), lines, "entry")


def _split(data: Mapping[str, Any]) -> Table:
    """Columns, index and rows apart, as data frames write with orient "split"."""
    index, rows = data.get("index"), data["data"]
    width = len(data["columns"])
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != width:
            raise ScoreFileError(f"entry {number} of 'data' does not fit the {width} columns.")
    names = [str(name).strip() for name in data["columns"]]
    if not isinstance(index, list) or len(index) != len(rows):
        return Table.of(names, rows, where="entry")
    return Table.of(["", *names], [[at, *row] for at, row in zip(index, rows, strict=True)], where="entry")
