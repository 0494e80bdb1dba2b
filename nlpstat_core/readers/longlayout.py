"""Which columns of a long table hold the systems, the units, the runs, the labels and the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.errors import ScoreFileError, shown
from nlpstat_core.readers.columns import Columns
from nlpstat_core.readers.layout import check_known, mostly_text
from nlpstat_core.readers.names import (
    DOCUMENT_NAME,
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
from nlpstat_core.readers.record import Choices


@dataclass(frozen=True)
class LongLayout:
    """Roles of the columns of a long table, as positions.

    Attributes
    ----------
    system : int
    unit : int
    runs : tuple of int
    metric_names : int or None
        Column that names the metric of each row.
    labels : tuple of int
    scores : tuple of int
        Columns of numbers, the file's order.
    """

    system: int
    unit: int
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
    taken = {*(choices.label_columns or ()), choices.id_column}
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
    if choices.id_column:
        return [list(header).index(choices.id_column)] if choices.id_column in header else []
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
    told = {*(choices.label_columns or ()), choices.id_column}
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
    unit = next((i for i in candidates if _identifies(columns, i, keys)), candidates[0])
    free = [i for i in rest if i not in {unit, metric_names, *runs} and header[i]]
    if choices.label_columns is None:
        labels = {i for i in free if _is_text(columns, i)}
        labels |= {i for i in free if says(LABEL_NAME, header[i]) or says(ID_NAME, header[i])}
    else:
        labels = {i for i in free if header[i] in choices.label_columns}
    scores = [i for i in free if i not in labels and not _is_text(columns, i)]
    if not scores:
        raise ScoreFileError("no numbers in any column beside the units and systems; add a column 'score'.")
    return LongLayout(system, unit, runs, metric_names, tuple(sorted(labels)), tuple(scores))


def _is_text(columns: Columns, column: int) -> bool:
    return column in columns.texts and mostly_text(columns.texts[column], columns.decimal)


def _identifies(columns: Columns, unit: int, keys: Sequence[int]) -> bool:
    """Whether a column of units names each row of a system once, and units come back in other systems."""
    units, row_keys = codes(columns.texts[unit])
    for key in keys:
        names, more = codes(columns.texts[key])
        row_keys = row_keys * len(names) + more
    n_rows = len(row_keys)
    return len(units) < n_rows and np.unique(row_keys).size == n_rows
