"""The lines of a text with their numbers; runs of blank lines and comments are passed over quickly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nlpstat_core.errors import ScoreFileError

COMMENT = "#"
MOST_COMMENTS = 100_000
_SOMETHING = re.compile(r"\S")
_BLANK_LINES = re.compile(r"\s*\n")  # through the last line end of a run of white space


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


class Lines:
    """A place in a text that moves on line by line.

    Only \\n, \\r\\n and \\r end a line, not the further signs of `splitlines`.

    Attributes
    ----------
    number : int
        Of the line that is next.
    """

    def __init__(self, text: str, skipped: Skipped) -> None:
        if text.count("\r") > text.count("\r\n"):  # an old kind of line end
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._text, self._start, self._skipped = text, 0, skipped
        self.number = 1

    @property
    def is_there(self) -> bool:
        """Whether there is another line."""
        return self._start < len(self._text)

    def skip(self) -> bool:
        """Pass over blank lines and comments.

        Returns
        -------
        bool
            Whether there is another line.

        Raises
        ------
        ScoreFileError
            More comments than a table has.
        """
        while self.skip_blank():
            if self._text[self._start] != COMMENT:
                return True
            self._count_comment()
            self.take()
        return False

    def skip_blank(self) -> bool:
        """Pass over blank lines.

        Returns
        -------
        bool
            Whether there is another line.
        """
        text, start = self._text, self._start
        if not text[start : start + 1].isspace():
            return start < len(text)
        found = _BLANK_LINES.match(text, start)
        if found is not None:
            self.number += text.count("\n", start, found.end())
            self._start = found.end()
        return _SOMETHING.search(text, self._start) is not None

    def _count_comment(self) -> None:
        self._skipped.comments += 1
        self._skipped.first_comment = self._skipped.first_comment or self.number
        if self._skipped.comments > MOST_COMMENTS:
            raise ScoreFileError(
                f"line {self.number}: more than {MOST_COMMENTS:,} lines begin with {COMMENT}; take them out."
            )

    def take(self) -> str:
        """The next line with its end."""
        end = self._text.find("\n", self._start) + 1 or len(self._text)
        line = self._text[self._start : end]
        self._start = end
        self.number += 1
        return line


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Lines that aren't blank, with their numbers.

    Parameters
    ----------
    text : str

    Yields
    ------
    tuple of int and str

    Examples
    --------
    >>> list(lines_of("a\\r\\n \\nb\\x0bc\\n#d"))
    [(1, 'a\\r\\n'), (3, 'b\\x0bc\\n'), (4, '#d')]
    """
    lines = Lines(text, Skipped())
    while lines.skip_blank():
        yield lines.number, lines.take()
