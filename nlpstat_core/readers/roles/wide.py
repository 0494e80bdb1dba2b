"""Wide tables: one row per evaluation unit, one column per system."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nlpstat_core.errors import BoundsExceeded, Remedy, ScoreFileError, Sentence, shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import (
    DECIMAL_COMMA,
    DECIMAL_POINT,
    is_missing,
    is_text,
    mostly_text,
)
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.columns_left_out import only_systems
from nlpstat_core.readers.roles.costs import costs_note, costs_of_systems, is_cost, wide_costs
from nlpstat_core.readers.roles.grades import grades_in_words
from nlpstat_core.readers.roles.header_shapes import heads_runs
from nlpstat_core.readers.roles.names import Kind, says, says_id
from nlpstat_core.readers.roles.odd_rows import about_constant, about_repeats
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.readers.roles.scores_beside import Beside
from nlpstat_core.readers.roles.units import (
    check_known,
    find_unit,
    guessed_note,
    joined_note,
    named_id_columns,
    settled_columns,
    unit_ids,
)
from nlpstat_core.scores.matrix import first_repeat

HEAD_ROWS = 40
UNIT = "unit"
BEGINS, LONGEST_SCORE = re.compile(r"[^\w.+-]{0,2}([+-]?\d+(?:[.,]\d+)?)(?![-:]\d)"), 40
FEWEST_NUMBERS = 0.25  # share of a column of words that begins with digits where it may hold scores


@dataclass(frozen=True)
class Layout:
    """Roles of the columns of a wide table, as positions.

    unit: Columns that make the unit ids together, mostly one; empty without ids.
    costs: Column of the system, and the name, of what outputs cost, by column.
    """

    unit: tuple[int, ...]
    units: list[str] | None
    labels: tuple[int, ...]
    systems: tuple[int, ...]
    notes: tuple[Note, ...] = ()
    costs: Mapping[int, tuple[int, str]] = field(default_factory=dict)


def read_wide(table: Table, choices: Choices) -> Part:
    """The scores in a wide table; raises ScoreFileError for all that makes it ambiguous."""
    reading: dict[str, object] = {}
    left_out: tuple[Note, ...] = ()
    if choices.systems_as_rows:
        table, system_column, left_out = transposed(table, choices)
        choices = replace(choices, id_column=UNIT, label_columns=(), roles=None)
        reading = {"systems_as_rows": True, "system_column": system_column}
    check_names(table, choices)
    columns = Columns(table)
    layout = find_layout(columns, choices)
    values = columns.values(layout.systems)
    costs = wide_costs(columns, layout.costs, layout.systems)
    return Part(
        values=values,
        systems=[columns.header[column] for column in layout.systems],
        units=layout.units,
        labels=columns.labels(layout.labels),
        metric=choices.metric,
        reading=reading or settled_columns(columns.header, layout.unit, layout.labels),
        costs=costs,
        notes=(
            *left_out,
            *costs_note(costs),
            *layout.notes,
            *_words_note(columns, layout),
            *columns.sign_notes(layout.systems),
            *table.notes,
        ),
    )


def transposed(table: Table, choices: Choices) -> tuple[Table, str, tuple[Note, ...]]:
    """A table with one row per system turned round, and which column named the systems.

    What is said of systems in words (their type, their team) is no score of theirs and is left out.
    """
    header, limits = table.header, choices.limits
    wanted = choices.system_column
    if wanted is not None and wanted not in header:
        raise ScoreFileError(f"{absent('column', wanted, header)}.")
    names = 0 if wanted is None else header.index(wanted)
    if len(table) > limits.max_columns:
        raise BoundsExceeded(
            f"{table.where} {table.lines[limits.max_columns]}: more than {limits.max_columns:,} systems or "
            f"{limits.max_cells:,} cells; ",
            Remedy("max_columns"),
            " and ",
            Remedy("max_cells"),
            ", or split the file.",
        )
    labels = choices.label_columns or ()
    rows, words = [], []
    for column, name in enumerate(header):
        if column == names:
            continue
        cells = table.texts(column)
        if name in labels or mostly_text(cells, table.decimal):
            words.append(name)
        else:
            rows.append([name, *cells])
    if not rows:
        raise ScoreFileError(
            "no numbers besides the names of the systems; give one column of scores per item."
        )
    lines = range(2, len(rows) + 2)
    found = Table.of((UNIT, *table.texts(names)), rows, lines, "column", decimal=table.decimal)
    return found, header[names], _left_out(words)


def _left_out(names: list[str]) -> tuple[Note, ...]:
    if not names:
        return ()
    text = f"Left out because they describe systems: {some_shown(names)}."
    return (Note("labels-left-out", "info", text),)


def find_layout(columns: Columns, choices: Choices) -> Layout:
    """Roles from the user's choices, the names and the content, in this order; raises ScoreFileError."""
    header = columns.header
    check_known(header, choices)
    if not len(columns.table):
        raise ScoreFileError("there are no rows below the header; give one row per item.")
    unit = find_unit(columns, choices)
    units = unit_ids(columns, unit, lambda: _others(columns, unit), lambda: _about(columns, unit))
    if choices.label_columns is None:
        labels = [i for i in range(len(header)) if _is_label(columns, i, unit)]
        labels += _flags(columns, unit, labels)
        labels += [
            i for i in unit if len(unit) > 1 and header[i] == choices.dataset_column and i not in labels
        ]
    else:
        labels = [header.index(name) for name in dict.fromkeys(choices.label_columns)]
    chosen = [header.index(name) for role in (Role.SYSTEM, Role.SCORE) for name in choices.named(role)]
    labels += _more_labels(columns, choices, unit, labels)
    rest = sorted(set(range(len(header))) - {*unit, *labels})
    paid = [header.index(name) for name in choices.named(Role.COST)]
    costs = costs_of_systems(columns, [i for i in rest if header[i]], paid)
    costs = {i: of for i, of in costs.items() if i not in chosen}
    rest = [i for i in rest if i not in costs and i not in paid]
    if chosen:
        rest = [i for i in chosen if i not in unit]
        labels = [i for i in labels if i not in rest]
    systems = [i for i in rest if header[i]]
    for i in rest:
        # An unnamed first column beside another id counts the rows; further ones are empty or a mistake.
        counts_rows = i == 0 and bool(unit or len(set(columns.texts(0))) == 1)
        if not header[i] and not counts_rows and not columns.is_empty(i):
            raise ScoreFileError(f"column {i + 1} has no name; give every column of scores a name.")
    more, like = [], []
    if not chosen and choices.label_columns is None and systems:
        told = {*(header[i] for i in unit), *(name for role in Role for name in choices.named(role))}
        numbers = [i for i in labels if header[i] not in told and not columns.is_text(i)]
        beside = Beside.of(columns, systems if numbers else [])
        more = [i for i in numbers if beside.has_fractions_alike(columns, i)]
        like = [i for i in numbers if i not in more and beside.may_have(columns, i)]
        labels, systems = [i for i in labels if i not in more], sorted([*systems, *more])
    notes = _guess_notes(columns, unit, labels, systems)
    if not chosen:  # told labels alone don't make systems of times and counters
        systems, left_out = only_systems(columns, systems, more, like)
        notes = (*notes, *left_out)
    if len(systems) == 1:  # a file of one system
        taken = {*unit, *labels, *systems}
        own = [i for i in range(len(header)) if i not in taken and (i in paid or is_cost(columns, i))]
        costs = {i: (systems[0], header[i]) for i in own}
    return Layout(unit, units, tuple(sorted(labels)), tuple(systems), notes, costs)


