"""Label columns that name documents, and those whose documents are compared by default."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from nlpstat_core.arrays import BoolArray
from nlpstat_core.readers.roles.names import Kind, says
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.scores.matrix import ScoreMatrix

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
