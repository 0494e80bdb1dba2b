"""The lines of a text with their numbers, block by block; blank lines and comments are passed over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nlpstat_core.errors import ScoreFileError

COMMENT = "#"
MOST_COMMENTS = 100_000
_FIRST_BLOCK, _BLOCK = 4_096, 1_000_000  # characters; the beginning of a file is looked at often


@dataclass
class Skipped:
    """Lines that hold no record, counted while reading.

    Attributes
    ----------
    comments : int
        How many lines are comments.
    first_comment : int
        Line of the first.
    """

    comments: int = 0
    first_comment: int = 0

    def count(self, line: int) -> None:
        """One more comment.

        Parameters
        ----------
        line : int

        Raises
        ------
        ScoreFileError
            More comments than a table has.
        """
        self.comments += 1
        self.first_comment = self.first_comment or line
        if self.comments > MOST_COMMENTS:
            raise ScoreFileError(
                f"line {line}: more than {MOST_COMMENTS:,} lines begin with {COMMENT}; take them out."
            )


def check_lines(text: str, most: int) -> None:
    """Refuse a table of more lines than are read, before anything of it is looked at.

    Parameters
    ----------
    text : str
    most : int

    Raises
    ------
    ScoreFileError
    """
    many = max(text.count("\n"), text.count("\r"))
    if many > most:
        raise too_many("lines", many, most)


def too_many(what: str, many: int, most: int) -> ScoreFileError:
    """The complaint about a table with too many rows.

    Parameters
    ----------
    what : str
        What rows are here, in the plural.
    many, most : int

    Returns
    -------
    ScoreFileError
    """
    return ScoreFileError(f"{many:,} {what} are more than {most:,}; split the file or raise max_rows.")


def all_lines(text: str) -> Iterator[str]:
    """All lines with their ends; only \\n, \\r\\n and \\r end a line, not the further signs of `splitlines`.

    Parameters
    ----------
    text : str

    Yields
    ------
    str

    Examples
    --------
    >>> list(all_lines("a\\r\\n \\nb\\x0bc"))
    ['a\\r\\n', ' \\n', 'b\\x0bc']
    """
    for block in _blocks(text):
        lines = block.split("\n")
        last = lines.pop()
        for line in lines:
            yield line + "\n"
        if last:
            yield last


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Lines that aren't blank, without their ends, with their numbers.

    Parameters
    ----------
    text : str

    Yields
    ------
    tuple of int and str

    Examples
    --------
    >>> list(lines_of("a\\r\\n \\nb\\x0bc\\n#d"))
    [(1, 'a'), (3, 'b\\x0bc'), (4, '#d')]
    """
    number = 0
    for block in _blocks(text):
        if block.isspace():
            number += block.count("\n")
            continue
        for line in block.removesuffix("\n").split("\n"):
            number += 1
            if line and not line.isspace():
                yield number, line.rstrip("\r")


def content_lines(text: str, skipped: Skipped) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments, with their numbers.

    Parameters
    ----------
    text : str
    skipped : Skipped
        Counts the comment lines.

    Yields
    ------
    tuple of int and str
    """
    for number, line in lines_of(text):
        if line[0] == COMMENT:
            skipped.count(number)
        else:
            yield number, line


def _blocks(text: str) -> Iterator[str]:
    """The text in pieces of whole lines; lists of all lines at once would take much memory."""
    if text.count("\r") > text.count("\r\n"):  # an old kind of line end
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    start, size = 0, _FIRST_BLOCK
    while start < len(text):
        end = text.find("\n", start + size) + 1 or len(text)
        yield text[start:end]
        start, size = end, min(2 * size, _BLOCK)
