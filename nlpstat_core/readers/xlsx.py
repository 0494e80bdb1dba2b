"""The XML inside Excel workbooks: sheet names, shared strings and the cells of a sheet.

Libraries that read workbooks trust numbers written in them: python-calamine allots memory for the
area between two cells far apart, or for as many strings as a file claims to have, and ends the whole
process when there is none. The Python below allots nothing but what the unpacked bytes hold.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.textlines import too_many
from nlpstat_core.readers.xml import Attributes, Elements, Xml

WORKBOOK = "xl/workbook.xml"
STRINGS = "xl/sharedStrings.xml"
RELATIONS = "xl/_rels/workbook.xml.rels"
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class _Strings(Xml):
    """Shared strings; what helps to pronounce them (rPh) is no part of them."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._parts: list[str] = []
        self._in_text = self._in_phonetic = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._in_phonetic = True
        elif name == "t":
            self._in_text = not self._in_phonetic

    def text(self, text: str) -> None:
        if self._in_text:
            self._parts.append(text)

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._in_phonetic = False
        elif name == "si":
            self.found.append(_unescaped("".join(self._parts)))


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
            if self._column > self._limits.max_columns:
                raise ScoreFileError(
                    f"row {self._row} has more than {self._limits.max_columns:,} columns; "
                    "clear far cells or raise max_columns."
                )
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
            text = self._value("".join(self._parts)) if self._parts or self._kind == "e" else ""
            if text:
                self._keep(text)
        elif name in ("v", "t"):
            self._in_value = False

    def _keep(self, text: str) -> None:
        row = self.rows.get(self._row)
        if row is None:
            row = self.rows[self._row] = {}
            if len(self.rows) > self._limits.max_rows:
                raise too_many("rows", len(self.rows), self._limits.max_rows)
        row[self._column] = text
        self._count += 1
        if self._count > self._limits.max_cells:
            raise ScoreFileError(
                f"the sheet has more than {self._limits.max_cells:,} cells; split it or raise max_cells."
            )

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
        return _unescaped(written) if self._kind in ("str", "inlineStr") else written


def _unescaped(text: str) -> str:
    """Signs that Excel writes as _x000D_."""
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


def sheets(members: Mapping[str, bytes]) -> dict[str, str]:
    """Names of the sheets in their order, and the member that holds each.

    Parameters
    ----------
    members : mapping of str to bytes
        The unpacked workbook.

    Returns
    -------
    dict of str to str

    Raises
    ------
    ScoreFileError
    """
    named, related = Elements("sheet"), Elements("Relationship")
    named.parse(members[WORKBOOK])
    related.parse(members.get(RELATIONS, b"<none/>"))
    targets = {found.get("Id", ""): found.get("Target", "") for found in related.found}
    places = {}
    for found in named.found:
        link = next((value for key, value in found.items() if key.endswith(":id")), "")
        place = posixpath.normpath(posixpath.join("/xl", targets.get(link, ""))).lstrip("/")
        if place in members:
            places[found.get("name", "")] = place
    return places


def cells(members: Mapping[str, bytes], place: str, limits: Limits) -> Cells:
    """The cells of a sheet.

    Parameters
    ----------
    members : mapping of str to bytes
    place : str
        The member that holds the sheet.
    limits : Limits

    Returns
    -------
    Cells

    Raises
    ------
    ScoreFileError
    """
    strings = _Strings()
    if STRINGS in members:
        strings.parse(members[STRINGS])
    found = Cells(strings.found, limits)
    found.parse(members[place])
    return found
