"""What every column of a table was taken for, and why: for whoever shows it and lets it be changed."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from nlpstat_core.errors import ScoreFileError
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.choices import Choices, choices_from, reading_keywords
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.columns_left_out import only_systems
from nlpstat_core.readers.roles.costs import costs_of_systems
from nlpstat_core.readers.roles.counts import system_and_part
from nlpstat_core.readers.roles.documents import label_role
from nlpstat_core.readers.roles.given import resolved
from nlpstat_core.readers.roles.layout import (
    find_long_layout,
    find_system,
    guessed_system,
    is_long,
    long_roles,
)
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.record import Role, Roles
from nlpstat_core.readers.roles.statistics import may_be_statistic, system_of
from nlpstat_core.readers.roles.units import find_unit, joined
from nlpstat_core.scores.matrix import ScoreMatrix

NAME_SAYS = "its name says so"
TOOL_SAYS = "the format of the file says so"
AS_TOLD = "as you chose"
NO_SCORE = "its name says that it is not a score"
SUMMARY = "it seems to sum up the others"
# Patterns whose names speak for a role.
_SPEAKING = {
    Role.SYSTEM: (Kind.SYSTEM, Kind.MORE_SYSTEM),
    Role.UNIT: (Kind.ID, Kind.MORE_UNIT),
    Role.RUN: (Kind.RUN,),
    Role.RATER: (Kind.RATER,),
    Role.SCORE: (Kind.SCORE,),
    Role.LABEL: (Kind.LABEL,),
    Role.BLOCK: (Kind.DOCUMENT,),
    Role.COST: (Kind.COST,),
}


def roles_seen(table: Table, scores: ScoreMatrix, given: Mapping[str, tuple[str, ...]] | None) -> Roles:
    """The roles all columns of a file had when it was read; those that were told are told so."""
    own = resolved(given, table.header) if given else {}
    choices = replace(choices_from(reading_keywords(scores.reading)), roles=own or None)
    columns = Columns(table)
    roles = _of_reading(columns, scores, choices)
    for role, names in own.items():
        roles |= dict.fromkeys(names, Role(role))
    wide = "system_column" not in scores.reading and not scores.reading.get("systems_as_rows")
    reasons = {name: _reason(columns, name, role, wide=wide) for name, role in roles.items()}
    reasons |= dict.fromkeys((name for names in own.values() for name in names), AS_TOLD)
    all_given = bool(own) and len({name for names in own.values() for name in names}) == len(table.header)
    return Roles(roles=roles, wide=wide, reasons=reasons, certainty="given" if all_given else "likely")


def roles_guessed(table: Table, choices: Choices) -> Roles:
    """The likeliest roles of a table that can't be read ("unsure"): by names first, then by content."""
    columns = Columns(table)
    try:
        roles, wide = _long_guess(columns, choices), False
    except ScoreFileError:
        roles, wide = {}, True
    if not roles:
        roles, wide = _wide_guess(columns), True
    for role, names in (choices.roles or {}).items():
        roles |= {name: Role(role) for name in names if name in roles}
    reasons = {name: _reason(columns, name, role, wide=wide) for name, role in roles.items()}
    return Roles(roles=roles, wide=wide, reasons=reasons, certainty="unsure")


def with_reasons(table: Table, guess: Roles) -> Roles:
    """The same roles with a reason for each column that has none."""
    columns = Columns(table)
    known = {name: role for name, role in guess.roles.items() if name in table.header}
    reasons = {name: _reason(columns, name, role, wide=guess.wide) for name, role in known.items()}
    return replace(guess, reasons={**reasons, **guess.reasons})


