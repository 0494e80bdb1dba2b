"""How a text is written as a table: delimiter, decimal mark, first records."""

from __future__ import annotations

from itertools import islice

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.cells import DECIMAL_COMMA, DECIMAL_POINT, is_missing
from nlpstat_core.readers.table import HEAD_RECORDS, WHITESPACE, Head, records
from nlpstat_core.readers.textlines import Skipped, content_lines

DELIMITERS = ("\t", ";", ",")
HEAD_SIGNS = 1_000_000


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
    start = next(content_lines(text, Skipped()), None)
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
