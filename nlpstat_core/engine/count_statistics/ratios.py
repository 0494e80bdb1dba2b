"""The exact permutation test of a difference of ratios of counts, of which the named measures are cases."""

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.count_statistics.routes import p_tail
from nlpstat_core.engine.count_statistics.swaps import Swaps
from nlpstat_core.engine.signflip.outcome import Tail, checked_alternative
from nlpstat_core.engine.signflip.span import whole_multiples
from nlpstat_core.errors import NlpstatError


def exact_ratio_tail(
    hits_a: ArrayLike,
    misses_a: ArrayLike,
    hits_b: ArrayLike,
    misses_b: ArrayLike,
    alternative: str = "two-sided",
    *,
    miss_weight: float,
    seed: int = 0,
    resamples: int = 10_000,
) -> Tail:
    """Exact permutation test for a difference in hits/(hits + κ·misses), of which the others are cases.

    Null hypothesis: in every unit the outputs of a and b could be exchanged.

    hits_a, misses_a, hits_b, misses_b (array_like, shape (n_units,)): Counts of each unit.
    alternative: About a relative to b.
    miss_weight: κ: ½ for F1 (misses are fp + fn), 1 for precision (fp), recall (fn) and accuracy (wrong).
    seed, resamples: For the Monte Carlo last resort, where the plane is too large for every exact way.
    Returns: `log_p` is the natural logarithm of the p-value.
    Raises NlpstatError: If counts are negative, not finite, not on a common step or of different lengths.

    Differences within 1e-12 of the observed one count as ties. Small planes are counted in positive
    arithmetic, up to 24 units may be enumerated, large planes are inverted by a tilted two-dimensional FFT.
    """
    checked_alternative(alternative)
    given = {"hits_a": hits_a, "misses_a": misses_a, "hits_b": hits_b, "misses_b": misses_b}
    up_a, down_a, up_b, down_b = (checked_counts(name, value) for name, value in given.items())
    check_same_units(up_a, down_a, up_b, down_b)
    forth = swaps_of(up_a, down_a, up_b, down_b, miss_weight)
    back = swaps_of(up_b, down_b, up_a, down_a, miss_weight)
    return p_tail(forth, back, alternative, resamples, seed)


def swaps_of(
    hits_a: FloatArray, misses_a: FloatArray, hits_b: FloatArray, misses_b: FloatArray, miss_weight: float
) -> Swaps:
    """The walk of a's totals when units are swapped with b.

    hits_a, misses_a, hits_b, misses_b (ndarray, shape (n_units,)): Counts of each unit.
    miss_weight: κ of the ratio hits/(hits + κ·misses).
    Raises NlpstatError: If the differences are not multiples of one step.
    """
    moves = np.stack([hits_b - hits_a, misses_b - misses_a], axis=1)
    multiples, found = whole_multiples(moves.T)
    multiples = multiples.T
    if not np.all(found):
        raise NlpstatError("Counts must be whole numbers, or all multiples of one decimal step.")
    changed = np.any(multiples != 0.0, axis=1)
    steps, counts = np.unique(multiples[changed].astype(np.int64), axis=0, return_counts=True)
    largest = np.abs(multiples).max(axis=0, initial=0.0)
    scale = np.where(largest > 0.0, np.abs(moves).max(axis=0, initial=0.0) / np.maximum(largest, 1.0), 1.0)
    start = np.array([hits_a.sum(), misses_a.sum()])
    both = start + np.array([hits_b.sum(), misses_b.sum()])
    return Swaps(steps, counts.astype(np.float64), start, both, scale, miss_weight)


def checked_counts(name: str, given: ArrayLike) -> FloatArray:
    """Counts per unit as floats.

    name: What the counts are, for the message.
    given (array_like, shape (n_units,)): Counts.
    Returns ndarray, shape (n_units,).
    Raises NlpstatError: If there are none, or one is negative, infinite or NaN.
    """
    counts = np.asarray(given, dtype=np.float64)
    if counts.ndim != 1 or counts.size == 0:
        raise NlpstatError(f"{name} must be a list of at least one count.")
    if not np.all(np.isfinite(counts)) or np.any(counts < 0.0):
        raise NlpstatError(f"{name} must hold finite counts, 0 or more.")
    return counts


def check_same_units(*columns: FloatArray) -> None:
    """Refuse counts that don't cover the same units.

    *columns (ndarray, shape (n_units,)): Counts.
    Raises NlpstatError: If their lengths differ.
    """
    sizes = [column.size for column in columns]
    if len(set(sizes)) > 1:
        raise NlpstatError(f"All counts must cover the same items, but their lengths are {sizes}.")
