"""Long tables with a column for each run or rater ("run1", "rater 2"): one row for each."""

import re
from collections.abc import Sequence

from nlpstat_core.errors import some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.table import Table
from nlpstat_core.readers.roles.names import RATERS, RUNS, Kind, is_metric, normal, says

MOST_CELLS = 3_000_000
SCORE = "score"
FEWEST_RUNS = 3
# TREC calls its systems runs, and counts from 1.
_RUN = re.compile(rf"(?:(?P<kind>{RUNS}|resample|split|sample)_?)?(?P<number>\d{{1,4}})")
_NUMBERED = re.compile(rf"(?P<kind>{RUNS}|{RATERS})_?(?P<number>\d{{1,3}})(?:_scores?|_ratings?)?")


def numbered_columns(table: Table, told: Sequence[str] = ()) -> Table:
    """The same table; where its scores stand in columns of runs or raters, one with a row for each.

    told: Columns that the user told something of; a table with one of them among its runs stays as it is.
    """
    matches = {i: match for i, one in enumerate(table.header) if (match := _NUMBERED.fullmatch(normal(one)))}
    kinds = {match["kind"] for match in matches.values()}
    others = [name for i, name in enumerate(table.header) if i not in matches]
    is_long = any(says(Kind.SYSTEM, name) for name in others)
    scored = any(is_metric(name) or says(Kind.SCORE, name) for name in others)
    if len(matches) < 2 or len(kinds) > 1 or not is_long or scored or not set(told) <= set(others):
        return table
    (kind,) = kinds
    many = len(table)
    if many * len(matches) * (len(others) + 2) > MOST_CELLS or {kind, SCORE} & set(others):
        return table
    columns = {name: table.texts(table.header.index(name)) * len(matches) for name in others}
    columns[kind] = [match["number"] for match in matches.values() for _ in range(many)]
    columns[SCORE] = [cell for i in matches for cell in table.texts(i)]
    text = f"The columns {some_shown([table.header[i] for i in matches])} hold one {kind} each."
    return table.long(columns, len(matches), Note("numbered-columns", "info", text))


def runs_side_by_side(names: Sequence[str]) -> str | None:
    """What names count, if runs from 0 or 1: "fold" in fold_1, fold_2 …, "" where they are but numbers.

    >>> runs_side_by_side(["0", "1", "2"]), runs_side_by_side(["fold1", "fold2", "fold3"])
    ('', 'fold')
    >>> runs_side_by_side(["301", "302", "303"]), runs_side_by_side(["system1", "system2", "system3"])
    (None, None)
    """
    found = [_RUN.fullmatch(normal(name)) for name in names]
    kinds = {match["kind"] or "" for match in found if match}
    if len(found) < FEWEST_RUNS or not all(found) or len(kinds) > 1:
        return None
    numbers = sorted(int(match["number"]) for match in found if match)
    first = numbers[0] if numbers[0] < 2 - ("run" in kinds) else -1
    return kinds.pop() if numbers == list(range(first, first + len(found))) else None


def heads_runs(header: Sequence[str]) -> bool:
    """Whether a header that looks like numbers is one of runs: Resamples:, 0, 1, 2 …"""
    first = header[0] if header else ""
    return not any(map(str.isdigit, first)) and runs_side_by_side(header[1:]) is not None
