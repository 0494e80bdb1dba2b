"""One file of answers as rows of cells, without a guess about what they are.

Files of answers aren't score files: a blank line may be an empty output, a line that begins with # may be
one, too, and commas in running text separate nothing; `separated` takes delimited text apart.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import Limits, beyond
from nlpstat_core.readers.open.source import Source
from nlpstat_core.readers.open.table import cell_text
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.submissions.conll import Sentences, sentences_of
from nlpstat_core.readers.submissions.json_shapes import Levels, answer_texts, reshaped
from nlpstat_core.readers.submissions.markup import segments_of
from nlpstat_core.readers.submissions.separated import (
    delimited,
    is_name,
    signs_of,
    without_remarks,
    without_sign,
)
from nlpstat_core.scores.frames import by_item, is_frame, is_series, of_records

# A cell: text, or the texts of a JSON list (references, tags).
Cell = str | tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Rows of one file.

    header: Names of the columns where the file names them for sure; else the first row may still be one.
    lines: Where each row stands.
    sentences: Tokens with tags or trees, where the file is in CoNLL columns; it has no rows then.
    """

    name: str
    rows: Sequence[Sequence[Cell]]
    lines: Sequence[int]
    header: tuple[str, ...] | None = None
    sentences: Sentences | None = None
    notes: tuple[Note, ...] = ()

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0]) if self.rows else len(self.header or ())

    def column(self, place: int) -> list[Cell]:
        """One column."""
        return [row[place] for row in self.rows]


def cells_of(source: Source) -> Cells:
    """The rows of a file; raises ScoreFileError for what is no text or table, or beyond the bounds."""
    kind = source.kind
    if kind in ("json", "jsonl") and _is_json(source):
        found = _of_json(source)
    elif kind in ("excel", "parquet"):
        table = source.table
        columns = [table.texts(place) for place in range(len(table.header))]
        found = Cells(
            name=source.name,
            rows=list(zip(*columns, strict=True)),
            lines=table.lines,
            header=table.header,
            notes=table.notes,
        )
    else:
        source.check_lines()
        # A sign such as U+2028 inside of a sentence ends no line.
        found = _of_text(source, source.text.replace("\r\n", "\n").replace("\r", "\n"))
    _check_size(found, source.limits)
    return found


def _is_json(source: Source) -> bool:
    """Whether a file that begins like JSON is it; raises ScoreFileError where its name says so, too."""
    try:
        source.json  # noqa: B018
    except BoundsExceeded:
        raise
    except ScoreFileError:
        if source.name.lower().endswith((".json", ".jsonl", ".ndjson")) or source.text.lstrip()[:1] != "[":
            raise
        return False  # "[laughs] Hello." and other text
    return True


def cells_of_frame(frame: Any, name: str, what: str = "output", told: Collection[str | None] = ()) -> Cells:
    """The rows of a data frame or a mapping of columns; or answers by item, or in the order of the items.

    what: What the answers are, where their shape has no names of columns: "gold" or "output".
    told: Names of columns; a mapping of lists is a table where it has one of these or a name that says what
        its column is, else a list of tags or references for each item.
    Raises ScoreFileError: Another shape, columns of unlike length, an id twice.
    """
    columns = _columns(frame, name, what, told)
    rows = list(
        zip(*([_answer(value, name) for value in column] for column in columns.values()), strict=True)
    )
    return Cells(name=name, rows=rows, lines=range(1, len(rows) + 1), header=tuple(columns))


def _columns(frame: Any, name: str, what: str, told: Collection[str | None]) -> dict[str, Sequence[Any]]:
    records = of_records(frame)
    if records is not None:
        return records
    if _is_list(frame):
        return {what: _listed(frame)}
    named = isinstance(frame, Mapping) and any(is_name(str(key)) or key in told for key in frame)
    if named and all(map(_is_list, frame.values())):
        columns = {str(key): _listed(column) for key, column in frame.items()}
        first = next(iter(columns), "")
        for key, column in columns.items():
            if len(column) != len(columns[first]):
                sizes = f"{shown(first)} has {len(columns[first]):,} entries and {shown(key)} {len(column):,}"
                raise ScoreFileError(
                    f"columns of one table need one length: {sizes}; give both the same items."
                )
        return columns
    answers = by_item(frame, counted=False)
    if answers is not None:
        return {"id": list(answers), what: list(answers.values())}
    if is_series(frame):
        return {what: _listed(frame)}  # its index only counts
    if not is_frame(frame):
        raise ScoreFileError(
            f"{shown(name)}: {type(frame).__name__} is neither a file nor a table; give a path, a data "
            f"frame, a "
            'list in the order of gold, or {"item": "answer"}.'
        )
    import narwhals

    known: Any = narwhals.from_native(frame)
    if isinstance(known, narwhals.LazyFrame):
        raise ScoreFileError("the frame is lazy; collect() it first.")
    columns = {str(column): known[column].to_list() for column in known.columns}
    index = narwhals.maybe_get_index(known)
    if index is not None and index.name is not None and str(index.name) not in columns:
        return {str(index.name): list(index), **columns}
    return columns


