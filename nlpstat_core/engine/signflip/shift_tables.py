"""Limits of shifts for sums on a coarse grid: all subsets of blocks counted by their sum and their size."""

import math

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.stopping import stop_if_asked

# Additions of one table.
LARGEST = 5_000_000
# What one subset counts: so little that no number of subsets of an affordable table overflows.
UNIT = 1000
ONE = 2.0**-UNIT


def affordable(multiples: FloatArray, sizes: FloatArray) -> BoolArray:
    """Which pairs have so few sums that all of them fit a table.

    multiples (float array, shape (n_pairs, n_blocks)): Sums of blocks in whole steps.
    sizes (float array, shape (n_blocks,)): Whole numbers.
    Returns bool array, shape (n_pairs,).
    """
    columns = sizes.sum() / np.gcd.reduce(sizes.astype(np.int64)) + 1
    additions = (np.abs(multiples).sum(axis=1) + 1) * columns * sizes.size
    return np.asarray(additions <= LARGEST)


def limits_from_tables(multiples: FloatArray, sizes: FloatArray, mass: float) -> FloatArray:
    """The smallest θ with P(Σ_A S ≤ θ·Σ_A L) > mass, the largest with P(Σ_A S ≥ θ·Σ_A L) > mass.

    multiples (float array, shape (n_pairs, n_blocks)): S, whole numbers.
    sizes (float array, shape (n_blocks,)): L, whole numbers above 0.
    mass: At least 2^(−n_blocks).
    Returns float array, shape (n_pairs, 2).

    All subsets are as likely. Cost per pair: blocks × different sums × different sizes; pairs whose sums have
    the same range share the order of the ratios.
    """
    common = np.gcd.reduce(sizes.astype(np.int64))
    lengths = sizes.astype(np.int64) // common
    rows = multiples.astype(np.int64)
    columns = int(lengths.sum()) + 1
    # The number of subsets, less the empty one, that the mass amounts to, in units of `ONE`.
    limit = math.ldexp(mass, sizes.size - UNIT) - ONE
    limits = np.empty((rows.shape[0], 2))
    least, most = np.minimum(rows, 0).sum(axis=1), np.maximum(rows, 0).sum(axis=1)
    ranges, of_range = np.unique(np.stack([least, most]), axis=1, return_inverse=True)
    for which, (bottom, top) in enumerate(ranges.T.tolist()):
        ratio = (np.arange(bottom, top + 1)[:, None] / np.arange(1, columns)).ravel()
        order = np.argsort(ratio, kind="stable")
        ratio = ratio[order]
        for pair in np.flatnonzero(of_range == which).tolist():
            stop_if_asked()
            count = _table(rows[pair], lengths, bottom, top)[:, 1:].ravel()[order]
            limits[pair] = ratio[_first_beyond(count, limit)], ratio[-1 - _first_beyond(count[::-1], limit)]
    return np.asarray(limits / common)


def _first_beyond(count: FloatArray, limit: float) -> int:
    """Where the running sum first exceeds the limit; mostly in the first half."""
    running = np.cumsum(count[: count.size // 2])
    if not running.size or running[-1] <= limit:
        running = np.cumsum(count)
    return int(np.searchsorted(running, limit, side="right"))


def _table(sums: IntArray, lengths: IntArray, bottom: int, top: int) -> FloatArray:
    """How many subsets A have Σ_A S = s and Σ_A L = l, in units of `ONE`; s from bottom to top."""
    columns = int(lengths.sum()) + 1
    shifts = sums * columns + lengths
    # Small steps first: the part of the table that is filled grows slowly.
    shifts = shifts[np.argsort(np.abs(shifts), kind="stable")].tolist()
    margin = max(map(abs, shifts))
    now, following = np.zeros((2, (top - bottom + 1) * columns + 2 * margin))
    begin = margin - bottom * columns
    end = begin + 1
    now[begin] = ONE
    for shift in shifts:
        if shift < 0:
            begin += shift
        else:
            end += shift
        np.add(now[begin:end], now[begin - shift : end - shift], out=following[begin:end])
        now, following = following, now
    return np.asarray(now[margin : now.size - margin].reshape(-1, columns))
