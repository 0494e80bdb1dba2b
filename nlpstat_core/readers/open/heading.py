"""What first rows tell: a title above the header, units of measurement below it, the decimal mark."""

import re
from collections.abc import Sequence

from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import DECIMAL_COMMA, DECIMAL_POINT, is_missing, is_text

_BESIDE = "%$€£¥₹* \u00a0\u202f"  # what may stand beside a number
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")  # 1.234,5
_GROUP = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # thousands, perhaps
_UNIT = re.compile(r"[\[(][^\])]{0,15}[\])]|%|ms|s|sec|USD|\$|tokens|points", re.IGNORECASE)


def title_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many rows of a sheet or padded text are a title above the header.

    >>> title_rows([["Results", "", ""], ["", "", ""], ["item", "A", "B"], ["x", "1", "2"], ["y", "1", "2"]])
    2
    >>> title_rows([["item", "A", "B"], ["x", "", ""], ["y", "1", "2"]])
    0
    """
    filled = [sum(map(bool, row)) for row in rows]
    for place in range(min(len(rows) - 2, 12)):
        rest = filled[place:]
        fullest = max(rest)
        alone = filled[place] <= 1 and (fullest > 2 or (fullest == 2 and bool(rows[place][0])))
        few = filled[place] == 2 and fullest > 5 and not _repeats(rows[place + 1])
        if filled[place] and not (alone or few):
            return place
    return 0


def _repeats(row: Sequence[str]) -> bool:
    """Whether words come back in a row, as names below merged cells do."""
    words = [cell for cell in row if cell]
    return len(set(words)) < len(words)


def title_note(rows: Sequence[Sequence[str]]) -> Note:
    """Say what stood above the header."""
    words = next((cell.strip() for row in rows for cell in row if cell.strip()), "")
    many = "1 line stands" if len(rows) == 1 else f"{len(rows)} lines stand"
    kept = "was" if len(rows) == 1 else "were"
    return Note("title-lines", "info", f"{many} above the header and {kept} left out ({shown(words)}).")


def guess_decimal(rows: Sequence[Sequence[str]], *, beside_commas: bool = False) -> str:
    """The decimal mark of the first rows.

    Where commas also separate the cells, those inside quotes are decimal where one of them can't group
    thousands and no point is beside them: spreadsheets of half of Europe write "0,51" so.

    >>> guess_decimal([["0,51", "12,5"]], beside_commas=True), guess_decimal([["1,200"]], beside_commas=True)
    (',', '.')
    """
    cells = [cell.strip(_BESIDE) for row in rows for cell in row]
    commas = [cell for cell in cells if DECIMAL_COMMA.fullmatch(cell) or _GROUPED.fullmatch(cell)]
    points = sum(bool(DECIMAL_POINT.fullmatch(cell)) for cell in cells)
    if beside_commas and (points or all(map(_GROUP.fullmatch, commas))):
        return "."
    return "," if len(commas) > points else "."


def is_units_row(rows: Sequence[Sequence[str]], decimal: str) -> bool:
    """Whether the first row below the header tells units of measurement ("(s)", "%") and no scores."""
    if len(rows) < 3:
        return False
    said = [cell for cell in rows[0] if cell]
    numbers = [i for i, cell in enumerate(rows[1]) if not is_missing(cell) and not is_text(cell, decimal)]
    named = any(rows[0][i] for i in numbers if i < len(rows[0]))
    return bool(said) and all(map(_UNIT.fullmatch, said)) and named
