"""Which columns of a long table name systems, units, runs and raters, and which hold scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.errors import Remedy, ScoreFileError, Sentence, shown
from nlpstat_core.readers.open.cells import is_flag, is_missing, number
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.costs import is_cost, same_in
from nlpstat_core.readers.roles.documents import label_role
from nlpstat_core.readers.roles.grades import grades_in_words
from nlpstat_core.readers.roles.long_units import crosses, find_long_unit, identifies, may_be_ids
from nlpstat_core.readers.roles.names import Kind, are_metrics, is_metric, normal, says
from nlpstat_core.readers.roles.odd_rows import sample_column
from nlpstat_core.readers.roles.raters import (
    judge_question,
    may_number_raters,
    named_raters,
    numbers_called_judge,
)
from nlpstat_core.readers.roles.record import Role, Roles, RolesNeeded
from nlpstat_core.readers.roles.runs import named_run_columns
from nlpstat_core.readers.roles.units import check_known, id_choice, joined, named_id_columns, settled_columns

HEAD_ROWS = 40
MOST_SYSTEMS_GUESSED = 200
MOST_METRICS = 50


@dataclass(frozen=True)
class LongLayout:
    """Roles of the columns of a long table, as positions.

    unit: Columns that make the unit ids together, mostly one.
    runs: Columns that tell repetitions of a cell apart: runs, seeds, samples.
    """

    system: int
    unit: tuple[int, ...]
    runs: tuple[int, ...]
    metric_names: int | None
    labels: tuple[int, ...]
    scores: tuple[int, ...]
    raters: tuple[int, ...] = ()
    costs: tuple[int, ...] = ()


def find_system(header: Sequence[str], choices: Choices) -> int | None:
    """The column that names the systems: told, or by its name; "system" goes before "model" and others."""
    if choices.system_column is not None:
        if choices.system_column not in header:
            raise ScoreFileError(f"{absent('column', choices.system_column, header)}.")
        return list(header).index(choices.system_column)
    taken = {*(choices.label_columns or ()), *named_id_columns(choices, header)}
    found = [i for i, name in enumerate(header) if says(Kind.SYSTEM, name) and name not in taken]
    if not found:  # TREC calls its systems runs
        found = [i for i, name in enumerate(header) if normal(name) == "run" and name not in taken]
    return min(found, key=lambda i: (not header[i].lower().startswith("sys"), i), default=None)


def needed_system(header: Sequence[str], choices: Choices) -> int:
    """The same; raises ScoreFileError where no column names systems."""
    system = find_system(header, choices)
    if system is None:
        raise ScoreFileError(
            "no column names the systems; add a column 'system', or ", Remedy("system_column"), "."
        )
    return system


def is_long(table: Table, choices: Choices) -> bool:
    """Whether a column names systems and another one units, by their names and the first rows."""
    header = table.header
    if choices.systems_as_rows:
        return False
    system = find_system(header, choices)
    if system is None:
        return False
    if choices.system_column is not None:
        return True
    return (
        bool(unit_candidates(header, system, choices)) and _names_systems(table, system) and len(header) > 2
    )


def _names_systems(table: Table, system: int) -> bool:
    """Whether the column holds names as far as the first rows tell ("Method" may be a system itself)."""
    cells = [row[system] for row in table.head(HEAD_ROWS) if not is_missing(row[system])]
    numbers = sum(number(cell) is not None and not is_flag(cell) for cell in cells)
    return bool(cells) and 2 * numbers <= len(cells)


def unit_candidates(header: Sequence[str], system: int, choices: Choices) -> list[int]:
    """Columns that may hold the unit ids, the likeliest first."""
    named = named_id_columns(choices, header)
    if named:
        return [list(header).index(name) for name in named if name in header]
    others = [i for i in range(len(header)) if i != system]
    sure = [i for i in others if says(Kind.ID, header[i])]
    sure += [i for i in others if says(Kind.GROUPING, header[i])]
    return sure + [i for i in others if says(Kind.MORE_UNIT, header[i]) and i not in sure]


def left_over_system(columns: Columns, choices: Choices) -> int | None:
    """A column that is called like what names systems, and holds few names, where nothing was told."""
    if choices.roles or choices.label_columns is not None or choices.id_column is not None:
        return None
    named = (i for i, name in enumerate(columns.header) if says(Kind.ACTOR, name) and _few_names(columns, i))
    return next(named, None)


def guessed_system(columns: Columns, choices: Choices) -> int | None:
    """A column that names systems by another name or by content only: units come back under each."""
    header = columns.header
    if choices.systems_as_rows or choices.label_columns is not None or choices.id_column is False:
        return None
    names = set(named_id_columns(choices, header)) | {
        name for role in Role for name in choices.named(role) if role != Role.SYSTEM
    }
    possible = [i for i, one in enumerate(header) if one and one not in names and not says(Kind.METRIC, one)]
    by_name = [i for i in possible if says(Kind.MORE_SYSTEM, header[i])]
    every_run = [i for i, name in enumerate(header) if says(Kind.RUN, name) and name not in names]
    by_content = [i for i in possible if i not in {*by_name, *every_run} and _few_names(columns, i)]
    for system in by_name + sorted(by_content, key=lambda i: len(set(columns.texts(i)))):
        keys = [system, *(i for i in every_run if i != system)]
        named = [i for i in unit_candidates(header, system, choices) if i not in keys]
        more = [i for i in range(len(header)) if i not in {*keys, *named} and may_be_ids(columns, i)]
        known = {i: codes(columns.texts(i))[1] for i in {*named, *more, *keys}}
        if any(crosses([unit], keys, known) for unit in [*named, *more]):
            return system
        several = find_long_unit(columns, named, keys) if len(named) > 1 else ()
        if len(several) > 1 and crosses(several, keys, known):
            return system
    return None


def _few_names(columns: Columns, column: int) -> bool:
    """Whether a column of text that isn't called something else holds few names, each on many rows."""
    name = columns.header[column]
    if not columns.is_text(column) or says(Kind.LABEL, name) or says(Kind.ID, name) or says(Kind.TIME, name):
        return False
    distinct = len(set(columns.texts(column)))
    return 1 < distinct <= min(MOST_SYSTEMS_GUESSED, len(columns.table) // 3)


def find_long_layout(columns: Columns, system: int, choices: Choices) -> LongLayout:
    """Roles from the user's choices, the names and the content; ScoreFileError without units or scores."""
    header = columns.header
    check_known(header, choices)
    if not len(columns.table):
        raise ScoreFileError("there are no rows below the header; give one row per item.")

    def chosen(role: Role) -> tuple[int, ...]:
        return tuple(header.index(name) for name in choices.named(role))

    rest = [i for i in range(len(header)) if i != system]
    taken = {*chosen(Role.UNIT), *chosen(Role.SCORE)}
    runs = chosen(Role.RUN) or tuple(header.index(name) for name in named_run_columns(choices, header))
    if not runs and choices.run_column is None and not chosen(Role.RATER):
        runs = tuple(i for i in rest if says(Kind.RUN, header[i]) and i not in taken)
        units = [i for i in unit_candidates(header, system, choices) if i not in taken]
        runs = runs or sample_column(columns, system, chosen(Role.UNIT) or units)
    raters = chosen(Role.RATER) or named_raters(columns, [i for i in rest if i not in {*taken, *runs}])
    metric_names = next(iter(chosen(Role.METRIC)), None)
    if metric_names is None:
        texts = [i for i in rest if columns.is_text(i)]
        if any(is_metric(header[i]) and not says(Kind.SCORE, header[i]) for i in rest if i not in texts):
            texts = [i for i in texts if len(set(columns.texts(i))) > 1]  # one setting of all
        named = [i for i in texts if says(Kind.METRIC, header[i])]
        metric_names = next(iter(named or [i for i in texts if _names_metrics(columns.texts(i))]), None)
    candidates = [i for i in unit_candidates(header, system, choices) if i not in {*runs, *raters}]
    keys = [system, *runs, *raters, *([] if metric_names is None else [metric_names])]
    if named_id_columns(choices, header):
        unit = tuple(candidates)
    else:
        unit = find_long_unit(columns, candidates, keys)
    if not unit:
        raise _without_units(columns, system, runs)
    sets = [header.index(name) for name in (choices.dataset_column,) if name in header]
    if sets and sets[0] not in unit and not identifies(columns, unit, keys):  # the same items in each
        unit = tuple(sorted((*unit, *sets)))
    scored = None
    if not chosen(Role.RATER) and not chosen(Role.SCORE):
        scored = numbers_called_judge(columns, raters, unit, keys)
        raters = tuple(i for i in raters if i != scored)
    used = {unit[0] if len(unit) == 1 else -1, metric_names, *runs, *raters}
    free = [i for i in rest if i not in used and header[i]]
    if choices.label_columns is None:
        labels = {i for i in free if columns.is_text(i)}
        labels |= {i for i in free if says(Kind.LABEL, header[i]) or says(Kind.ID, header[i])}
        kept = (Kind.LABEL, Kind.DATASET)
        labels -= {i for i in unit if i not in sets and not any(says(kind, header[i]) for kind in kept)}
        label_roles = (Role.LABEL, Role.BLOCK, Role.DATASET, Role.TEXT)
        labels |= {i for role in label_roles for i in chosen(role) if i in free}
    else:
        labels = {i for i in free if header[i] in choices.label_columns}
    scores = [i for i in free if i not in {*labels, *unit} and not columns.is_text(i)]
    costs = chosen(Role.COST) or _costs(columns, [i for i in scores if i not in taken], unit, choices)
    rest = [i for i in scores if i not in costs]
    if not rest and not chosen(Role.SCORE) and not chosen(Role.COST):
        rest, costs = scores, ()  # whoever gives nothing but latencies compares latencies
    scores = list(chosen(Role.SCORE)) or _likely_scores(columns, rest, unit, system)
    if not scores:
        hint = grades_in_words(columns, sorted(labels))
        text = "no numbers in any column besides the items and systems; add a column 'score'."
        raise ScoreFileError(f"{text} {hint}".strip())
    layout = LongLayout(
        system,
        unit,
        runs,
        metric_names,
        tuple(sorted(labels - {*scores, *costs})),
        tuple(scores),
        raters,
        tuple(costs),
    )
    if scored is not None and len(scores) > 1 and may_number_raters(columns, scored):
        question = judge_question(header, scored, scores)
        raise RolesNeeded(question, header, columns.table.head(8), long_roles(header, layout))
    return layout


def _without_units(columns: Columns, system: int, runs: Sequence[int]) -> ScoreFileError:
    """The problem of a table whose units no column names; a question where runs may be meant as such."""
    header = columns.header
    lacks = f"column {shown(header[system])} names systems, but no column names the items"
    if not runs:
        return ScoreFileError(f"{lacks}; add a column 'item', or ", Remedy("id_column"), ".")
    scores = [i for i in range(len(header)) if i not in {system, *runs} and not columns.is_text(i)]
    guess = long_roles(header, LongLayout(system, tuple(runs[:1]), (), None, (), tuple(scores)))
    first = header[runs[0]]
    told = Remedy("roles", f"unit={first},system={header[system]}")
    how = Sentence(f"; add a column 'item', or, if {shown(first)} does, ", told, ".")
    return RolesNeeded(Sentence(lacks, how), header, columns.table.head(8), guess)


def _names_metrics(cells: Sequence[str]) -> bool:
    """Whether a column holds the names of several metrics and nothing else."""
    found = set(cells)
    return len(found) <= MOST_METRICS and are_metrics(sorted(found))


def _likely_scores(columns: Columns, scores: Sequence[int], unit: Sequence[int], system: int) -> list[int]:
    """Columns of scores, known metrics first, those last that are none by their names or content."""
    if len(scores) < 2:
        return list(scores)
    units, systems = codes(joined(columns, unit))[1], codes(columns.texts(system))[1]

    metrics = any(is_metric(columns.header[i]) for i in scores)

    def doubt(column: int) -> int:
        name, found = columns.header[column], columns.parsed(column)
        if says(Kind.NEVER, name) or says(Kind.ANSWER, name):
            return 5
        if says(Kind.SCORE, name) or (found.bad is not None and not metrics):
            return 0
        there = found.values[~np.isnan(found.values)]
        if (there.size and there.min() == there.max()) or same_in(found.values, systems):
            return 5  # a setting of all or of each system
        if same_in(found.values, units):
            return 4
        if is_metric(name) or says(Kind.CORRECT, name):
            return 1
        return 3 if columns.is_verdicts(column) else 2  # beside numbers, verdicts are labels

    return sorted(scores, key=doubt)


def _costs(
    columns: Columns, numbers: Sequence[int], unit: Sequence[int], choices: Choices
) -> tuple[int, ...]:
    """Columns of costs by their names, but for the metric that was asked for and what is told of items."""
    named = [i for i in numbers if is_cost(columns, i) and columns.header[i] != choices.metric]
    if not named:
        return ()
    units = codes(joined(columns, unit))[1]
    return tuple(i for i in named if not same_in(columns.parsed(i).values, units))


def long_roles(header: Sequence[str], layout: LongLayout) -> Roles:
    """The roles of a long layout, for whoever asks about them."""
    roles = dict.fromkeys(header, Role.IGNORED)
    roles |= {header[i]: label_role(header[i]) for i in layout.labels}
    names = () if layout.metric_names is None else (layout.metric_names,)
    places = {
        Role.SCORE: layout.scores,
        Role.RUN: layout.runs,
        Role.RATER: layout.raters,
        Role.COST: layout.costs,
        Role.UNIT: layout.unit,
        Role.METRIC: names,
        Role.SYSTEM: (layout.system,),
    }
    for role, columns in places.items():
        roles |= {header[i]: role for i in columns}
    return Roles(roles=roles, certainty="unsure")


def settled(columns: Columns, layout: LongLayout) -> dict[str, object]:
    """The keywords of `read_scores` that a layout amounts to."""
    return {
        "system_column": columns.header[layout.system],
        **settled_columns(columns.header, layout.unit, layout.labels),
        **({"run_column": id_choice(columns.header, layout.runs)} if layout.runs else {}),
    }
