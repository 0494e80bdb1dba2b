"""Delimited text as records: quotes, blank and comment lines; tables of any kind of file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.textlines import COMMENT, Skipped, all_lines, content_lines
from nlpstat_core.scores import first_repeat

WHITESPACE = " "
DELIMITER_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", " ": "whitespace"}
HEAD_RECORDS = 40
MOST_FIELDS = 1_000_000

Record = tuple[int, list[str]]


@dataclass(frozen=True)
class Head:
    """The beginning of a table and how it is written.

    Attributes
    ----------
    delimiter : str
        One character; a blank stands for any run of white space.
    decimal : {".", ","}
    header : tuple of str
        Fields of the first record, without white space around them.
    line : int
        Line of the first record.
    rows : tuple of tuple of str
        The next records (the first one too when the file has no header).
    named : bool
        Whether the first record holds names; else `header` was made up.
    where : str
        What records are counted by in messages ("line", "row").
    """

    delimiter: str
    decimal: str
    header: tuple[str, ...]
    line: int
    rows: tuple[tuple[str, ...], ...]
    named: bool = True
    where: str = "line"


@dataclass(frozen=True)
class Values:
    """The cells below a header where they are values already, not text.

    Attributes
    ----------
    lines : sequence of int
        Where each row stands.
    column : callable
        Position → values of this column; an array where all are numbers.
    """

    lines: Sequence[int]
    column: Callable[[int], Sequence[Any] | FloatArray]


@dataclass(frozen=True)
class Table:
    """A table from any kind of file.

    Attributes
    ----------
    head : Head
    body : callable
        Skipped → the records below the header, from the beginning at each call; all cells are text.
    text : str
        The delimited text itself, where there is one.
    values : Values or None
        The same cells as values, where there are any.
    """

    head: Head
    body: Callable[[Skipped], Iterator[Record]]
    text: str = ""
    values: Values | None = None


def records(
    text: str, delimiter: str, most: int = MOST_FIELDS, skipped: Skipped | None = None
) -> Iterator[Record]:
    """Records of delimited text with the line each begins on; blank and comment lines are left out.

    Parameters
    ----------
    text : str
    delimiter : str
        A blank stands for any run of white space.
    most : int
        Fields that are told apart in a record; the rest stays together in one more field.
    skipped : Skipped, optional
        Counts the comment lines.

    Yields
    ------
    tuple of int and list of str

    Raises
    ------
    ScoreFileError
        Quotes that don't fit, with the line.
    """
    skipped = Skipped() if skipped is None else skipped
    if delimiter == WHITESPACE:
        for number, line in content_lines(text, skipped):
            yield number, line.split(None, most)
    elif '"' not in text:
        for number, line in content_lines(text, skipped):
            yield number, line.split(delimiter, most)
    else:
        yield from _quoted(text, delimiter, most, skipped)


def _quoted(text: str, delimiter: str, most: int, skipped: Skipped) -> Iterator[Record]:
    """Records with the csv module; a line inside a quoted field is never blank and never a comment."""
    first = 0
    between = True

    def feed() -> Iterator[str]:
        nonlocal first, between
        for number, line in enumerate(all_lines(text), 1):
            if between:
                if line.isspace():
                    continue
                if line[0] == COMMENT:
                    skipped.count(number)
                    continue
                first, between = number, False
            if line.count(delimiter) > 2 * most:
                raise ScoreFileError(f"line {number} has far too many columns; check the delimiter.")
            yield line

    reader = csv.reader(feed(), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        for row in reader:
            between = True
            yield first, row
    except csv.Error as error:
        raise ScoreFileError(f"line {first}: {_quote_problem(str(error))}.") from None


def _quote_problem(problem: str) -> str:
    """What the csv module complains about, in our words: it would show signs of the file as they are."""
    if "limit" in problem:
        return f"a cell is longer than {csv.field_size_limit():,} characters; check the quotes"
    if "end of data" in problem:
        return "a quote is opened and never closed; close it, or write a quote inside a cell twice"
    return "a cell goes on after its closing quote; write a quote inside a cell twice"


def text_table(text: str, head: Head) -> Table:
    """Delimited text as a table.

    Parameters
    ----------
    text : str
    head : Head

    Returns
    -------
    Table
    """

    def body(skipped: Skipped) -> Iterator[Record]:
        rows = records(text, head.delimiter, len(head.header), skipped)
        return islice(rows, 1 if head.named else 0, None)

    return Table(head, body, text)


def check_header(head: Head) -> None:
    """Refuse a first record that can't be a header.

    Parameters
    ----------
    head : Head

    Raises
    ------
    ScoreFileError
        The same name twice.
    """
    twice = first_repeat([name for name in head.header if name])
    if twice is not None:
        places = [i + 1 for i, name in enumerate(head.header) if name == twice][:2]
        raise ScoreFileError(
            f"{head.where} {head.line}: columns {places[0]} and {places[1]} are both called {shown(twice)}; "
            "give each its own name."
        )
