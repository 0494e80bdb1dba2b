"""Equal weights taken together."""

import numpy as np

from nlpstat_core.arrays import FloatArray

SAME_WEIGHT = 2e-14


def grouped(weights: FloatArray, whole: bool) -> tuple[FloatArray, FloatArray]:
    """Distinct weights above 0, ascending, and how often each occurs.

    weights (ndarray, shape (n_weights,)): 0 or more.
    whole: Whether they are whole numbers, for which a table is faster than sorting.
    Returns ndarray of float64, shape (n_values,).
    """
    if whole and weights.size and weights.max() <= 4 * weights.size + 1024:
        table = np.bincount(weights.astype(np.int64))
        table[0] = 0
        values = np.flatnonzero(table)
        return values.astype(np.float64), table[values].astype(np.float64)
    if whole:
        distinct, counts = np.unique(weights[weights > 0.0], return_counts=True)
        return distinct, counts.astype(np.float64)
    ordered = np.sort(weights[weights > 0.0])
    # 1 − 2/3 and 1/3 differ in the last digit; as one weight they make enumeration possible.
    first = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > SAME_WEIGHT * ordered.max(initial=0.0))
    return ordered[first], np.diff(first, append=ordered.size).astype(np.float64)
