"""A table of cells with names for its columns and the place of every row in its file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreError, ScoreFileError
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import Limits, check_size
from nlpstat_core.scores.frames import columns_of

# A column: texts, Arrow's chunked texts (a fifth of the memory), or numbers that need no parsing.
Column = Any


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Cells by column; every cell can be asked for as text.

    header: Names of the columns, made up where the file has none.
    columns: Lists of str, Arrow's chunked strings, or float arrays, all of one length.
    lines: Where each row stands in its file.
    where: What `lines` count: "line", "row", "entry", "column".
    line: Where the header stands.
    delimiter: Sign between the columns; empty where there is none.
    spans_lines: Whether a row may stand on several lines.
    bad_missing: Whether text among scores counts as no score, because the user said so.
    quote_problem: Why quotation marks can't enclose cells here, where some look as if they did.
    notes: What was understood while opening (title lines, comments, encodings).
    reading: What else the file offers, for menus ("sheets").

    >>> table = Table.of(["unit", "A"], [["s1", 0.5], ["s2", None]], lines=[3, 4])
    >>> table.texts("A"), table.lines, len(table)
    (['0.5', ''], [3, 4], 2)
    """

    header: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: Sequence[int]
    where: str = "line"
    line: int = 1
    decimal: str = "."
    delimiter: str = ""
    source: str = ""
    sheet: str = ""
    spans_lines: bool = False
    bad_missing: bool = False
    quote_problem: str = ""
    notes: tuple[Note, ...] = ()
    reading: dict[str, Any] = field(default_factory=dict)
    # Whoever converts columns keeps what came of it here: several guesses look at the same table.
    converted: dict[int, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        header: Iterable[str],
        rows: Iterable[Sequence[Any]],
        lines: Sequence[int] | None = None,
        where: str = "row",
        **more: Any,
    ) -> Table:
        """A table from rows of values (None is an empty cell).

        lines: Where each row stands; counted from 1 when not given.
        """
        names = tuple(header)
        every = list(rows)
        columns = [list(cells) for cells in zip(*every, strict=True)] if every else [[] for _ in names]
        places = range(1, len(every) + 1) if lines is None else lines
        return cls.of_columns(names, columns, places, where, **more)

    @classmethod
    def of_columns(
        cls, header: Iterable[str], columns: Iterable[Any], lines: Sequence[int], where: str, **more: Any
    ) -> Table:
        """A table from columns of values; columns of floats stay numbers."""
        kept = tuple(map(_column, columns))
        return cls(header=tuple(header), columns=kept, lines=lines, where=where, **more)

    def __len__(self) -> int:
        return len(self.lines)

    def texts(self, column: int | str) -> list[str]:
        """The cells of a column, given by position or name, as text without white space around them."""
        place = column if isinstance(column, int) else self.header.index(column)
        return _texts(self.columns[place])

    def head(self, rows: int) -> list[tuple[str, ...]]:
        """The first rows as text."""
        beginning = (_texts(cells[:rows]) for cells in self.columns)
        return list(zip(*beginning, strict=True))

    def with_column(self, name: str, cells: list[str]) -> Table:
        """The table with one more column at its end."""
        return replace(self, header=(*self.header, name), columns=(*self.columns, cells))

    def keep(self, columns: Sequence[int]) -> Table:
        """Some columns as a table."""
        header = tuple(self.header[i] for i in columns)
        return replace(self, header=header, columns=tuple(self.columns[i] for i in columns))

    def without_header(self, header: Sequence[str]) -> Table:
        """The table with its header as its first row, under made-up names."""
        columns = tuple(_prepended(one, cells) for one, cells in zip(self.header, self.columns, strict=True))
        lines = [self.line, *self.lines]
        return replace(self, header=tuple(header), columns=columns, lines=lines)

    def long(self, columns: Mapping[str, list[str]], times: int, note: Note) -> Table:
        """A table of other columns in which every row comes back so many times."""
        header, lines = tuple(columns), [line for _ in range(times) for line in self.lines]
        notes = (*self.notes, note)
        return replace(self, header=header, columns=tuple(columns.values()), lines=lines, notes=notes)

    def take(self, rows: Sequence[int]) -> Table:
        """Some rows as a table."""
        kept = tuple(_taken(cells, rows) for cells in self.columns)
        return replace(self, columns=kept, lines=[self.lines[row] for row in rows])


def _column(cells: Any) -> Column:
    if isinstance(cells, np.ndarray) and cells.dtype == np.float64:
        return cells
    kinds = set(map(type, cells))
    if kinds <= {float, type(None)} and float in kinds:
        return np.array(cells, dtype=np.float64)
    if kinds <= {str}:
        return list(cells)
    return [cell_text(cell) for cell in cells]


def cell_text(value: Any) -> str:
    """A value of JSON, Parquet or a workbook as a cell; numbers keep every digit, true is 1.

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
        if value != value:
            return ""
        # Workbooks know no whole numbers: unit 12 is stored as 12.0.
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _texts(cells: Column) -> list[str]:
    if isinstance(cells, list):
        return [cell.strip() for cell in cells]
    if isinstance(cells, np.ndarray):
        return list(map(cell_text, cells.tolist()))
    import pyarrow.compute as compute

    found: list[str] = compute.utf8_trim_whitespace(cells).to_pylist()
    return found


def _prepended(cell: str, cells: Column) -> Column:
    if isinstance(cells, (list, np.ndarray)):
        return [cell, *_texts(cells)]
    import pyarrow as pa

    return pa.chunked_array([pa.array([cell], pa.string()), *cells.chunks])


def _taken(cells: Column, rows: Sequence[int]) -> Column:
    if isinstance(cells, list):
        return [cells[row] for row in rows]
    if isinstance(cells, np.ndarray):
        kept: FloatArray = cells[list(rows)]
        return kept
    return cells.take(np.asarray(rows, dtype=np.int64))


FRAME = "frame"
NAME = "data frame"  # what it is called in messages


def table_of_frame(frame: Any, limits: Limits) -> Table:
    """The cells of a frame; raises ScoreFileError for what is no table or beyond the bounds."""
    try:
        columns = columns_of(frame)
    except ScoreError as error:
        text = str(error)
        raise ScoreFileError(text[0].lower() + text[1:]) from None
    rows = len(next(iter(columns.values()), ()))
    check_size(rows, len(columns), limits, NAME)
    if not rows:
        raise ScoreFileError("the data frame has no rows; give one with scores.")
    names = [name.strip() for name in columns]
    return Table.of_columns(names, columns.values(), range(1, rows + 1), "row")
