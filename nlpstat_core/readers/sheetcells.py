"""The cells of one sheet of a workbook, row by row, within bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.plaincells import Cell
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.textlines import too_many
from nlpstat_core.readers.xml import Attributes, Xml

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class Cells(Xml):
    """The cells of one sheet, row by row.

    Parameters
    ----------
    strings : list of str
        Texts that cells point to.
    limits : Limits

    Attributes
    ----------
    rows : dict of int to dict of int to str
        Row number to column number to text; only cells that hold something.
    errors : int
        Cells that Excel could not compute; they hold nothing.
    """

    def __init__(self, strings: list[str], limits: Limits) -> None:
        self.rows: dict[int, dict[int, str]] = {}
        self.errors = 0
        self._strings, self._limits = strings, limits
        self._row = self._column = self._count = 0
        self._written_row = ""  # the number of the row as cells write it
        self._numbers: dict[str, int] = {}  # of columns, by their letters
        self._kind = ""
        self._parts: list[str] = []
        self._in_value = False

    def start(self, name: str, attributes: Attributes) -> None:
        """A row, a cell or its value begins."""
        if name == "c":
            self._column += 1
            reference = attributes.get("r")
            if reference is not None:
                self._place(reference)
            self._check_column()
            self._kind = attributes.get("t", "n")
            self._parts.clear()
        elif name in ("v", "t"):
            self._in_value = True
        elif name == "row":
            given = attributes.get("r", "")
            known = given.isascii() and given.isdigit() and len(given) < 8
            self._row = int(given) if known else self._row + 1
            self._written_row = str(self._row)
            self._column = 0

    def _place(self, reference: str) -> None:
        """Where a cell is, as written."""
        letters = reference.rstrip("0123456789")
        column = self._numbers.get(letters)
        if column is not None and reference[len(letters) :] == self._written_row:
            self._column = column
            return
        found = _REFERENCE.fullmatch(reference)
        if not found:
            raise ScoreFileError(
                "the workbook is broken: a cell has no place; save it again as .xlsx or CSV."
            )
        self._column, self._row = column_number(found[1]), int(found[2])
        self._written_row = str(self._row)
        self._numbers[found[1]] = self._column

    def text(self, text: str) -> None:
        """A piece of a value."""
        if self._in_value:
            self._parts.append(text)

    def end(self, name: str) -> None:
        """A cell or its value ends."""
        if name == "c":
            if self._parts or self._kind == "e":
                self._keep(self._value("".join(self._parts)))
        elif name in ("v", "t"):
            self._in_value = False

    def take(self, found: Iterable[Cell]) -> None:
        """Cells that were found without the parser.

        Parameters
        ----------
        found : iterable of tuple
            Letters, row, kind, value and text of each.
        """
        numbers, row = self._numbers, self.rows.get(self._row, {})
        for letters, written_row, self._kind, value, text in found:
            column = numbers.get(letters)
            if column is None:
                self._column = column = numbers[letters] = column_number(letters)
                self._check_column()
            if written_row != self._written_row:
                self._written_row, self._row = written_row, int(written_row)
                row = self.rows.get(self._row, {})
            written = self._value(value or text) if self._kind else value
            if written:
                row[column] = written
                self._count += 1
                if len(row) == 1:
                    self.rows[self._row] = row
                    self._check_counts()
        self._check_counts()

    def _check_column(self) -> None:
        if self._column > self._limits.max_columns:
            raise ScoreFileError(
                f"row {self._row} has more than {self._limits.max_columns:,} columns; "
                "clear far cells or raise max_columns."
            )

    def _check_counts(self) -> None:
        if len(self.rows) > self._limits.max_rows:
            raise too_many("rows", len(self.rows), self._limits.max_rows)
        if self._count > self._limits.max_cells:
            raise ScoreFileError(
                f"the sheet has more than {self._limits.max_cells:,} cells; split it or raise max_cells."
            )

    def _keep(self, text: str) -> None:
        if text:
            self.rows.setdefault(self._row, {})[self._column] = text
            self._count += 1
            self._check_counts()

    def _value(self, written: str) -> str:
        if self._kind == "s":
            place = int(written) if written.isascii() and written.isdigit() and len(written) < 10 else -1
            if not 0 <= place < len(self._strings):
                raise ScoreFileError(
                    "the workbook is broken: a text is missing; save it again as .xlsx or CSV."
                )
            return self._strings[place]
        if self._kind == "e":
            self.errors += 1
            return ""
        return unescaped(written) if self._kind in ("str", "inlineStr") else written


def unescaped(text: str) -> str:
    """A text with the signs that Excel writes as _x000D_.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> unescaped("a_x000A_b")
    'a\\nb'
    """
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def column_number(letters: str) -> int:
    """Number of a column.

    Parameters
    ----------
    letters : str

    Returns
    -------
    int

    Examples
    --------
    >>> column_number("A"), column_number("XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number
