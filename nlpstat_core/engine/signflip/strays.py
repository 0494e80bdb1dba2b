"""Weights of which all but a few share a lattice: the few are given both signs in turn."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.span import DENOMINATORS, LARGEST_SUM, MOST_DECIMALS, NEARNESS

MOST_STRAYS = 10


def lattice_with_strays(values: FloatArray, counts: FloatArray) -> tuple[BoolArray, float] | None:
    """The widest step that all weights share but a few.

    values, counts (ndarray, shape (n_values,)): Distinct weights above 0 and how often each occurs.
    Returns (on_lattice, steps_per_unit) or None: Which weights are multiples of the step, and the step's
        reciprocal; None where more than ten weights stray from every step tried.

    Steps are tried as in `span.whole_multiples`, for the weights as they are and relative to the smallest
    one that repeats, which finds lattices in any unit.
    """
    repeated = values[counts > 1.0]
    with np.errstate(over="ignore"):
        units = [1.0, *(1.0 / repeated[:1]).tolist()]
    for unit in units:
        for power in range(MOST_DECIMALS + 1):
            for denominator in DENOMINATORS:
                factor = unit * 10.0**power * denominator
                with np.errstate(over="ignore", invalid="ignore"):
                    scaled = values * factor
                    # Beyond the largest whole number every float64 looks like a multiple.
                    on_lattice = (np.abs(scaled - np.rint(scaled)) <= NEARNESS) & (scaled > 0.5)
                    on_lattice &= scaled * counts.sum() <= LARGEST_SUM
                if float(counts[~on_lattice].sum()) <= MOST_STRAYS:
                    return on_lattice, factor
    return None


def sums_of_strays(values: FloatArray, counts: FloatArray) -> FloatArray:
    """All subset sums of a few weights, each as often as it occurs.

    values, counts (ndarray, shape (n_values,)): The strays and how often each occurs; at most ten in all.
    Returns ndarray, shape (2^n_strays,).
    """
    sums = np.zeros(1)
    for value in np.repeat(values, counts.astype(np.int64)).tolist():
        sums = np.concatenate([sums, sums + value])
    return sums
