"""A short cut through the XML of a large sheet: one pattern for the cells that spreadsheets write.

Calling Python at every begin and end of an element takes most of the time of a large workbook. The parser
still goes through the document, without calling anything, so that broken XML is refused as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nlpstat_core.readers.xml import check

_VALUE = r"(?:<f[^<>]*>[^<]*</f>|<f[^<>]*/>)?<v>([^<&\r]*)</v>"
_TEXT = r"<is><t>([^<&\r]*)</t></is>"
_PLACE = r'r="([A-Z]{1,3})([0-9]{1,7})"(?: s="[0-9]+")?(?: t="([A-Za-z]+)")?'
_CELL = re.compile(rf"<c {_PLACE}(?:/>|>(?:{_VALUE}|{_TEXT})?</c>)")
_ANY_CELL = re.compile(r"<c[\s/>]")
_PIECE = 1_000_000  # characters
_END = "</c>"

Cell = tuple[str, str, str, str, str]


def plain_cells(content: bytes) -> Iterator[list[Cell] | None]:
    """The cells of a sheet, some at a time: letters, row, kind, value and text as written, "" for what isn't.

    Parameters
    ----------
    content : bytes
        The XML of a sheet.

    Yields
    ------
    list of tuple, or None
        None where a cell is written in another way; then the parser has to find all cells.

    Raises
    ------
    ScoreFileError
        Broken XML, or XML that defines entities of its own.
    """
    check(content)
    if b"<!" in content or content[:2] in (b"\xff\xfe", b"\xfe\xff") or _names_an_encoding(content):
        yield None
        return
    text, start = content.decode("utf-8"), 0
    while start < len(text):
        end = text.find(_END, start + _PIECE)
        end = len(text) if end < 0 else end + len(_END)
        found = _CELL.findall(text, start, end)
        yield found if len(found) == len(_ANY_CELL.findall(text, start, end)) else None
        start = end


def _names_an_encoding(content: bytes) -> bool:
    """Whether the document says that it is something else than UTF-8."""
    declared = content[: content.find(b"?>") + 1].lower() if content.lstrip().startswith(b"<?xml") else b""
    return b"encoding" in declared and b"utf-8" not in declared
