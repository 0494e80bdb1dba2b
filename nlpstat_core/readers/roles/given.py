"""Roles as people tell them: on the command line, in a settings file, or from a menu on every column."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpstat_core.errors import ConfigError, Remedy, ScoreFileError, shown, unknown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.cells import is_text
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.record import Role

if TYPE_CHECKING:
    from nlpstat_core.readers.roles.choices import Choices

MOST_ALONE = 20  # rows from which on a system in each is a mistake
EXAMPLE = "unit=utt_id,system=model,score=wer"
BESIDE, JOINT = "+", " / "  # several columns of one role, and what stands between names that make one
_ROLES = tuple(map(str, Role))


def parsed_roles(given: Any) -> dict[str, tuple[str, ...]]:
    """Role → columns, from text, from role → columns, or from column → role.

    >>> parsed_roles("unit=doc+seg,system=model")
    {'unit': ('doc+seg',), 'system': ('model',)}
    >>> parsed_roles({"utt": "unit", "m1": "system", "m2": "system"})
    {'unit': ('utt',), 'system': ('m1', 'm2')}
    """
    pairs: list[tuple[str, str]] = []
    if isinstance(given, str):
        for part in next(csv.reader([given], skipinitialspace=True), []) if given.strip() else []:
            role, sign, column = part.partition("=")
            if not sign:
                raise ConfigError(f"roles are written as {EXAMPLE}, not {shown(part)}.")
            pairs.append((role.strip(), column.strip()))
    elif isinstance(given, Mapping):
        named = all(key in _ROLES for key in given)
        for key, value in given.items():
            if named:
                pairs += [(str(key), column) for column in _names(value)]
            else:
                pairs.append((str(value), str(key)))
    else:
        raise ConfigError(f"roles must be text such as {EXAMPLE}, or a mapping, not {shown(given)}.")
    found: dict[str, tuple[str, ...]] = {}
    for role, column in pairs:
        if role not in _ROLES:
            raise ConfigError(unknown("role", role, _ROLES))
        found[role] = (*found.get(role, ()), column)
    return found


def written_roles(role: Role, names: Sequence[str]) -> str:
    """One role of several columns as text.

    >>> written_roles(Role.IGNORED, ["a, b", "c"])
    '"ignored=a, b",ignored=c'
    """
    target = io.StringIO()
    csv.writer(target, lineterminator="").writerow([f"{role}={name}" for name in names])
    return target.getvalue()


def _names(value: Any) -> Sequence[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value):
        return value
    raise ConfigError(f"the columns of a role must be names, not {shown(value)}.")


def resolved(given: Mapping[str, Sequence[str]], header: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The same roles with columns of the header: "doc+seg" are two where no column is called so."""
    found: dict[str, tuple[str, ...]] = {}
    taken: dict[str, str] = {}
    for role, names in given.items():
        columns: list[str] = []
        for name in names:
            parts = [part.strip() for part in name.split(BESIDE)]
            if name in header:
                columns.append(name)
            elif len(parts) > 1 and set(parts) <= set(header):
                columns += parts
            elif role == Role.UNIT and name == "none":
                continue
            else:
                raise ScoreFileError(f"{absent('column', name, [name for name in header if name])}.")
        for column in columns:
            if taken.setdefault(column, role) != role:
                raise ScoreFileError(f"column {shown(column)} can't be both {taken[column]} and {role}.")
        found[role] = tuple(columns)
    return found


def table_as_given(table: Table, choices: Choices, ids: str = "") -> tuple[Table, Choices]:
    """The table without the rows that were told to be left out; bad cells are missing where that was told.

    Numbers are looked for in the column `ids`, else the first. The choices come back without what was done,
    so that nothing is done twice.
    """
    if choices.bad_cells == "missing":
        table = replace(table, bad_missing=True)
    given = dict.fromkeys(name for name in choices.drop_rows or () if name != "none")  # which keeps rows
    if not given:
        return table, choices
    words = {name for name in given if is_text(name, table.decimal)}
    out: set[int] = set()
    for place, cells in enumerate(table.columns):
        wanted = given if (table.header[place] == ids if ids else not place) else words
        if wanted and not isinstance(cells, np.ndarray):
            out.update(row for row, cell in enumerate(table.texts(place)) if cell in wanted)
    named = ", ".join(map(shown, [*given][:5]))
    if out:
        many = "1 row was" if len(out) == 1 else f"{len(out):,} rows were"
        note = Note("rows-dropped", "info", f"{many} left out, as requested ({named}).")
        table = table.take([row for row in range(len(table)) if row not in out])
    else:
        note = Note("rows-dropped", "caution", f"No row holds {named}; nothing was left out.")
    return replace(table, notes=(*table.notes, note)), replace(choices, drop_rows=None)


def with_joined_systems(table: Table, systems: Sequence[str]) -> tuple[Table, str]:
    """The table with one column that names the systems by several (model and prompt), and its name."""
    if len(systems) == 1:
        return table, systems[0]
    name = JOINT.join(systems)
    columns = [table.texts(column) for column in systems]
    cells = [JOINT.join(parts) if all(parts) else "" for parts in zip(*columns, strict=True)]
    if len(cells) >= MOST_ALONE and len(set(cells)) > 0.9 * len(cells):
        fewest = min(systems, key=lambda column: len(set(table.texts(column))))
        many = f"the columns {' and '.join(map(shown, systems))} make {len(set(cells)):,} systems"
        told = Remedy("roles", f"system={fewest}")
        raise ScoreFileError(f"{many}, nearly one per row, that share no item; ", told, " alone.")
    return table.with_column(name, cells), name
