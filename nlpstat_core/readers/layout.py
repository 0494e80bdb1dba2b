"""Which column of a wide table is the unit id, which are labels and which are systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlpstat_core.errors import ScoreFileError, shown, unknown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import is_missing, is_text, is_whole
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.names import LABEL_NAME, SYSTEM_NAME, says, says_id
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
    unit = _told_unit(header, choices) if choices.id_column is not None else _find_unit(columns, choices)
    if unit is not None:
        check_units(columns.texts[unit], columns.lines)
    if choices.label_columns is None:
        labels = [i for i in columns.texts if i != unit and _is_label(columns, i)]
    else:
        labels = [header.index(name) for name in dict.fromkeys(choices.label_columns)]
    systems = [i for i in range(len(header)) if i != unit and i not in labels]
    empty = [i for i in systems if not header[i]]
    for i in empty:
        if not _is_empty(columns, i):
            raise ScoreFileError(f"column {i + 1} has no name; give every column of scores a name.")
    systems = [i for i in systems if i not in empty]
    return Layout(unit, tuple(sorted(labels)), tuple(systems), _guess_notes(columns, unit))


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
    if choices.id_column and not (choices.id_column == NO_COLUMN and NO_COLUMN not in header):
        told.append(choices.id_column)
    for name in told:
        if name not in header:
            some = [column for column in header if column][:20]
            raise ScoreFileError(unknown("column", name, some).rstrip("."))
    if choices.id_column and choices.id_column in (choices.label_columns or ()):
        raise ScoreFileError(f"column {shown(choices.id_column)} can't be both the unit id and a label.")


def _told_unit(header: Sequence[str], choices: Choices) -> int | None:
    if choices.id_column is False or (choices.id_column == NO_COLUMN and NO_COLUMN not in header):
        return None
    return header.index(str(choices.id_column))


def _find_unit(columns: Columns, choices: Choices) -> int | None:
    """The unit id by the first column, or by another column with the name of an id."""
    header, first = columns.header, columns.texts[0]
    named = [i for i, name in enumerate(header) if i and says_id(name, False)]
    taken = choices.label_columns or ()
    named = [i for i in named if header[i] not in taken]
    if header[0] in taken and header[0]:
        return named[0] if named else None
    if says_id(header[0], True) and not _is_empty(columns, 0):
        return 0
    unique = first_repeat(first) is None
    if mostly_text(first):
        if says(SYSTEM_NAME, header[0]) and unique:
            raise ScoreFileError(
                f"the first column {shown(header[0])} seems to name systems; give one row per unit and one "
                f"column per system, or say id_column={header[0]!r} if these are units."
            )
        if named and not unique:
            return named[0]
        return None if says(LABEL_NAME, header[0]) and not unique else 0
    if unique and all(map(is_whole, first)) and not (says(LABEL_NAME, header[0]) and named):
        return 0
    return named[0] if named else None


def _is_label(columns: Columns, column: int) -> bool:
    """Columns of text and columns whose name says so; the columns of an empty name are neither."""
    name = columns.header[column]
    if not name:
        return False
    if says(LABEL_NAME, name) or (column > 0 and says_id(name, False)):
        return True
    return mostly_text(columns.texts[column])


def mostly_text(cells: Sequence[str]) -> bool:
    """Whether most cells that say something are text.

    Parameters
    ----------
    cells : sequence of str

    Returns
    -------
    bool

    Examples
    --------
    >>> mostly_text(["news", "chat", ""]), mostly_text(["1", "2x", "3"])
    (True, False)
    """
    present = [cell for cell in cells if not is_missing(cell)]
    return 2 * sum(map(is_text, present)) > len(present)


def _is_empty(columns: Columns, column: int) -> bool:
    if column in columns.texts:
        return not any(columns.texts[column])
    place = columns.positions.index(column)
    return bool((columns.numbers[:, place] != columns.numbers[:, place]).all()) and column not in columns.bad


def check_units(units: Sequence[str], lines: Sequence[int]) -> None:
    """Refuse unit ids that are empty or appear twice.

    Parameters
    ----------
    units : sequence of str
    lines : sequence of int
        The line of each.

    Raises
    ------
    ScoreFileError
        With both lines.
    """
    seen: dict[str, int] = {}
    for unit, line in zip(units, lines, strict=True):
        if not unit:
            raise ScoreFileError(f"line {line} has no unit id; give every row an id of its own.")
        if unit in seen:
            raise ScoreFileError(
                f"line {line}: the unit {shown(unit)} was on line {seen[unit]} already; "
                "unit ids must be unique (if this column is none, name another id_column)."
            )
        seen[unit] = line


def _guess_notes(columns: Columns, unit: int | None) -> tuple[Note, ...]:
    """Say when a column of whole numbers was taken as ids although its name doesn't say so."""
    if (
        unit is None
        or says_id(columns.header[unit], unit == 0)
        or not all(map(is_whole, columns.texts[unit]))
    ):
        return ()
    name = shown(columns.header[unit])
    text = f"Column {name} holds whole numbers without repeats and was taken as unit ids, not as a system."
    return (Note("id-column-guessed", "caution", text),)
