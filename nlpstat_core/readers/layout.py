"""Which column of a wide table is the unit id, which are labels and which are systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import is_missing, is_text, is_whole
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.names import (
    GROUP_NAME,
    LABEL_NAME,
    ROW_COUNT_NAME,
    SYSTEM_NAME,
    absent,
    normal,
    says,
    says_id,
)
from nlpstat_core.readers.record import NO_COLUMN, Choices
from nlpstat_core.scores import first_repeat


@dataclass(frozen=True)
class Layout:
    """Roles of the columns of a wide table, as positions.

    Attributes
    ----------
    unit : int or None
    labels : tuple of int
    systems : tuple of int
    notes : tuple of Note
    """

    unit: int | None
    labels: tuple[int, ...]
    systems: tuple[int, ...]
    notes: tuple[Note, ...] = ()


def columns_of_text(header: Sequence[str], choices: Choices) -> set[int]:
    """Columns that may be ids or labels by name or place, to be kept as written.

    Parameters
    ----------
    header : sequence of str
    choices : Choices

    Returns
    -------
    set of int
    """
    told = {*(choices.label_columns or ()), choices.id_column}
    return {0} | {
        i for i, name in enumerate(header) if name in told or says_id(name, False) or says(LABEL_NAME, name)
    }


def find_layout(columns: Columns, choices: Choices) -> Layout:
    """Roles from the user's choices, the names and the content, in this order.

    Parameters
    ----------
    columns : Columns
    choices : Choices

    Returns
    -------
    Layout

    Raises
    ------
    ScoreFileError
        Columns that aren't there, ids that are empty or repeat, names that are empty.
    """
    header = columns.header
    check_known(header, choices)
    unit = _find_unit(columns, choices) if choices.id_column is None else told_unit(header, choices)
    if unit is not None:
        check_units(columns.texts[unit], columns.lines, columns.where)
    if choices.label_columns is None:
        labels = [i for i in columns.texts if i != unit and _is_label(columns, i)]
    else:
        labels = [header.index(name) for name in dict.fromkeys(choices.label_columns)]
    rest = sorted(set(range(len(header))) - {unit, *labels})
    systems = [i for i in rest if header[i]]
    for i in rest:
        # An unnamed first column beside another id counts the rows; further ones are empty or a mistake.
        if not header[i] and not (i == 0 and unit is not None) and not _is_empty(columns, i):
            raise ScoreFileError(f"column {i + 1} has no name; give every column of scores a name.")
    return Layout(unit, tuple(sorted(labels)), tuple(systems), _guess_notes(columns, unit, labels))


def check_known(header: Sequence[str], choices: Choices) -> None:
    """Refuse choices that name columns the file doesn't have.

    Parameters
    ----------
    header : sequence of str
    choices : Choices

    Raises
    ------
    ScoreFileError
        With the nearest name the file has.
    """
    told = [*(choices.label_columns or ())]
    if told_unit(header, choices, known=False) is not None:
        told.append(str(choices.id_column))
    for name in told:
        if name not in header:
            raise ScoreFileError(f"{absent('column', name, [name for name in header if name])}.")
    if choices.id_column in (choices.label_columns or ()):
        raise ScoreFileError(f"column {shown(choices.id_column)} can't be both the unit id and a label.")


def told_unit(header: Sequence[str], choices: Choices, known: bool = True) -> int | None:
    """The column of unit ids the user named; False and "none" say that there is none.

    Parameters
    ----------
    header : sequence of str
    choices : Choices
    known : bool
        Whether the name is known to be in the header; else −1 stands for a name that isn't.

    Returns
    -------
    int or None
    """
    name = choices.id_column
    if name is None or name is False or (name == NO_COLUMN and NO_COLUMN not in header):
        return None
    return list(header).index(name) if known or name in header else -1


def _find_unit(columns: Columns, choices: Choices) -> int | None:
    """The unit id by the first column, or by another column with the name of an id."""
    name, first = columns.header[0], columns.texts[0]
    taken = choices.label_columns or ()
    others = [
        i for i, other in enumerate(columns.header) if i and says_id(other, False) and other not in taken
    ]
    unique = [i for i in others if first_repeat(columns.texts[i]) is None]
    if name and name in taken:
        return next(iter(unique or others), None)
    if not normal(name) or says(ROW_COUNT_NAME, name):
        counts = all(map(is_whole, first)) and bool(unique)
        if counts or (not name and _is_empty(columns, 0)):
            return next(iter(unique or others), None)
    repeats = first_repeat(first) is not None
    if says_id(name, True):
        return unique[0] if repeats and unique and says(GROUP_NAME, name) else 0
    if mostly_text(first, columns.decimal):
        return _unit_of_text(name, repeats, unique or others)
    if not repeats and all(map(is_whole, first)) and not (says(LABEL_NAME, name) and others):
        return 0
    return next(iter(unique or others), None)


def _unit_of_text(name: str, repeats: bool, others: Sequence[int]) -> int | None:
    """The unit id where the first column is text of another name."""
    if says(SYSTEM_NAME, name) and not repeats:
        raise ScoreFileError(
            f"the first column, {shown(name)}, seems to name systems; give one row per unit and one column "
            f"per system, or say id_column={shown(name)} if these are units."
        )
    if repeats and others:
        return others[0]
    return None if repeats and says(LABEL_NAME, name) else 0


def _is_label(columns: Columns, column: int) -> bool:
    """Columns of text and columns whose name says so; the columns of an empty name are neither."""
    name = columns.header[column]
    if not name:
        return False
    if says(LABEL_NAME, name) or (column > 0 and says_id(name, False)):
        return True
    return mostly_text(columns.texts[column], columns.decimal)


def mostly_text(cells: Sequence[str], decimal: str = ".") -> bool:
    """Whether most cells that say something are text.

    Parameters
    ----------
    cells : sequence of str
    decimal : {".", ","}

    Returns
    -------
    bool

    Examples
    --------
    >>> mostly_text(["news", "chat", ""]), mostly_text(["1", "2x", "3"])
    (True, False)
    """
    present = [cell for cell in cells if not is_missing(cell)]
    return 2 * sum(is_text(cell, decimal) for cell in present) > len(present)


def _is_empty(columns: Columns, column: int) -> bool:
    if column in columns.texts:
        return not any(columns.texts[column])
    cells = columns.numbers[:, columns.places[column]]
    return bool(np.isnan(cells).all()) and column not in columns.bad


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


def _guess_notes(columns: Columns, unit: int | None, labels: Sequence[int]) -> tuple[Note, ...]:
    """Say when a column that could be a system was taken for something else."""
    header, texts, notes = columns.header, columns.texts, []
    by_content = unit is not None and not says_id(header[unit], unit == 0)
    if unit is not None and by_content and all(map(is_whole, texts[unit])):
        what = "holds whole numbers without repeats and was taken as unit ids, not as a system"
        notes.append(Note("id-column-guessed", "caution", f"Column {shown(header[unit])} {what}."))
    for label in labels:
        if says(LABEL_NAME, header[label]) or says_id(header[label], False):
            continue
        if any(not is_missing(cell) and not is_text(cell, columns.decimal) for cell in texts[label]):
            what = "holds more text than numbers and was taken as a label, not as a system"
            notes.append(Note("label-column-guessed", "caution", f"Column {shown(header[label])} {what}."))
    return tuple(notes)
