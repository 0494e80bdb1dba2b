"""Which columns of a table are the unit ids: told, or found from names and content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.cells import is_text, is_whole, mostly_text
from nlpstat_core.readers.choices import NO_COLUMN, Choices
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.jointids import joined
from nlpstat_core.readers.names import (
    GROUP_NAME,
    LABEL_NAME,
    ROW_COUNT_NAME,
    SYSTEM_NAME,
    normal,
    says,
    says_id,
)
from nlpstat_core.scores import first_repeat

MOST_JOINED = 3


def told_names(choices: Choices, header: Sequence[str]) -> tuple[str, ...]:
    """The columns of unit ids the user named; none where nothing was told, or that there are none.

    Parameters
    ----------
    choices : Choices
        Several columns as a tuple, or as one text with commas that is itself no column.
    header : sequence of str

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> told_names(Choices(id_column="doc, seg"), ["doc", "seg", "A"])
    ('doc', 'seg')
    """
    told = choices.id_column
    if told is None or told is False or (told == NO_COLUMN and NO_COLUMN not in header):
        return ()
    if isinstance(told, tuple):
        return told
    parts = tuple(part.strip() for part in told.split(","))
    return parts if told not in header and len(parts) > 1 and set(parts) <= set(header) else (told,)


def find_unit(columns: Columns, choices: Choices) -> tuple[int, ...]:
    """The unit id of a wide table: by the user, by the first column, or by a column with the name of an id.

    Parameters
    ----------
    columns : Columns
    choices : Choices

    Returns
    -------
    tuple of int
        Positions; empty where there is none.

    Raises
    ------
    ScoreFileError
        A first column that seems to name systems.
    """
    if choices.id_column is not None:
        return tuple(columns.header.index(name) for name in told_names(choices, columns.header))
    unit = _by_content(columns, choices)
    return () if unit is None else with_companions(columns, unit)


def with_companions(columns: Columns, unit: int) -> tuple[int, ...]:
    """A column of ids that start again in every document, together with what tells them apart.

    Parameters
    ----------
    columns : Columns
    unit : int

    Returns
    -------
    tuple of int
        The column alone when its ids don't repeat, when most of them don't, or when nothing helps.
    """
    cells = columns.texts[unit]
    counts = Counter(cells)
    if len(counts) == len(cells) or 2 * sum(count == 1 for count in counts.values()) > len(counts):
        return (unit,)
    others = [i for i in columns.texts if i != unit and _groups(columns.header[i])]
    for size in range(1, MOST_JOINED):
        for more in combinations(others, size):
            together = tuple(sorted((*more, unit)))
            if first_repeat(joined(columns, together)) is None:
                return together
    return (unit,)


def _groups(name: str) -> bool:
    """Whether a column's name says that it holds what units belong to."""
    return says(LABEL_NAME, name) or says(GROUP_NAME, name)


def _by_content(columns: Columns, choices: Choices) -> int | None:
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
        if counts or (not name and not any(first)):
            return next(iter(unique or others), None)
    repeats = first_repeat(first) is not None
    if says_id(name, True):
        if repeats and others and says(GROUP_NAME, name):
            return (unique or others)[0]
        return 0
    if mostly_text(first, columns.decimal):
        return _unit_of_text(name, repeats, unique or others)
    if not repeats and all(map(is_whole, first)) and not (says(LABEL_NAME, name) and others):
        return 0
    return next(iter(unique or others), None)


def _unit_of_text(name: str, repeats: bool, others: Sequence[int]) -> int | None:
    """The unit id where the first column is text of another name."""
    if says(SYSTEM_NAME, name) and not repeats:
        raise ScoreFileError(
            f"the first column, {shown(name)}, seems to name systems; say systems_as_rows if every other "
            f"column is a unit, or id_column={shown(name)} if these are units."
        )
    if repeats and others:
        return others[0]
    return None if repeats and says(LABEL_NAME, name) else 0


def guessed_note(columns: Columns, unit: Sequence[int]) -> tuple[Note, ...]:
    """Say when a column of numbers was taken as unit ids although its name doesn't say so.

    Parameters
    ----------
    columns : Columns
    unit : sequence of int

    Returns
    -------
    tuple of Note
    """
    if len(unit) != 1 or says_id(columns.header[unit[0]], unit[0] == 0):
        return ()
    if any(is_text(cell) or not is_whole(cell) for cell in columns.texts[unit[0]]):
        return ()
    what = "holds whole numbers without repeats and was taken as unit ids, not as a system"
    return (Note("id-column-guessed", "caution", f"Column {shown(columns.header[unit[0]])} {what}."),)