def _about(columns: Columns, unit: Sequence[int]) -> Sentence:
    """What is known of ids that repeat: copies, times, the one system of the file."""
    constant = about_constant(columns, unit[0]) if len(unit) == 1 else Sentence()
    return constant or about_repeats(columns, unit)


def _others(columns: Columns, unit: Sequence[int]) -> Sentence:
    """Other columns that may be meant as ids, for the refusal of ids that repeat."""
    named = [
        name
        for i, name in enumerate(columns.header)
        if i not in unit
        and name
        and (says(Kind.ID, name) or says(Kind.MORE_UNIT, name) or columns.is_text(i))
    ]
    return Sentence(f" (others: {some_shown(named, 4)}; ", Remedy("id_column"), ")") if named else Sentence()


def _more_labels(columns: Columns, choices: Choices, unit: Sequence[int], labels: Sequence[int]) -> list[int]:
    """Columns that were told to be labels of some kind, beside those that were found."""
    roles = (Role.LABEL, Role.BLOCK, Role.DATASET, Role.TEXT, Role.RUN, Role.RATER)
    chosen = [columns.header.index(name) for role in roles for name in choices.named(role)]
    return [i for i in chosen if i not in unit and i not in labels]


def check_names(table: Table, choices: Choices) -> None:
    """Refuse a first line that holds scores: taken as names, it would be lost without a word."""
    header, decimal = table.header, table.decimal
    if not header:
        raise ScoreFileError("there are no columns; give one row per item and one column per system.")
    first, rest = header[0], header[1:]
    given = first in named_id_columns(choices, header) or says_id(first, True) or says(Kind.LABEL, first)
    given = given or heads_runs(header)
    names = rest if is_text(first, decimal) and not given and len(rest) > 1 else header
    plain = [name.rstrip("% \u00a0").replace(decimal, ".") for name in rest]
    decimals = not given and any(map(DECIMAL_POINT.fullmatch, plain))
    if decimals or all(not is_missing(name) and not is_text(name, decimal) for name in names):
        raise ScoreFileError(
            f"{table.where} {table.line} holds numbers where the names of the systems are expected; "
            "put a line with names above it (or say format='columns' if the systems have no names)."
        )
    check_header(table)


