"""Delimited text as records: delimiter, decimal mark, header, blank and comment lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.cells import DECIMAL_COMMA, DECIMAL_POINT, is_missing
from nlpstat_core.scores import first_repeat

DELIMITERS = ("\t", ";", ",")
WHITESPACE = " "
DELIMITER_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", " ": "whitespace"}
HEAD_RECORDS = 40
HEAD_SIGNS = 1_000_000
MOST_FIELDS = 1_000_000

Record = tuple[int, list[str]]


@dataclass
class Skipped:
    """Lines that hold no record, counted while reading.

    Attributes
    ----------
    comments : list of int
        Line numbers of comment lines.
    """

    comments: list[int] = field(default_factory=list)


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
class Table:
    """A table from any kind of file.

    Attributes
    ----------
    head : Head
    body : callable
        Skipped → the records below the header, from the beginning at each call; all cells are text.
    text : str
        The delimited text itself, where there is one.
    """

    head: Head
    body: Callable[[Skipped], Iterator[Record]]
    text: str = ""


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
        Collects the comment lines.

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
        for number, line in _content(text, skipped):
            yield number, line.split(None, most)
    elif '"' not in text:
        for number, line in _content(text, skipped):
            yield number, line.rstrip("\r\n").split(delimiter, most)
    else:
        yield from _quoted(text, delimiter, most, skipped)


def lines_of(text: str) -> Iterator[str]:
    """Lines with their ends; only \\n, \\r\\n and \\r end a line, not the further signs of `splitlines`.

    Parameters
    ----------
    text : str

    Yields
    ------
    str

    Examples
    --------
    >>> list(lines_of("a\\r\\nb\\x0bc\\rd"))
    ['a\\r\\n', 'b\\x0bc\\r', 'd']
    """
    if text.count("\r") > text.count("\r\n"):
        yield from io.StringIO(text, newline="")
        return
    start = 0  # StringIO would copy the text with four bytes a sign
    while (end := text.find("\n", start) + 1) > 0:
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def _content(text: str, skipped: Skipped) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines_of(text), start=1):
        if line.startswith("#"):
            skipped.comments.append(number)
        elif not line.isspace():
            yield number, line


def _quoted(text: str, delimiter: str, most: int, skipped: Skipped) -> Iterator[Record]:
    """Records with the csv module; a line inside a quoted field is never blank and never a comment."""
    state = {"between": True, "first": 0}

    def lines() -> Iterator[str]:
        for number, line in enumerate(lines_of(text), start=1):
            if state["between"]:
                if line.startswith("#"):
                    skipped.comments.append(number)
                    continue
                if line.isspace():
                    continue
                state["first"] = number
                state["between"] = False
            if line.count(delimiter) > 2 * most:
                raise ScoreFileError(f"line {number} has far too many columns; check the delimiter.")
            yield line

    reader = csv.reader(lines(), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        for row in reader:
            state["between"] = True
            yield int(state["first"]), row
    except csv.Error as error:
        raise ScoreFileError(f"line {state['first']}: {_quote_problem(str(error))}.") from None


def _quote_problem(problem: str) -> str:
    """What the csv module complains about, in our words: it would show signs of the file as they are."""
    if "limit" in problem:
        return f"a cell is longer than {csv.field_size_limit():,} characters; check the quotes"
    if "end of data" in problem:
        return "a quote is opened and never closed; close it, or write a quote inside a cell twice"
    return "a cell goes on after its closing quote; write a quote inside a cell twice"


def find_head(text: str, max_columns: int, delimiter: str | None = None) -> Head | None:
    """How a text is written as a table, from its first records.

    Parameters
    ----------
    text : str
    max_columns : int
        More columns are refused before anything is parsed.
    delimiter : str, optional
        Given by the user instead of guessed.

    Returns
    -------
    Head or None
        None when no delimiter gives two columns.

    Raises
    ------
    ScoreFileError
        Too many columns, or quotes that don't fit.
    """
    beginning = text[: text.find("\n", HEAD_SIGNS) + 1]
    if beginning:
        try:
            return _head_of(beginning, max_columns, delimiter)
        except ScoreFileError:
            return _head_of(text, max_columns, delimiter)  # the cut may be to blame
    return _head_of(text, max_columns, delimiter)


def _head_of(text: str, max_columns: int, delimiter: str | None) -> Head | None:
    start = next(_content(text, Skipped()), None)
    if start is None:
        raise ScoreFileError("there is nothing but blank and comment lines; give a file with scores.")
    chosen = delimiter or _guess_delimiter(text, start[1], max_columns)
    if chosen is None:
        return None
    (line, header), *rows = islice(records(text, chosen, max_columns), HEAD_RECORDS)
    if len(header) > max_columns:
        raise ScoreFileError(
            f"line {line} has more than {max_columns:,} columns; give a long table or raise max_columns."
        )
    body = tuple(tuple(cell.strip() for cell in row) for _, row in rows)
    decimal = "." if chosen == "," else _guess_decimal(body)
    return Head(chosen, decimal, tuple(name.strip() for name in header), line, body)


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


def _guess_delimiter(text: str, first: str, max_columns: int) -> str | None:
    """The delimiter under which most of the first records have as many fields as the header."""
    cells = first.split(None, max_columns)
    if len(cells) > 1 and all(DECIMAL_COMMA.fullmatch(cell) or is_missing(cell) for cell in cells):
        return WHITESPACE  # 0,5 0,25
    best: tuple[float, int] = (0.0, 0)
    chosen = None
    for candidate in (*DELIMITERS, WHITESPACE):
        if candidate not in first.strip() and not (candidate == WHITESPACE and "\t" in first):
            continue
        if candidate == WHITESPACE and best[0] == 1.0:
            continue  # blanks inside names of a table that fits already
        try:
            found = islice(records(text, candidate, max_columns), HEAD_RECORDS)
            widths = [len(row) for _, row in found]
        except ScoreFileError:
            widths = [first.count(candidate) + 1]  # the reading itself tells what is wrong
        fitting = sum(width == widths[0] for width in widths) / len(widths)
        if widths[0] > 1 and (fitting, widths[0]) > best:
            best, chosen = (fitting, widths[0]), candidate
    return chosen


def _guess_decimal(rows: tuple[tuple[str, ...], ...]) -> str:
    commas = sum(bool(DECIMAL_COMMA.fullmatch(cell)) for row in rows for cell in row)
    points = sum(bool(DECIMAL_POINT.fullmatch(cell)) for row in rows for cell in row)
    return "," if commas > points else "."


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
