"""Data sets inside one file: a column of labels that names them, and the rows of one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.errors import Remedy, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.scores.matrix import columns_of, rows_of

MOST_DATASETS = 1_000  # a column with more names is no column of data sets that anybody compares


def dataset_column(labels: Mapping[str, Sequence[str]], given: str | None = None) -> str | None:
    """The column of labels that names data sets: told, or called so with two names that come back.

    >>> dataset_column({"doc": ["1", "2", "3", "4"], "Test set": ["x", "x", "y", "y"]})
    'Test set'
    """
    if given is not None:
        if given not in labels:
            there = list(labels) or ["no column of labels"]
            raise ScoreFileError(f"{absent('column of labels', given, there)}.")
        return given
    for name, cells in labels.items():
        if says(Kind.DATASET, name) and 1 < len(dataset_names(cells)) <= min(MOST_DATASETS, len(cells) // 2):
            return name
    return None


def dataset_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Names of the data sets in the order of the file; rows without a name belong to none."""
    return tuple(name for name in dict.fromkeys(cells) if name)


def one_dataset(part: Part, choices: Choices) -> Part:
    """The rows of the chosen data set, if one was chosen, and the systems that have scores there."""
    if choices.dataset is None or part.reading.get("dataset") == choices.dataset:
        return part  # the data set is a file of its own, the only one that was read
    column = dataset_column(part.labels, choices.dataset_column)
    if column is None:
        raise ScoreFileError("no column names data sets; ", Remedy("dataset_column"), ".")
    cells = part.labels[column]
    if choices.dataset not in cells:
        raise ScoreFileError(f"{absent('data set', choices.dataset, dataset_names(cells))}.")
    rows = [i for i, cell in enumerate(cells) if cell == choices.dataset]
    there = np.flatnonzero(~np.isnan(part.values[rows]).all(axis=0)).tolist()
    if not there:
        raise ScoreFileError(f"the data set {shown(choices.dataset)} has no scores; choose another.")
    return replace(
        columns_of(rows_of(part, rows), there),
        reading={**part.reading, "dataset": choices.dataset, "dataset_column": column},
        notes=(*part.notes, *_not_here(part.systems, len(there))),
    )


def _not_here(systems: Sequence[str], here: int) -> tuple[Note, ...]:
    if here == len(systems):
        return ()
    text = f"{here:,} of the file's {len(systems):,} systems have scores in this data set."
    return (Note("systems-not-in-dataset", "info", text),)
