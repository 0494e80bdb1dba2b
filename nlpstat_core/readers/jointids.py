"""Unit ids from one column, or from several together (document and segment), checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.columns import Columns
from nlpstat_core.scores import first_repeat

JOINT = ":"


def joined(columns: Columns, unit: Sequence[int]) -> list[str]:
    """The unit ids that some columns make together.

    Parameters
    ----------
    columns : Columns
    unit : sequence of int

    Returns
    -------
    list of str
    """
    if len(unit) == 1:
        return columns.texts[unit[0]]
    rows = zip(*(columns.texts[i] for i in unit), strict=True)
    return [JOINT.join(cells) if all(cells) else "" for cells in rows]


def unit_ids(columns: Columns, unit: Sequence[int]) -> list[str] | None:
    """The unit ids of a table, None where it has none.

    Parameters
    ----------
    columns : Columns
    unit : sequence of int

    Returns
    -------
    list of str or None

    Raises
    ------
    ScoreFileError
        An empty id, or one that stood before, with both lines.
    """
    if not unit:
        return None
    ids = joined(columns, unit)
    check_units(ids, columns.lines, columns.where)
    return ids


def id_choice(header: Sequence[str], unit: Sequence[int]) -> str | list[str] | Literal[False]:
    """The columns of unit ids as the keyword `id_column`.

    Parameters
    ----------
    header : sequence of str
    unit : sequence of int

    Returns
    -------
    str, list of str or False
    """
    names = [header[i] for i in unit]
    return names if len(names) > 1 else names[0] if names else False


def joined_note(header: Sequence[str], unit: Sequence[int]) -> tuple[Note, ...]:
    """Say when several columns make the unit ids together.

    Parameters
    ----------
    header : sequence of str
    unit : sequence of int

    Returns
    -------
    tuple of Note
    """
    if len(unit) < 2:
        return ()
    text = f"The columns {', '.join(shown(header[i]) for i in unit)} make the unit ids together."
    return (Note("id-columns-joined", "info", text),)


def check_units(units: Sequence[str], lines: Sequence[int], where: str) -> None:
    """Refuse unit ids that are empty or appear twice.

    Parameters
    ----------
    units : sequence of str
    lines : sequence of int
        The line of each.
    where : str
        What `lines` count ("line", "row").

    Raises
    ------
    ScoreFileError
        With both lines.
    """
    if all(units) and first_repeat(units) is None:
        return
    seen: dict[str, int] = {}
    for unit, line in zip(units, lines, strict=True):
        if not unit:
            raise ScoreFileError(f"{where} {line} has no unit id; give every row an id of its own.")
        if unit in seen:
            raise ScoreFileError(
                f"{where} {line}: the unit {shown(unit)} was on {where} {seen[unit]} already; "
                "unit ids must be unique (for one row per system and unit, say system_column)."
            )
        seen[unit] = line
