"""Limits of shifts for sums on a coarse grid: all subsets of blocks counted by their sum and their size."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.stopping import stop_if_asked

# Additions of one table.
LARGEST = 5_000_000


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

    A holds every block with probability ½. Cost per pair: blocks × different sums × different sizes.
    """
    common = np.gcd.reduce(sizes.astype(np.int64))
    lengths = sizes.astype(np.int64) // common
    limits = np.empty((multiples.shape[0], 2))
    for pair, row in enumerate(multiples.astype(np.int64)):
        stop_if_asked()
        table, least = _table(row, lengths)
        number = np.flatnonzero(table)
        held, length = np.divmod(number, table.shape[1])
        number, held, length = number[length > 0], held[length > 0] + least, length[length > 0]
        ratio = held / length
        order = np.argsort(ratio, kind="stable")
        ratio, share = ratio[order], table.ravel()[number[order]]
        empty = 0.5**row.size
        low = int(np.argmax(empty + np.cumsum(share) > mass))
        high = int(np.argmax(empty + np.cumsum(share[::-1]) > mass))
        limits[pair] = ratio[low], ratio[-1 - high]
    return np.asarray(limits / common)


def _table(sums: IntArray, lengths: IntArray) -> tuple[FloatArray, int]:
    """P(Σ_A S = s, Σ_A L = l), from the smallest s on, and that one."""
    least = int(sums[sums < 0].sum())
    rows, columns = int(np.abs(sums).sum()) + 1, int(lengths.sum()) + 1
    table = np.zeros((rows, columns))
    table[-least, 0] = 1.0
    for s, length in zip(sums.tolist(), lengths.tolist(), strict=True):
        table *= 0.5
        before = table.copy()
        up, down = max(s, 0), max(-s, 0)
        table[up : rows - down, length:] += before[down : rows - up, : columns - length]
    return table, least
