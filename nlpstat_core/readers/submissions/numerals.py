"""Numbers as people of many countries write them: decimal commas, thousands in groups."""

import re
from collections.abc import Sequence
from typing import Any

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import DECIMAL_COMMA, is_missing, number

_SIGN = "[+\\-\u2212]?"
_GAPS = "[ \u00a0\u2009\u202f'\u2019]"
_SPACED = re.compile(rf"{_SIGN}\d{{1,3}}(?:{_GAPS}\d{{3}})+(?:[.,]\d+)?")  # surely groups
_GROUPED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:,\d{{3}})+")  # 1,200: a comma may be either
_SURELY_GROUPED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:(?:,\d{{3}})+\.\d+|(?:,\d{{3}}){{2,}})")
_GAP = re.compile(_GAPS)
_MINUS = "\u2212"


class NumeralError(ScoreFileError):
    """Numbers that can be read in two ways."""


def plain_numerals(whose: str, column: Sequence[Any]) -> tuple[list[Any], tuple[Note, ...]]:
    """Cells of numbers with points alone; as they are where these are no numbers, or need no change.

    Raises ScoreFileError: Commas that may group thousands as well as begin decimals.
    """
    cells = [cell.strip() if isinstance(cell, str) else cell for cell in column]
    odd = [cell for cell in cells if isinstance(cell, str) and not is_missing(cell) and number(cell) is None]
    if not odd:
        return list(column), ()
    commas = [cell for cell in odd if not _SPACED.fullmatch(cell)]
    if any(map(_SURELY_GROUPED.fullmatch, commas)):
        if not all(_GROUPED.fullmatch(cell) or _SURELY_GROUPED.fullmatch(cell) for cell in commas):
            return list(column), ()
        read = [_respelt(cell, "") for cell in cells]
    else:
        if not all(_is_comma(cell) or _GROUPED.fullmatch(cell) for cell in commas):
            return list(column), ()
        if commas:
            _check_decimal(whose, commas, cells)
        read = [_respelt(cell, ".") for cell in cells]
    text = f"{whose}: {shown(odd[0])} was read as {shown(read[cells.index(odd[0])])}."
    return read, (Note("numbers-as-written", "caution", text),)


def _check_decimal(whose: str, commas: Sequence[str], cells: Sequence[Any]) -> None:
    """Refuse commas that may be either, and decimal commas beside points."""
    if all(map(_GROUPED.fullmatch, commas)):
        sign = commas[0]
        raise NumeralError(
            f"{whose} has {shown(sign)}, where the comma may begin decimals or group thousands "
            f"({sign.replace(',', '.')} or {sign.replace(',', '')}); write a point for decimals and no sign "
            "between thousands."
        )
    point = next((cell for cell in cells if isinstance(cell, str) and "." in cell), None)
    if point is not None:
        raise NumeralError(
            f"{whose} has decimal commas and points ({shown(commas[0])}, {shown(point)}); write all its "
            "numbers with points."
        )


def _respelt(cell: Any, comma: str) -> Any:
    return _GAP.sub("", cell).replace(",", comma) if isinstance(cell, str) else cell


def _is_comma(cell: str) -> bool:
    return DECIMAL_COMMA.fullmatch(cell.replace(_MINUS, "-")) is not None


def are_decimal_commas(texts: Sequence[str]) -> bool:
    """Whether texts are numbers of which some have a comma, and a decimal one."""
    commas = [text for text in texts if "," in text]
    return (
        any(not _GROUPED.fullmatch(text) for text in commas)
        and all(map(_is_comma, commas))
        and all(number(text) is not None for text in texts if "," not in text)
    )