def is_table(given: Mapping[str, Any], told: Collection[str | None]) -> bool:
    """Whether a mapping is the columns of one table, ids among them, not one system's answers each."""
    return all(map(_is_list, given.values())) and any(
        says(Kind.ID, str(name)) or name in told for name in given
    )


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple) or (isinstance(given, np.ndarray) and given.ndim > 0)


def _listed(column: Any) -> Sequence[Any]:
    values: Sequence[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    return values


def _answer(value: Any, name: str) -> Cell:
    """A cell; what has levels is none."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if _is_list(value) and any(isinstance(one, Mapping) or _is_list(one) for one in value):
        raise ScoreFileError(
            f"{shown(name)}: {shown(value)} has more levels than a list of tags or references; give trees as "
            'ns.Submissions(kind="trees", …), or in a file.'
        )
    missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
    return "" if missing else _cell(value)


def _check_size(found: Cells, limits: Limits) -> None:
    if found.width > limits.max_columns:
        text = f"{found.width:,} columns are more than {limits.max_columns:,}; give fewer or "
        raise BoundsExceeded(text, Remedy("max_columns"), ".")
    _check_cells(found.width * len(found.rows), limits)


def _check_cells(many: int, limits: Limits) -> None:
    if many > limits.max_cells:
        raise beyond(f"there are more than {limits.max_cells:,} cells", Remedy("max_cells"))


def _of_text(source: Source, text: str) -> Cells:
    notes = source._decoded[1]
    segments = segments_of(text)
    if segments is not None:
        lines = range(1, len(segments[1]) + 1)
        return Cells(name=source.name, rows=segments[1], lines=lines, header=segments[0], notes=notes)
    sentences = sentences_of(text, source.name)
    if sentences is not None:
        return Cells(name=source.name, rows=(), lines=sentences.lines, sentences=sentences, notes=notes)
    strings = _strings(source.name, text)
    if strings is not None:
        return Cells(name=source.name, rows=strings, lines=range(1, len(strings) + 1), notes=notes)
    text, named = without_sign(text)
    text, above = without_remarks(text) if not named else (text, 0)
    for sign in signs_of(source.name, text):
        found = delimited(text, sign)
        if found is not None:
            rows, places = found[0], [line + above for line in found[1]]
            header = tuple(cell.strip() for cell in rows[0]) if named else None
            rows, places = (rows[1:], places[1:]) if named else (rows, places)
            return Cells(name=source.name, rows=rows, lines=places, header=header, notes=notes)
    listed = text.split("\n")  # no table: remarks above a header are left out of tables alone
    if listed[-1] == "":
        listed.pop()  # the end of the last line, not another one
    numbers = range(1, len(listed) + 1)
    return Cells(name=source.name, rows=[(line,) for line in listed], lines=numbers, notes=notes)


def _strings(name: str, text: str) -> list[tuple[str]] | None:
    """Lines that are a text of JSON each, in a file that is called JSON; None for others."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not name.lower().endswith((".json", ".jsonl", ".ndjson")) or not all(
        line[0] == line[-1] == '"' for line in lines
    ):
        return None
    try:
        return [(str(json.loads(line)),) for line in lines]
    except ValueError:
        return None


def _cell(value: Any) -> Cell:
    """A value of JSON or of a frame."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)) and not any(isinstance(one, (dict, list)) for one in value):
        return tuple(map(cell_text, value))
    if isinstance(value, (dict, list)):
        answers = answer_texts(value)
        return Levels(cell_text(value)) if answers is None else tuple(answers or [""])
    return cell_text(value)


def _of_json(source: Source) -> Cells:
    data = reshaped(source.json)
    if isinstance(data, Mapping) and data and not any(isinstance(value, Mapping) for value in data.values()):
        rows = [(str(key), _cell(value)) for key, value in data.items()]
        return Cells(name=source.name, rows=rows, lines=range(1, len(rows) + 1), header=("id", "output"))
    if not isinstance(data, list) or not data:
        text = 'the JSON holds no list of answers; give a list of records, or {"item": "answer"}.'
        raise ScoreFileError(text)
    if not any(isinstance(record, Mapping) for record in data):
        return Cells(
            name=source.name, rows=[(_cell(value),) for value in data], lines=range(1, len(data) + 1)
        )
    for place, record in enumerate(data, 1):
        if not isinstance(record, Mapping):
            raise ScoreFileError(f"entry {place} of the JSON list is not a record; give a list of records.")
    header = tuple(dict.fromkeys(name for record in data for name in record))
    _check_cells(len(header) * len(data), source.limits)
    records = [tuple(_cell(record.get(name)) for name in header) for record in data]
    lines = source.json_lines if source.kind == "jsonl" else range(1, len(data) + 1)
    return Cells(name=source.name, rows=records, lines=lines, header=header)
