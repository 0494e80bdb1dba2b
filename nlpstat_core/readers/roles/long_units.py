"""Which column of a long table names the units: each row of a system once, and again in other systems."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.readers.roles.coding import codes
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.units import groups

MOST_CANDIDATES, MOST_ROWS, LONGEST = 8, 100_000, 50


def find_long_unit(columns: Columns, candidates: Sequence[int], keys: Sequence[int]) -> tuple[int, ...]:
    """The column that tells the rows of a system apart, else with a column of groups, or with all of them.

    Ids that start again in every document are no ids without the document. Where no name says what the
    ids are, columns of text or whole numbers that come back in other systems will do.
    """
    known: dict[int, IntArray] = {}

    def fits(units: Sequence[int]) -> bool:
        return identifies(columns, units, keys, known)

    for candidate in candidates:
        if fits([candidate]):
            return (candidate,)
    names = range(len(columns.header))
    if candidates:
        first = candidates[0]
        beside = [i for i in names if i not in {first, *keys} and groups(columns.header[i])]
        found = _together(first, beside, fits)
        if found:
            return found
    for pair in combinations(candidates[:MOST_CANDIDATES], 2):
        if fits(pair):
            return tuple(sorted(pair))
    by_content = [i for i in names if i not in {*keys, *candidates} and may_be_ids(columns, i)]
    if candidates:  # a number is no unit where another column's name says that it is
        by_content = [i for i in by_content if columns.is_text(i)]
    for column in by_content[:MOST_CANDIDATES]:
        if fits([column]):
            return (column,)
    return tuple(candidates[:1])


def joint_units(columns: Columns) -> str:
    """The roles of a table in which two or three columns name together what comes back under every system."""
    header = columns.header
    short = [i for i, name in enumerate(header) if 0 < len(name) <= LONGEST and not says(Kind.TIME, name)]
    names = [i for i in short if may_be_ids(columns, i)]
    systems = [i for i in names if says(Kind.ACTOR, header[i]) and columns.is_text(i)]
    if not systems or len(columns.table) > MOST_ROWS:
        return ""
    known = {i: codes(columns.texts(i))[1] for i in names[:MOST_CANDIDATES]}
    for size in (2, 3):
        for units in combinations([i for i in known if i != systems[0]], size):
            if systems[0] in known and crosses(units, systems[:1], known):
                return f"unit={'+'.join(header[i] for i in units)},system={header[systems[0]]}"
    return ""


def _together(first: int, beside: Sequence[int], fits: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
    """A column of ids with one column of groups, or with all of them; empty where this is no help."""
    for group in beside:
        if fits([group, first]):
            return tuple(sorted((group, first)))
    if len(beside) > 1 and fits([*beside, first]):
        return tuple(sorted((*beside, first)))
    return ()


def may_be_ids(columns: Columns, column: int) -> bool:
    """Whether a column may name units by its content: text, or whole numbers that are no times."""
    name = columns.header[column]
    if not name or says(Kind.SCORE, name) or (says(Kind.NEVER, name) and not says(Kind.COMPANION, name)):
        return False
    return columns.is_text(column) or columns.is_whole(column)


def crosses(units: Sequence[int], keys: Sequence[int], known: Mapping[int, IntArray]) -> bool:
    """Whether units come back under at least half of the systems, each once."""
    if not _identifies(units, keys, known):
        return False
    system = known[keys[0]]
    n_units = int(_combined(units, known).max()) + 1
    n_pairs = int(_combined([*units, keys[0]], known).max()) + 1
    return 2 * n_pairs >= n_units * (int(system.max()) + 1)


def identifies(
    columns: Columns, units: Sequence[int], keys: Sequence[int], known: dict[int, IntArray] | None = None
) -> bool:
    """The same of columns of a table, whose codes are kept in `known`."""
    known = {} if known is None else known
    for i in (*units, *keys):
        if i not in known:
            known[i] = codes(columns.texts(i))[1]
    return _identifies(units, keys, known)


def _identifies(units: Sequence[int], keys: Sequence[int], known: Mapping[int, IntArray]) -> bool:
    """Whether columns of units name each row of a system once, and units come back in other systems."""
    unit_codes = _combined(units, known)
    row_codes = _combined([*units, *keys], known)
    n_rows = len(row_codes)
    return int(unit_codes.max()) + 1 < n_rows and int(row_codes.max()) + 1 == n_rows


def _combined(columns: Sequence[int], known: Mapping[int, IntArray]) -> IntArray:
    """One code for each distinct combination; renumbered at each step, so that no product overflows."""
    combined = known[columns[0]]
    for column in columns[1:]:
        more = known[column]
        combined = np.unique(combined * (int(more.max()) + 1) + more, return_inverse=True)[1]
    return combined
