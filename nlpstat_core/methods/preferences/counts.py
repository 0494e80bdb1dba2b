"""Sufficient counts: how often each two systems met, and with what outcome."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.scores.battles import Battles


@dataclass(frozen=True)
class PairCounts:
    """Outcomes of the pairs of systems that met, one row a pair.

    n_systems: Number of systems.
    left, right (integers, shape (n_pairs,)): Systems of a pair, left before right.
    wins_left, wins_right, ties (floats, shape (n_pairs,)): Battles with that outcome.
    """

    n_systems: int
    left: IntArray
    right: IntArray
    wins_left: FloatArray
    wins_right: FloatArray
    ties: FloatArray

    @property
    def has_ties(self) -> bool:
        """Whether any battle is a tie."""
        return bool(self.ties.any())


def counted(battles: Battles) -> PairCounts:
    """The counts of all battles, whichever system was shown first."""
    n = battles.n_systems
    first = np.minimum(battles.left, battles.right)
    second = np.maximum(battles.left, battles.right)
    # −1, 0, 1 from the view of the system that comes first in the names.
    outcome = np.where(battles.left < battles.right, battles.outcome, -battles.outcome)
    pairs, row = np.unique(first * n + second, return_inverse=True)
    by_outcome = [
        np.bincount(row[outcome == sign], minlength=pairs.size).astype(float) for sign in (1, -1, 0)
    ]
    return PairCounts(n, pairs // n, pairs % n, *by_outcome)


def rows_of(counts: PairCounts, battles: Battles) -> IntArray:
    """Which row of the counts each battle belongs to."""
    n = counts.n_systems
    keys = np.minimum(battles.left, battles.right) * n + np.maximum(battles.left, battles.right)
    return np.searchsorted(counts.left * n + counts.right, keys)


def onto_systems(counts: PairCounts, of_pairs: FloatArray) -> FloatArray:
    """Σ over pairs of value·(e_left − e_right), shape (n_systems,)."""
    n = counts.n_systems
    return np.asarray(np.bincount(counts.left, of_pairs, n) - np.bincount(counts.right, of_pairs, n), float)


def laplacian(counts: PairCounts, of_pairs: FloatArray) -> FloatArray:
    """Σ over pairs of value·(e_left − e_right)(e_left − e_right)ᵀ, shape (n_systems, n_systems)."""
    n = counts.n_systems
    matrix = np.zeros((n, n))
    matrix[counts.left, counts.right] = -of_pairs
    matrix += matrix.T
    matrix[np.diag_indices(n)] = -matrix.sum(axis=1)
    return matrix
