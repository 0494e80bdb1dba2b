"""Which columns of a long table hold the systems, the units, the runs, the labels and the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.cells import mostly_text
from nlpstat_core.readers.choices import Choices
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.layout import check_known
from nlpstat_core.readers.names import (
    DOCUMENT_NAME,
    GROUP_NAME,
    ID_NAME,
    LABEL_NAME,
    METRIC_NAME,
    RUN_NAME,
    SYSTEM_NAME,
    absent,
    normal,
    says,
)
from nlpstat_core.readers.pivot import codes
from nlpstat_core.readers.unitids import told_names


@dataclass(frozen=True)
class LongLayout:
    """Roles of the columns of a long table, as positions.

    Attributes
    ----------
    system : int
    unit : tuple of int
        Columns that make the unit ids together, mostly one.
    runs : tuple of int
    metric_names : int or None
        Column that names the metric of each row.
    labels : tuple of int
    scores : tuple of int
        Columns of numbers, the file's order.
    """

    system: int
    unit: tuple[int, ...]
    runs: tuple[int, ...]
    metric_names: int | None
    labels: tuple[int, ...]
    scores: tuple[int, ...]


def find_system(header: Sequence[str], choices: Choices) -> int | None:
    """The column that names the systems: told, or by its name; "system" goes before "model" and others.

    Parameters
    ----------
    header : sequence of str
    choices : Choices

    Returns
    -------
    int or None

    Raises
    ------
    ScoreFileError
        The column that was told isn't there.
    """
    if choices.system_column is not None:
        if choices.system_column not in header:
            raise ScoreFileError(f"{absent('column', choices.system_column, header)}.")
        return list(header).index(choices.system_column)
    taken = {*(choices.label_columns or ()), *told_names(choices, header)}
    found = [i for i, name in enumerate(header) if says(SYSTEM_NAME, name) and name not in taken]
    if not found:  # TREC calls its systems runs
        found = [i for i, name in enumerate(header) if normal(name) == "run" and name not in taken]
    return min(found, key=lambda i: (not header[i].lower().startswith("sys"), i), default=None)


def unit_candidates(header: Sequence[str], system: int, choices: Choices) -> list[int]:
    """Columns that may hold the unit ids, the likeliest first.

    Parameters
    ----------
    header : sequence of str
    system : int
    choices : Choices

    Returns
    -------
    list of int
    """
    told = told_names(choices, header)
    if told:
        return [list(header).index(name) for name in told if name in header]
    others = [i for i in range(len(header)) if i != system]
    named = [i for i in others if says(ID_NAME, header[i])]
    return named + [i for i in others if says(DOCUMENT_NAME, header[i])]


def columns_of_text(header: Sequence[str], system: int, choices: Choices) -> set[int]:
    """Columns of a long table that are to be kept as written, whatever they hold.

    Parameters
    ----------
    header : sequence of str
    system : int
    choices : Choices

    Returns
    -------
    set of int
    """
    kinds = (ID_NAME, LABEL_NAME, RUN_NAME, METRIC_NAME)
    told = {*(choices.label_columns or ()), *told_names(choices, header)}
    named = {i for i, name in enumerate(header) if name in told or any(says(kind, name) for kind in kinds)}
    return {system} | named


def find_long_layout(columns: Columns, system: int, choices: Choices) -> LongLayout:
    """Roles from the user's choices, the names and the content.

    Parameters
    ----------
    columns : Columns
    system : int
    choices : Choices

    Returns
    -------
    LongLayout

    Raises
    ------
    ScoreFileError
        No column of unit ids, or none of scores.
    """
    header = columns.header
    check_known(header, choices)
    rest = [i for i in range(len(header)) if i != system]
    runs = tuple(i for i in rest if says(RUN_NAME, header[i]))
    metric_names = next((i for i in rest if says(METRIC_NAME, header[i]) and _is_text(columns, i)), None)
    candidates = [i for i in unit_candidates(header, system, choices) if i not in runs]
    if not candidates:
        raise ScoreFileError(
            f"column {shown(header[system])} names systems, but no column names the units; "
            "add a column 'item', or say id_column."
        )
    keys = [system, *runs, *([] if metric_names is None else [metric_names])]
    unit = tuple(candidates) if told_names(choices, header) else _find_unit(columns, candidates, keys)
    used = {unit[0] if len(unit) == 1 else -1, metric_names, *runs}
    free = [i for i in rest if i not in used and header[i]]
    if choices.label_columns is None:
        labels = {i for i in free if _is_text(columns, i)}
        labels |= {i for i in free if says(LABEL_NAME, header[i]) or says(ID_NAME, header[i])}
        labels -= {i for i in unit if not says(LABEL_NAME, header[i])}
    else:
        labels = {i for i in free if header[i] in choices.label_columns}
    scores = [i for i in free if i not in {*labels, *unit} and not _is_text(columns, i)]
    if not scores:
        raise ScoreFileError("no numbers in any column beside the units and systems; add a column 'score'.")
    return LongLayout(system, unit, runs, metric_names, tuple(sorted(labels)), tuple(scores))


def _is_text(columns: Columns, column: int) -> bool:
    return column in columns.texts and mostly_text(columns.texts[column], columns.decimal)


def _find_unit(columns: Columns, candidates: Sequence[int], keys: Sequence[int]) -> tuple[int, ...]:
    """The column that tells the rows of a system apart, else with a column of groups, or with all of them.

    Ids that start again in every document are no ids without the document.
    """
    known = {i: codes(columns.texts[i])[1] for i in {*candidates, *keys}}
    for candidate in candidates:
        if _identifies([candidate], keys, known):
            return (candidate,)
    first = candidates[0]
    groups = [i for i in sorted(columns.texts) if i not in {first, *keys} and _groups(columns.header[i])]
    known |= {i: codes(columns.texts[i])[1] for i in groups}
    for group in groups:
        if _identifies([group, first], keys, known):
            return tuple(sorted((group, first)))
    if len(groups) > 1 and _identifies([*groups, first], keys, known):
        return tuple(sorted((*groups, first)))
    return (first,)


def _groups(name: str) -> bool:
    """Whether a column's name says that it holds what units belong to."""
    return says(LABEL_NAME, name) or says(GROUP_NAME, name)


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