def check_header(table: Table) -> None:
    """Refuse the same name twice."""
    twice = first_repeat([name for name in table.header if name])
    if twice is not None:
        places = [i + 1 for i, name in enumerate(table.header) if name == twice][:2]
        raise ScoreFileError(
            f"{table.where} {table.line}: columns {places[0]} and {places[1]} are both called "
            f"{shown(twice)}; give each its own name."
        )


def _is_label(columns: Columns, column: int, unit: Sequence[int]) -> bool:
    """Columns of text or whose name says so (a document in the unit ids, too), but none without a name."""
    name = columns.header[column]
    if not name or (column in unit and not (len(unit) > 1 and says(Kind.LABEL, name))):
        return False
    if says(Kind.LABEL, name) or (column > 0 and says_id(name, False)):
        return True
    return columns.is_text(column)


def _flags(columns: Columns, unit: Sequence[int], labels: Sequence[int]) -> list[int]:
    """Columns of true and false beside columns of other numbers: these are the systems, not they."""
    taken = {*unit, *labels}
    numbers = [i for i, name in enumerate(columns.header) if name and i not in taken]
    flags = [i for i in numbers if columns.is_flags(i)]
    if len(numbers) - len(flags) >= 2:
        return flags
    verdicts = [i for i in flags if columns.is_verdicts(i)]
    return verdicts if len(verdicts) < len(numbers) else []


def _guess_notes(
    columns: Columns, unit: Sequence[int], labels: Sequence[int], systems: Sequence[int]
) -> tuple[Note, ...]:
    """Say when a column that could be a system was taken for something else."""
    header = columns.header
    notes = [*guessed_note(columns, unit), *joined_note(header, unit)]
    if notes and systems and len(unit) == 1 and Beside.of(columns, systems).may_have(columns, unit[0]):
        notes = [replace(note, severity="problem") for note in notes]
    for label in sorted(labels):
        if says(Kind.LABEL, header[label]) or says_id(header[label], False):
            continue
        what = "holds more text than numbers"
        if columns.is_flags(label):
            what = "holds true and false where other columns hold numbers"
        elif _has_decimal_commas(columns.texts(label)):
            text = (
                f"Column {shown(header[label])} holds decimal commas, unlike the others; write points there."
            )
            notes.append(Note("label-column-guessed", "problem", text))
            continue
        elif _begins_with_scores(columns, label, systems):
            what = shown(next(cell for cell in columns.texts(label) if cell))
            text = f"Column {shown(header[label])} holds more than numbers ({what}) and was taken as a label."
            notes.append(Note("label-column-guessed", "problem", text))
            continue
        elif not np.isfinite(columns.parsed(label).values).any():
            continue
        text = f"Column {shown(header[label])} {what} and was taken as a label, not as a system."
        begins = sum(cell[:1].isdigit() for cell in columns.texts(label))  # or is true, beside 1 and 0
        numbers = columns.is_flags(label) or begins >= FEWEST_NUMBERS * len(columns.table)
        scores = bool(systems) and numbers and Beside.of(columns, systems).has_like(columns, label)
        notes.append(Note("label-column-guessed", "problem" if scores else "caution", text))
    return tuple(notes)


def _begins_with_scores(columns: Columns, label: int, systems: Sequence[int]) -> bool:
    """Whether most cells of a column of text begin with numbers like those of the systems."""
    cells = [cell for cell in columns.texts(label) if not is_missing(cell)]
    found = [match[1] for cell in cells if len(cell) <= LONGEST_SCORE and (match := BEGINS.match(cell))]
    numbers = np.array([float(text.replace(",", ".")) for text in found])
    return bool(systems) and 2 * len(found) > len(cells) and Beside.of(columns, systems).is_like(numbers)


def _has_decimal_commas(cells: Sequence[str]) -> bool:
    """Whether most of the first cells that say something are numbers with a decimal comma."""
    some = [cell.strip(" %\u00a0") for cell in cells[:HEAD_ROWS] if not is_missing(cell)]
    return 2 * sum(bool(DECIMAL_COMMA.fullmatch(cell)) for cell in some) > len(some)


def _words_note(columns: Columns, layout: Layout) -> tuple[Note, ...]:
    """Where too few columns hold numbers: which one may hold grades in words."""
    text = grades_in_words(columns, layout.labels) if len(layout.systems) < 2 else ""
    return (Note("grades-in-words-column-guessed", "caution", text),) if text else ()
