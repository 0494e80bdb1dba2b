"""Which columns of a table are the unit ids: told, or found from names and content."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Literal

from nlpstat_core.errors import Remedy, ScoreFileError, Sentence, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_text, is_whole
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.roles.choices import NO_COLUMN, Choices
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, normal, says, says_id
from nlpstat_core.scores.matrix import first_repeat

MOST_JOINED = 3
FEWEST_NAMED = 3  # rows from which on names that never come back are systems with one row each
NEARLY_ALL = 0.9  # share of rows with a system of their own from which on a table is a leaderboard
MOST_BELOW = 5  # words below a column of numbers that counts the rows all the same
JOINT = ":"
ONE_ROW = "one row per system"


def named_id_columns(choices: Choices, header: Sequence[str]) -> tuple[str, ...]:
    """The columns of unit ids the user named; none where nothing was told, or that there are none.

    >>> named_id_columns(Choices(id_column="doc, seg"), ["doc", "seg", "A"])
    ('doc', 'seg')
    """
    given = choices.id_column
    if given is None or given is False or (given == NO_COLUMN and NO_COLUMN not in header):
        return ()
    if isinstance(given, tuple):
        return given
    parts = tuple(part.strip() for part in given.split(","))
    return parts if given not in header and len(parts) > 1 and set(parts) <= set(header) else (given,)


def check_known(header: Sequence[str], choices: Choices) -> None:
    """Refuse choices that name columns the file doesn't have, with the nearest name it has."""
    ids = named_id_columns(choices, header)
    for name in (*(choices.label_columns or ()), *ids):
        if name not in header:
            raise ScoreFileError(f"{absent('column', name, [name for name in header if name])}.")
    both = set(ids) & set(choices.label_columns or ())
    if both and len(ids) == 1:
        raise ScoreFileError(f"column {shown(ids[0])} can't be both the item id and a label.")


def find_unit(columns: Columns, choices: Choices) -> tuple[int, ...]:
    """The unit ids of a wide table: told, the first column, or one with the name of an id."""
    header, told = columns.header, choices.dataset_column
    if choices.id_column is None:
        _refuse_leaderboard(columns)
        unit = _by_content(columns, choices)
        found = () if unit is None else with_companions(columns, unit)
    else:
        found = tuple(header.index(name) for name in named_id_columns(choices, header))
    if found and told in header and told not in {header[i] for i in found}:  # the same items in several
        both = tuple(sorted((*found, header.index(str(told)))))
        return found if first_repeat(joined(columns, found)) is None else both
    return found


def _refuse_leaderboard(columns: Columns) -> None:
    """Refuse a table in which each row names another system, in whatever column."""
    if len(columns.table) < FEWEST_NAMED:
        return
    for place, name in enumerate(columns.header):
        first = place == 0 and says(Kind.SYSTEM, name)
        if not says(Kind.ACTOR, name) or not (columns.is_text(place) or first):
            continue
        names = columns.texts(place)
        if all(names) and len(set(names)) >= NEARLY_ALL * len(names):
            raise _one_row_a_system("first column" if place == 0 else "column", name)


def with_companions(columns: Columns, unit: int) -> tuple[int, ...]:
    """A column of ids that start again in every document, together with what tells them apart.

    The column alone when its ids don't repeat, when most of them don't, or when nothing helps.
    """
    cells = columns.texts(unit)
    counts = Counter(cells)
    if len(counts) == len(cells) or 2 * sum(count == 1 for count in counts.values()) > len(counts):
        return (unit,)
    others = [i for i, name in enumerate(columns.header) if i != unit and groups(name)]
    for size in range(1, MOST_JOINED):
        for more in combinations(others[:8], size):
            together = tuple(sorted((*more, unit)))
            if first_repeat(joined(columns, together)) is None:
                return together
    return (unit,)


def groups(name: str) -> bool:
    """Whether a column's name says that it holds what units belong to."""
    return says(Kind.LABEL, name) or says(Kind.GROUP, name) or says(Kind.COMPANION, name)


def _by_content(columns: Columns, choices: Choices) -> int | None:
    """The unit id by the first column, or by another column with the name of an id."""
    name, first = columns.header[0], columns.texts(0)
    taken = choices.label_columns or ()
    others = [i for i, name in enumerate(columns.header) if i and says_id(name, False) and name not in taken]
    unique = [i for i in others if first_repeat(columns.texts(i)) is None]
    other = next(iter(unique or others), None)
    if name and name in taken:
        return other
    if not normal(name) or says(Kind.ROW_COUNT, name):
        counts = all(map(is_whole, first)) and bool(unique)
        if counts or (not name and len(set(first)) == 1 < len(first)):
            return other
    repeats = first_repeat(first) is not None
    if says_id(name, True):
        return other if repeats and others and says(Kind.GROUP, name) else 0
    named = says(Kind.MORE_UNIT, name) and not says(Kind.SYSTEM, name) and not (repeats and others)
    if named and all(is_whole(cell) or is_text(cell) for cell in first):
        return 0
    count = all(map(is_whole, _without_words_below(first)))
    if columns.is_text(0):
        return _unit_of_text(name, repeats, other)
    if not repeats and count and not (says(Kind.LABEL, name) and others):
        return 0
    return other


