"""The XML inside Excel workbooks: sheet names, shared strings and the cells of a sheet.

Libraries that read workbooks trust numbers written in them: python-calamine allots memory for the
area between two cells far apart, or for as many strings as a file claims to have, and ends the whole
process when there is none. The Python below allots nothing but what the unpacked bytes hold.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from nlpstat_core.readers.plaincells import plain_cells
from nlpstat_core.readers.sheetcells import Cells, unescaped
from nlpstat_core.readers.source import Limits
from nlpstat_core.readers.xml import Attributes, Elements, Xml

WORKBOOK = "xl/workbook.xml"
STRINGS = "xl/sharedStrings.xml"
RELATIONS = "xl/_rels/workbook.xml.rels"
WORTH_IT = 100_000  # bytes of a sheet


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
            self.found.append(unescaped("".join(self._parts)))


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
    return _short_cut(strings.found, members[place], limits) or _parsed(strings.found, members[place], limits)


def _parsed(strings: list[str], content: bytes, limits: Limits) -> Cells:
    found = Cells(strings, limits)
    found.parse(content)
    return found


def _short_cut(strings: list[str], content: bytes, limits: Limits) -> Cells | None:
    """The cells of a large sheet, None where one isn't written plainly."""
    if len(content) < WORTH_IT:
        return None
    found = Cells(strings, limits)
    for piece in plain_cells(content):
        if piece is None:
            return None
        found.take(piece)
    return found
