"""Score matrices from counts per unit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.errors import ScoreError
from nlpstat_core.scores.counts import Counts, first_place
from nlpstat_core.scores.matrix import ScoreMatrix


def accuracy_matrix(
    correct: ArrayLike, total: ArrayLike, systems: Sequence[str], **fields: Any
) -> ScoreMatrix:
    """A score matrix made of correct answers and totals per item; `analyse` takes it like any other.

    Parameters
    ----------
    correct : array-like, shape (n_units, n_systems)
        Correct items; NaN where missing.
    total : array-like, shape (n_units, n_systems) or (n_units, 1)
        Items of each unit.
    systems : sequence of str
    **fields
        Further fields of ScoreMatrix: units, labels, source …

    Returns
    -------
    ScoreMatrix
        `values` are the units' own accuracies; scores of systems are micro-averaged.

    Raises
    ------
    ScoreError
        Counts that are negative or not whole, more correct items than items.

    Examples
    --------
    >>> accuracy_matrix([[3, 1], [1, 2]], [[4], [2]], ["A", "B"]).values.tolist()
    [[0.75, 0.25], [0.5, 1.0]]
    """
    hits = np.asarray(correct, dtype=np.float64)
    if hits.ndim != 2:
        raise ScoreError(f"Counts need two dimensions (items × systems), not {hits.ndim}.")
    items = np.broadcast_to(np.asarray(total, dtype=np.float64), hits.shape)
    over = hits > items
    if over.any():
        raise ScoreError(f"{first_place(over)}: there are more correct items than items.")
    # A shared total stands in every column; a cell is missing when its own count is.
    misses = np.where(np.isnan(hits), np.nan, items - hits)
    return count_matrix(Counts(kind="accuracy", hits=hits, misses=misses), systems, **fields)


def f1_matrix(
    tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, systems: Sequence[str], **fields: Any
) -> ScoreMatrix:
    """A score matrix made of true positives, false positives and false negatives per item.

    Parameters
    ----------
    tp, fp, fn : array-like, shape (n_units, n_systems)
        NaN where missing.
    systems : sequence of str
    **fields
        Further fields of ScoreMatrix: units, labels, source …

    Returns
    -------
    ScoreMatrix
        `values` are the units' own F1 = tp/(tp + (fp + fn)/2), 0 where all three are 0; scores of systems
        are micro-averaged.

    Raises
    ------
    ScoreError
        Counts that are negative or not whole.

    Examples
    --------
    >>> f1_matrix([[2, 1], [0, 0]], [[0, 1], [0, 0]], [[0, 1], [0, 3]], ["A", "B"]).values.tolist()
    [[1.0, 0.5], [0.0, 0.0]]
    """
    hits, extra, missed = (np.asarray(table, dtype=np.float64) for table in (tp, fp, fn))
    if not hits.shape == extra.shape == missed.shape:
        raise ScoreError(f"tp, fp and fn differ in shape: {hits.shape}, {extra.shape} and {missed.shape}.")
    for table in (extra, missed):
        if (table < 0).any():
            raise ScoreError(f"{first_place(table < 0)}: counts must be whole numbers, 0 or more.")
    return count_matrix(Counts(kind="f1", hits=hits, misses=extra + missed), systems, **fields)


def count_matrix(counts: Counts, systems: Sequence[str], **fields: Any) -> ScoreMatrix:
    """A score matrix whose scores are made of counts; `fields` are further ones of ScoreMatrix."""
    fields = {"metric": counts.kind, **fields}
    return ScoreMatrix(values=counts.unit_scores(), systems=tuple(systems), counts=counts, **fields)