def _of_reading(columns: Columns, scores: ScoreMatrix, choices: Choices) -> dict[str, Role]:
    header, reading = columns.header, scores.reading
    roles = dict.fromkeys(header, Role.IGNORED)
    if reading.get("systems_as_rows"):
        return dict.fromkeys(header, Role.UNIT) | {str(reading["system_column"]): Role.SYSTEM}
    if reading["format"] == "columns":
        systems = header[1:] if reading.get("id_column") else header
        return dict.fromkeys(header, Role.UNIT) | dict.fromkeys(systems, Role.SYSTEM)
    if reading["format"] == "system-score":
        return dict(zip(header, (Role.SYSTEM, Role.SCORE), strict=True))
    system = reading.get("system_column")
    if system in header:
        layout = find_long_layout(columns, header.index(str(system)), choices)
        roles = dict(long_roles(header, layout).roles)
        roles |= dict.fromkeys(_doubtful(header, roles, scores.metric), Role.IGNORED)
    else:
        own = [name for name in header if name in set(scores.systems)]
        roles |= {name: label_role(name) for name in scores.labels} | dict.fromkeys(own, Role.SYSTEM)
        ids = reading.get("id_column")
        roles |= dict.fromkeys(ids if isinstance(ids, (list, tuple)) else [ids] if ids else [], Role.UNIT)
        among = [i for i, name in enumerate(header) if name and roles[name] in (Role.SYSTEM, Role.IGNORED)]
        costs = costs_of_systems(columns, among) if scores.costs else {}
        roles |= {header[i]: Role.COST for i in costs}
        if not own and scores.counts is None:  # the systems are the files
            if not ids and scores.units is not None:
                unit = find_unit(columns, choices)
                known = bool(unit) and set(joined(columns, unit)) <= set(scores.units)
                roles |= dict.fromkeys((header[i] for i in unit if known), Role.UNIT)
            free = [name for name in header if roles.get(name) == Role.IGNORED]
            numbers = [name for name in free if not columns.is_text(header.index(name))]
            roles |= dict.fromkeys((name for name in numbers if name in scores.costs), Role.COST)
            numbers = [name for name in numbers if name not in scores.costs]
            numbers.sort(key=lambda name: name != scores.metric)
            runs = () if scores.runs is None else scores.runs.names[0]
            side_by_side = bool(runs) and set(runs) <= set(numbers)
            roles |= dict.fromkeys(runs, Role.RUN) if side_by_side else dict.fromkeys(numbers[:1], Role.SCORE)
    if scores.counts is not None:
        roles |= {name: Role.COUNT for name in header if system_and_part(name) and name != system}
    return {name: role for name, role in roles.items() if name in header}


def _doubtful(header: tuple[str, ...], roles: Mapping[str, Role], metric: str | None) -> list[str]:
    """Columns of numbers of a long table that are no metrics by their names."""
    numbers = [name for name in header if roles[name] == Role.SCORE and name != metric]
    return [name for name in numbers if says(Kind.NEVER, name) or says(Kind.ANSWER, name)]


def _long_guess(columns: Columns, choices: Choices) -> dict[str, Role]:
    system = find_system(columns.header, choices) if is_long(columns.table, choices) else None
    system = guessed_system(columns, choices) if system is None else system
    if system is None:
        return {}
    return dict(long_roles(columns.header, find_long_layout(columns, system, choices)).roles)


def _wide_guess(columns: Columns) -> dict[str, Role]:
    """Ids by their name, text to labels, numbers to systems unless their values speak against it, too."""
    roles: dict[str, Role] = {}
    numbers = [i for i, name in enumerate(columns.header) if name and not columns.is_text(i)]
    for i, name in enumerate(columns.header):
        if Role.UNIT not in roles.values() and (says(Kind.ID, name) or says(Kind.MORE_UNIT, name)):
            roles[name] = Role.UNIT
        elif columns.is_text(i) or says(Kind.LABEL, name):
            roles[name] = label_role(name)
        else:
            roles[name] = Role.SYSTEM if name else Role.IGNORED
    own = [i for i in numbers if roles[columns.header[i]] == Role.SYSTEM]
    kept, _ = only_systems(columns, own)
    return roles | {columns.header[i]: Role.IGNORED for i in own if i not in kept}


def _reason(columns: Columns, name: str, role: Role, *, wide: bool) -> str:
    """Why a column has its role, in a few words."""
    place = columns.header.index(name)
    if role == Role.IGNORED:
        if says(Kind.NEVER, name):
            return NO_SCORE
        if may_be_statistic(name) or system_of(name)[0]:
            return SUMMARY
        return "text that no result needs" if columns.is_text(place) else "its numbers don't look like scores"
    if any(says(kind, name) for kind in _SPEAKING.get(role, ())) and not (wide and role == Role.SYSTEM):
        return NAME_SAYS
    if role == Role.SYSTEM:
        return "numbers: its name is the system" if wide else "few names, each with the same test items"
    if role == Role.UNIT:
        return "its values tell the rows apart"
    if role == Role.SCORE:
        return "numbers"
    if role == Role.COUNT:
        return "whole numbers; its name says what is counted"
    distinct = len(np.unique(np.asarray(columns.texts(place)[:10_000], dtype=object).astype(str)))
    kind = "text" if columns.is_text(place) else "numbers"
    return f"{kind}, the same in every row" if distinct == 1 else f"{kind} with {distinct:,} different values"
