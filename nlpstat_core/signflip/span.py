"""Finding the lattice: which weights are whole multiples of one step, and of which."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray

MOST_DECIMALS = 9
DENOMINATORS = (1, 3, 7, 12)
NEARNESS = 1e-9
LARGEST_MULTIPLE = 2.0**52
PROBE_ROWS = 8


def whole_multiples(z: FloatArray, max_decimals: int | None = None) -> tuple[FloatArray, BoolArray]:
    """Differences as whole multiples of the widest step that fits each pair.

    A step of 10^(−d)/q, with d up to `max_decimals` and q in {1, 3, 7, 12}, fits when every difference of the
    pair is within 1e-9 steps of a whole number and no non-zero difference rounds to zero; dividing by the
    greatest common divisor then makes the step as wide as it can be. So 0.3 − 0.2 and 0.2 − 0.1 become the
    same weight, which float subtraction makes different.

    Parameters
    ----------
    z : ndarray, shape (n_units, n_pairs)
        Differences, finite.
    max_decimals : int, optional
        Most decimals to try; 9 unless the caller knows how the scores were written.

    Returns
    -------
    multiples : ndarray, shape (n_units, n_pairs)
        Whole numbers as float64 with greatest common divisor 1 where a step was found, else zero.
    found : ndarray of bool, shape (n_pairs,)

    Notes
    -----
    Costs one pass over a few rows for each trial step and full passes only over pairs that pass on those.
    """
    n_pairs = z.shape[1]
    multiples = np.zeros(z.shape)
    found = np.zeros(n_pairs, dtype=np.bool_)
    decimals = MOST_DECIMALS if max_decimals is None else min(max_decimals, MOST_DECIMALS)
    probe = z[_probe_rows(z)]
    for power in range(decimals + 1):
        for denominator in DENOMINATORS:
            factor = 10.0**power * denominator
            open_pairs = np.flatnonzero(~found)
            if open_pairs.size == 0:
                return multiples, found
            open_pairs = open_pairs[_fits(probe[:, open_pairs] * factor)]
            if open_pairs.size == 0:
                continue
            scaled = z[:, open_pairs] * factor
            fits = _fits(scaled)
            open_pairs = open_pairs[fits]
            multiples[:, open_pairs] = _reduced(np.rint(scaled[:, fits]))
            found[open_pairs] = True
    return multiples, found


def _probe_rows(z: FloatArray) -> NDArray[np.intp]:
    return np.unique(np.linspace(0, z.shape[0] - 1, min(PROBE_ROWS, z.shape[0])).astype(np.intp))


def _fits(scaled: FloatArray) -> BoolArray:
    whole = np.rint(scaled)
    near = np.abs(scaled - whole) <= NEARNESS
    lost = (whole == 0.0) & (scaled != 0.0)
    return np.asarray(np.all(near & ~lost & (np.abs(whole) <= LARGEST_MULTIPLE), axis=0), dtype=np.bool_)


def _reduced(whole: FloatArray) -> FloatArray:
    divisor = np.gcd.reduce(np.abs(whole).astype(np.int64), axis=0)
    return np.asarray(whole / np.maximum(divisor, 1), dtype=np.float64)
