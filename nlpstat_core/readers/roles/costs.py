"""Columns of what outputs cost (money, time, tokens, length): kept beside the scores, never as scores."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.coding import means_at
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.columns_left_out import is_clock
from nlpstat_core.readers.roles.names import Kind, normal, says
from nlpstat_core.readers.roles.scores_beside import Beside


def is_cost(columns: Columns, column: int) -> bool:
    """Whether a column is called like a cost and holds numbers that are no times of day.

    The same number in every row of an item is the item's, not a system's: see `same_in`.
    """
    if not says(Kind.COST, columns.header[column]) or columns.is_text(column):
        return False
    found = columns.parsed(column)
    return found.bad is None and bool(np.isfinite(found.values).any()) and not is_clock(found.values)


def same_in(values: FloatArray, groups: IntArray) -> bool:
    """Whether a column tells something of units (or of systems): the same number in all rows of each."""
    order = np.argsort(groups, kind="stable")
    same = groups[order][1:] == groups[order][:-1]
    return bool(same.any()) and bool((values[order][1:][same] == values[order][:-1][same]).all())


def costs_of_systems(
    columns: Columns, among: Sequence[int], told: Sequence[int] = ()
) -> dict[int, tuple[int, str]]:
    """Columns called like most other columns of numbers and a cost: A_latency and B_latency beside A and B.

    told: Those that are told to be costs.
    Returns: The column of the system, and what is left of the name, by column. Lengths that look like scores
        (of a system with a penalty of length, say) are left to whoever is asked about them.
    """
    costs = [i for i in among if i in told or is_cost(columns, i)]
    others = {normal(columns.header[i]): i for i in among if i not in costs}
    found: dict[int, tuple[int, str]] = {}
    for i in costs:
        name = normal(columns.header[i])
        base = max((own for own in others if own and name.startswith(f"{own}_")), key=len, default="")
        rest = name[len(base) + 1 :]
        if base and (i in told or says(Kind.COST, rest)):
            found[i] = (others[base], rest)
    for kind in {kind for i, (_, kind) in found.items() if i not in told}:
        own = [i for i in found if found[i][1] == kind and i not in told]
        beside = Beside.of(columns, list(others.values()))
        alike = kind in ("length", "len") and any(beside.has_like(columns, i) for i in own)
        if len(own) < 2 or 2 * len(own) < len(others) or alike:
            found = {i: told for i, told in found.items() if i not in own}
    return found


def wide_costs(
    columns: Columns, found: Mapping[int, tuple[int, str]], systems: Sequence[int]
) -> dict[str, FloatArray]:
    """Costs of a wide table, shape (n_units, n_systems) each; NaN for systems without such a column."""
    costs: dict[str, FloatArray] = {}
    for column, (system, kind) in found.items():
        if system in systems:
            empty = np.full((len(columns.table), len(systems)), np.nan)
            costs.setdefault(kind, empty)[:, list(systems).index(system)] = columns.parsed(column).values
    return costs


def long_costs(
    cells: tuple[Sequence[str], Sequence[str]],
    names: tuple[Sequence[str], Sequence[str]],
    columns: Mapping[str, FloatArray],
) -> dict[str, FloatArray]:
    """Costs of a long table, shape (n_units, n_systems) each; those of several rows of a cell as their mean.

    cells: Unit and system of every row.
    names: Units and systems of the matrix.
    columns (float arrays, shape (n_rows,)): By name; NaN in rows that hold none.
    """
    units, systems = ({name: place for place, name in enumerate(own)} for own in names)
    rows = np.array([units.get(unit, -1) for unit in cells[0]], dtype=np.int64)
    places = np.array([systems.get(system, -1) for system in cells[1]], dtype=np.int64)
    there = (rows >= 0) & (places >= 0)
    where = rows[there] * len(systems) + places[there]
    shape = (len(units), len(systems))
    return {
        name: means_at(where, values[there], len(units) * len(systems)).reshape(shape)
        for name, values in columns.items()
        if np.isfinite(values[there]).any()
    }


def costs_note(costs: Mapping[str, FloatArray]) -> tuple[Note, ...]:
    """Say which columns are costs."""
    if not costs:
        return ()
    text = f"Kept as costs beside the scores, never as scores: {some_shown(list(costs))} (choose with roles)."
    return (Note("costs-kept", "info", text),)
