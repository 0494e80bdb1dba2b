"""Text of answers taken apart at a sign, where one separates columns throughout.

Commas in running text separate nothing: without an ending of the file that says so only tabs, or names of
columns, tell a table from text.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from nlpstat_core.readers.open.delimited import refuse_width
from nlpstat_core.readers.roles.names import Kind, says

_SIGNS = ",;|"
_MOST_REMARKS = 50
_ENDINGS = {".csv": _SIGNS, ".tsv": "\t", ".tab": "\t"}


def without_sign(text: str) -> tuple[str, bool]:
    """The text without the hash sign in front of a header, and whether there was one."""
    first, _, rest = text.partition("\n")
    second = rest.partition("\n")[0]
    if first.startswith("#") and "\t" in first and first.count("\t") == second.count("\t"):
        return first[1:].lstrip() + "\n" + rest, True
    return text, False


def without_remarks(text: str) -> tuple[str, int]:
    """The text without lines of remarks (# …) above a header, and how many they were."""
    lines = text.split("\n", _MOST_REMARKS + 1)
    many = next((place for place, line in enumerate(lines) if not line.startswith("#")), 0)
    if not many or many > _MOST_REMARKS:
        return text, 0
    signs = [sign for sign in ("\t", *_SIGNS) if sign in lines[many]]
    if not any(is_name(cell) for sign in signs for cell in lines[many].split(sign)):
        return text, 0
    return "\n".join(lines[many:]), many


def signs_of(name: str, text: str) -> str:
    """Signs that may separate columns, the likeliest first; none in running text."""
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    first = next((line for line in text.split("\n") if line.strip()), "")
    sure = _ENDINGS.get(ending, "")
    signs = [sign for sign in ("\t", *_SIGNS) if sign in first]
    if sure:
        signs.sort(key=lambda sign: sign not in sure)
        return "".join(signs)
    # Without an ending that says so only tabs, or names of columns, tell a table from text with commas.
    return "".join(sign for sign in signs if sign == "\t" or any(map(is_name, first.split(sign))))


def is_name(cell: str) -> bool:
    """Whether a cell names a column of ids, answers or gold."""
    cell = cell.strip().strip('"')
    return says(Kind.ID, cell) or says(Kind.ANSWER, cell) or says(Kind.GOLD, cell)


def delimited(text: str, sign: str) -> tuple[list[list[str]], list[int]] | None:
    """Records of one width with their lines; None where the sign separates no columns throughout.

    Raises ScoreFileError for a table with a row that has more or fewer fields.
    """
    quoted = _quoted(text, sign) if '"' in text else None
    rows, lines = quoted if quoted is not None else _unquoted(text, sign)
    widths = [len(row) for row in rows]
    width = widths[0]
    if any(own > width for own in widths) and width > 1:
        rows = [row[:width] if not any(map(str.strip, row[width:])) else row for row in rows]
        widths = [len(row) for row in rows]
    others = [place for place, own in enumerate(widths) if own != width]
    if width < 2 or len(others) > max(1, len(rows) // 20):
        return None
    for place in others:
        row = list(rows[place])
        while len(row) > width and not row[-1].strip():
            row.pop()
        if len(row) != width:
            refuse_width(f"line {lines[place]}", row, width, last=False)
        rows[place] = row
    while width > 2 and not any(row[width - 1].strip() for row in rows):  # a sign at the end of every line
        width -= 1
        rows = [row[:width] for row in rows]
    return rows, lines


def _unquoted(text: str, sign: str) -> tuple[list[list[str]], list[int]]:
    kept = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return [line.split(sign) for _, line in kept], [number for number, _ in kept]


def _quoted(text: str, sign: str) -> tuple[list[list[str]], list[int]] | None:
    """Records under quotation marks, where these enclose cells; None where they are part of the text."""
    reader = csv.reader((line + "\n" for line in text.split("\n")), delimiter=sign, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    before = 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                lines.append(before + 1)
            before = reader.line_num
    except csv.Error:
        return None
    plain, numbers = _unquoted(text, sign)
    alike = bool(rows) and len({len(row) for row in rows}) == 1
    # Where every line is a row of the same width with its marks, and begins as rows do, marks that join lines
    # are part of the text.
    joined = len(rows) < len(plain) and len({len(row) for row in plain}) == 1
    return (rows, lines) if alike and not (joined and _begin_alike(plain, numbers, lines)) else None


def _begin_alike(plain: Sequence[Sequence[str]], numbers: Sequence[int], starts: Sequence[int]) -> bool:
    """Whether lines within quoted cells begin as rows do, with ids such as q1 and q12."""
    first = {number: _make(row[0]) for number, row in zip(numbers, plain, strict=True)}
    own = set(starts)
    makes = {make for number, make in first.items() if number in own}
    return all(make in makes for number, make in first.items() if number not in own)


def _make(cell: str) -> str:
    return re.sub(r"\d+", "0", cell.strip().strip('"'))