def _without_words_below(cells: Sequence[str]) -> Sequence[str]:
    """Cells without the few words below them, as of means and remarks."""
    end = next((i for i, cell in enumerate(reversed(cells)) if not is_text(cell)), len(cells))
    return cells[: len(cells) - end] if end <= min(MOST_BELOW, len(cells) // 2) else cells


def _unit_of_text(name: str, repeats: bool, other: int | None) -> int | None:
    """The unit id where the first column is text of another name."""
    if not repeats:
        if says(Kind.ACTOR, name):
            raise _one_row_a_system("first column", name)
        return 0
    return 0 if other is None and not says(Kind.LABEL, name) else other


def _one_row_a_system(column: str, name: str) -> ScoreFileError:
    return ScoreFileError(
        f"{ONE_ROW}: the {column}, {shown(name)}, seems to name systems, so there is nothing "
        "to test; give the scores per test item, or ",
        Remedy("systems_as_rows", True),
        " if every other column is an item, or ",
        Remedy("id_column", name),
        " if it names items.",
    )


def joined(columns: Columns, unit: Sequence[int]) -> list[str]:
    """The unit ids that some columns make together."""
    if len(unit) == 1:
        return columns.texts(unit[0])
    rows = zip(*(columns.texts(i) for i in unit), strict=True)
    return [JOINT.join(cells) if all(cells) else "" for cells in rows]


def unit_ids(
    columns: Columns,
    unit: Sequence[int],
    advice: Callable[[], Sentence] = Sentence,
    about: Callable[[], Sentence] = Sentence,
) -> list[str] | None:
    """The unit ids of a table, None where it has none; raises ScoreFileError for empty and repeated ones."""
    if not unit:
        return None
    ids = joined(columns, unit)
    if all(ids) and first_repeat(ids) is None:
        return ids
    lines, where = columns.lines, columns.where
    seen: dict[str, int] = {}
    for one, line in zip(ids, lines, strict=True):
        if not one:
            raise ScoreFileError(f"{where} {line} has no item id; give every row its own id.")
        if one in seen:
            names = " with ".join(shown(columns.header[i]) for i in unit)
            kind = "column" if len(unit) == 1 else "columns"
            twice = f"{where} {line}: the item {shown(one)} was on {where} {seen[one]} already"
            told = (advice(), "; item ids must be unique (for one row per system and item, ")
            known = about()
            rest = ("; ", known, ".") if known else (*told, Remedy("system_column"), ").")
            raise ScoreFileError(f"{twice}; the ids are from {kind} {names}", *rest)
        seen[one] = line
    return ids


def id_choice(header: Sequence[str], unit: Sequence[int]) -> str | list[str] | Literal[False]:
    """Columns as the keyword `id_column` or `run_column`."""
    names = [header[i] for i in unit]
    return names if len(names) > 1 else names[0] if names else False


def settled_columns(header: Sequence[str], unit: Sequence[int], labels: Sequence[int]) -> dict[str, object]:
    """The keywords of `read_scores` that columns of ids and labels amount to."""
    return {"id_column": id_choice(header, unit), "label_columns": [header[i] for i in labels]}


def joined_note(header: Sequence[str], unit: Sequence[int]) -> tuple[Note, ...]:
    """Say when several columns make the unit ids together."""
    if len(unit) < 2:
        return ()
    text = f"The columns {', '.join(shown(header[i]) for i in unit)} make the item ids together."
    return (Note("id-columns-joined", "info", text),)


def guessed_note(columns: Columns, unit: Sequence[int]) -> tuple[Note, ...]:
    """Say when a column of numbers was taken as unit ids although its name doesn't say so."""
    if len(unit) != 1 or says_id(columns.header[unit[0]], unit[0] == 0):
        return ()
    if says(Kind.MORE_UNIT, columns.header[unit[0]]):
        return ()
    if any(is_text(cell) or not is_whole(cell) for cell in columns.texts(unit[0])):
        return ()
    what = "holds whole numbers without repeats and was taken as item ids, not as a system"
    return (Note("id-column-guessed", "caution", f"Column {shown(columns.header[unit[0]])} {what}."),)
