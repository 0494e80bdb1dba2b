"""Values of JSON, workbooks and Parquet as cells of a table."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.table import HEAD_RECORDS, Head, Record, Table, Values
from nlpstat_core.readers.textlines import Skipped

NESTED = (dict, list)
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def cell_text(value: object) -> str:
    """A value as a cell of text; numbers keep every digit, true is 1, nothing is an empty cell.

    Parameters
    ----------
    value : object

    Returns
    -------
    str

    Examples
    --------
    >>> [cell_text(value) for value in (None, True, 3, 3.0, 0.1, float("nan"), "x")]
    ['', '1', '3', '3', '0.1', '', 'x']
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        # Workbooks know no whole numbers: unit 12 is stored as 12.0.
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def check_records(text: str, most: int) -> None:
    """Refuse a JSON text of more objects and lists than fit into memory, before it is parsed.

    Parameters
    ----------
    text : str
    most : int

    Raises
    ------
    ScoreFileError
    """
    if text.count("{") + text.count("[") > most:
        outside = _STRING.sub("", text)  # brackets inside of texts, such as code, are no lists
        many = outside.count("{") + outside.count("[")
        if many > most:
            raise ScoreFileError(
                f"the JSON holds more than {most:,} objects and lists; split the file or raise max_rows."
            )


def parse_json(text: str, first_line: int = 1) -> Any:
    """A JSON value.

    Parameters
    ----------
    text : str
    first_line : int
        Line of the file the text begins on.

    Returns
    -------
    object

    Raises
    ------
    ScoreFileError
        No JSON, a name twice in one object, lists inside lists without end.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise ScoreFileError(
            f"line {line}, column {error.colno}: this is no JSON ({error.msg}); export the scores again."
        ) from None
    except RecursionError:
        raise ScoreFileError(
            f"line {first_line}: the JSON is nested too deeply; give a list of records."
        ) from None
    except ScoreFileError as error:
        where = f"line {first_line}: " if first_line > 1 else ""
        raise ScoreFileError(f"{where}{error}") from None
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
                raise ScoreFileError(f"the name {shown(name)} stands twice in one JSON object; use it once.")
            seen.add(name)
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def table_of_rows(header: Sequence[str], rows: Sequence[Sequence[object]], where: str, first: int) -> Table:
    """Rows of values as a table.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequences
    where : str
        What rows are counted by in messages.
    first : int
        Number of the first row.

    Returns
    -------
    Table
    """

    def body(skipped: Skipped) -> Iterator[Record]:
        for number, row in enumerate(rows, start=first):
            yield number, [cell_text(value) for value in row]

    lines = range(first, first + len(rows))
    values = Values(lines, lambda column: [row[column] for row in rows])
    return table_of(header, body, where, max(1, first - 1), values)


def table_of(header: Sequence[str], body: Any, where: str, line: int, values: Values | None = None) -> Table:
    """A table from records that are made on demand.

    Parameters
    ----------
    header : sequence of str
    body : callable
        Skipped → records.
    where : str
    line : int
        Where the header stands.
    values : Values, optional
        The same cells as values.

    Returns
    -------
    Table
    """
    names = tuple(str(name).strip() for name in header)
    first = tuple(
        tuple(cell.strip() for cell in row) for _, row in zip(range(HEAD_RECORDS), _cells(body), strict=False)
    )
    return Table(Head("", ".", names, line, first, where=where), body, values=values)


def _cells(body: Any) -> Iterator[list[str]]:
    for _, row in body(Skipped()):
        yield row


def table_of_records(records: Sequence[tuple[int, Mapping[str, Any]]], where: str) -> Table:
    """Records with names as a table; names whose values are lists or objects are left out.

    Parameters
    ----------
    records : sequence of (int, mapping)
        The line of each and its values.
    where : str

    Returns
    -------
    Table
    """
    plain: dict[str, bool] = {}
    for _, record in records:
        for name, value in record.items():
            plain[name] = plain.get(name, True) and not isinstance(value, NESTED)
    names = [name for name, good in plain.items() if good]

    def body(skipped: Skipped) -> Iterator[Record]:
        for line, record in records:
            yield line, [cell_text(record.get(name)) for name in names]

    values = Values(
        [line for line, _ in records], lambda column: [record.get(names[column]) for _, record in records]
    )
    return table_of(names, body, where, records[0][0] if records else 1, values)
