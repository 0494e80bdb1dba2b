"""Label columns that name documents, those compared by default among them, or data sets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.errors import Remedy, ScoreFileError, shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.open.limits import absent
from nlpstat_core.readers.part import Part
from nlpstat_core.readers.roles.choices import Choices
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.scores.matrix import ScoreMatrix, columns_of, rows_of

FEWEST_DOCUMENTS = 10
# Names that say nothing but "document"; they go before talks, threads and the like.
_PLAINLY = re.compile("doc.*")


def label_role(name: str) -> Role:
    """The role of a label column by its name.

    >>> str(label_role("Talk ID")), str(label_role("domain"))
    ('block', 'label')
    """
    return Role.BLOCK if says(Kind.DOCUMENT, name) else Role.LABEL


def document_columns(scores: ScoreMatrix) -> tuple[str, ...]:
    """Label columns with the role of documents: told, or by their names where no other role was told.

    Returns: Those that were told first, then those called documents, then the order of the file.

    >>> labels = {"repo": "xxy", "talk": "aab", "doc_id": "ccd"}
    >>> document_columns(ScoreMatrix(values=np.eye(3), systems="ABC", labels=labels))
    ('doc_id', 'talk')
    """
    told = _told(scores)
    found = [
        name
        for name in scores.labels
        if told.get(name) == Role.BLOCK
        or (told.get(name, Role.UNIT) == Role.UNIT and label_role(name) == Role.BLOCK)
    ]
    return tuple(sorted(found, key=lambda name: _explicit(told, name)))


def _explicit(told: Mapping[str, str], name: str) -> int:
    """0 for a column that was told to name documents, 1 for one that is called so, 2 for the rest."""
    return 0 if told.get(name) == Role.BLOCK else 1 if says(_PLAINLY, name) else 2


def _told(scores: ScoreMatrix) -> dict[str, str]:
    """Column → role, as far as somebody said so."""
    roles: Mapping[str, Sequence[str]] = scores.reading.get("roles", {})
    return {name: role for role, names in roles.items() for name in names}


def compared_documents(scores: ScoreMatrix, *, complete: bool = False) -> tuple[str, ...]:
    """Columns whose documents the recommended tests compare, the one they take first.

    complete: Only units that every system has are compared.
    Returns: Columns with the role of documents that name one for every row, ten or more where systems can be
        compared, and fewer than there are such rows. Of several, as `document_columns` orders them, and among
        equals the one with more documents.
    """
    there = scores.present
    compared = np.asarray(there.all(axis=1) if complete else there.sum(axis=1) >= 2)
    n_units = int(compared.sum())
    counted = {name: n_documents(scores, name, compared) for name in document_columns(scores)}
    several = [name for name, count in counted.items() if FEWEST_DOCUMENTS <= count < n_units]
    fit = [name for name in several if all(scores.labels[name])]
    told = _told(scores)
    return tuple(sorted(fit, key=lambda name: (_explicit(told, name), -counted[name])))


def n_documents(scores: ScoreMatrix, column: str, rows: BoolArray | None = None) -> int:
    """How many documents a label column names on some of the rows, or on all that have a score."""
    rows = np.asarray(scores.present.any(axis=1)) if rows is None else rows
    return int(np.unique(np.array(scores.labels[column], dtype=str)[rows]).size)


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
