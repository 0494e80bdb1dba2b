"""Which column of a wide table is the unit id, which are labels and which are systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import is_missing, is_text, mostly_text
from nlpstat_core.readers.choices import Choices
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.jointids import joined_note, unit_ids
from nlpstat_core.readers.names import LABEL_NAME, absent, says, says_id
from nlpstat_core.readers.unitids import find_unit, guessed_note, told_names


@dataclass(frozen=True)
class Layout:
    """Roles of the columns of a wide table, as positions.

    Attributes
    ----------
    unit : tuple of int
        Columns that make the unit ids together, mostly one; empty without ids.
    units : list of str or None
        The ids themselves.
    labels : tuple of int
    systems : tuple of int
    notes : tuple of Note
    """

    unit: tuple[int, ...]
    units: list[str] | None
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
    told = {*(choices.label_columns or ()), *told_names(choices, header)}
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
    unit = find_unit(columns, choices)
    units = unit_ids(columns, unit)
    if choices.label_columns is None:
        labels = [i for i in columns.texts if _is_label(columns, i, unit)] + _flags(columns, unit)
    else:
        labels = [header.index(name) for name in dict.fromkeys(choices.label_columns)]
    rest = sorted(set(range(len(header))) - {*unit, *labels})
    systems = [i for i in rest if header[i]]
    for i in rest:
        # An unnamed first column beside another id counts the rows; further ones are empty or a mistake.
        if not header[i] and not (i == 0 and unit) and not _is_empty(columns, i):
            raise ScoreFileError(f"column {i + 1} has no name; give every column of scores a name.")
    return Layout(unit, units, tuple(sorted(labels)), tuple(systems), _guess_notes(columns, unit, labels))


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
    ids = told_names(choices, header)
    for name in (*(choices.label_columns or ()), *ids):
        if name not in header:
            raise ScoreFileError(f"{absent('column', name, [name for name in header if name])}.")
    both = set(ids) & set(choices.label_columns or ())
    if both and len(ids) == 1:
        raise ScoreFileError(f"column {shown(ids[0])} can't be both the unit id and a label.")


def _is_label(columns: Columns, column: int, unit: Sequence[int]) -> bool:
    """Columns of text and columns whose name says so; the columns of an empty name are neither.

    A document stays a label when its name is a part of the unit ids.
    """
    name = columns.header[column]
    if not name or (column in unit and not (len(unit) > 1 and says(LABEL_NAME, name))):
        return False
    if says(LABEL_NAME, name) or (column > 0 and says_id(name, False)):
        return True
    return mostly_text(columns.texts[column], columns.decimal)


def _flags(columns: Columns, unit: Sequence[int]) -> list[int]:
    """Columns of true and false beside columns of other numbers: these are the systems, not they."""
    numbers = [i for i in columns.positions if columns.header[i] and i not in unit]
    flags = [i for i in numbers if i in columns.flags]
    return flags if len(numbers) - len(flags) >= 2 else []


def _is_empty(columns: Columns, column: int) -> bool:
    if column in columns.texts:
        return not any(columns.texts[column])
    cells = columns.numbers[:, columns.places[column]]
    return bool(np.isnan(cells).all()) and column not in columns.bad


def _guess_notes(columns: Columns, unit: Sequence[int], labels: Sequence[int]) -> tuple[Note, ...]:
    """Say when a column that could be a system was taken for something else."""
    header = columns.header
    notes = [*guessed_note(columns, unit), *joined_note(header, unit)]
    for label in labels:
        if says(LABEL_NAME, header[label]) or says_id(header[label], False):
            continue
        what = "holds more text than numbers"
        if label in columns.flags:
            what = "holds true and false where other columns hold numbers"
        elif not any(
            not is_missing(cell) and not is_text(cell, columns.decimal) for cell in columns.texts[label]
        ):
            continue
        text = f"Column {shown(header[label])} {what} and was taken as a label, not as a system."
        notes.append(Note("label-column-guessed", "caution", text))
    return tuple(notes)
