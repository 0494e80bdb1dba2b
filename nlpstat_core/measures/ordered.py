"""Sums over the order of weighted items: ranks, and what lies below each."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray


def tie_groups(values: FloatArray) -> tuple[IntArray, IntArray]:
    """Ascending order of values, and where each group of ties ends in it (the last place)."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    return order, np.flatnonzero(np.concatenate([ordered[1:] != ordered[:-1], [True]]))


def running_sums(table: FloatArray, ends: IntArray) -> tuple[FloatArray, FloatArray]:
    """Sums of each group of ties, and sums up to its end.

    table (float array, shape (n_items, B)): In order of the values.
    Returns float arrays, shape (n_groups, B).
    """
    whole = np.cumsum(table, axis=0)
    up_to = whole if ends.size == table.shape[0] else whole[ends]
    return (table if ends.size == table.shape[0] else np.diff(up_to, axis=0, prepend=0.0)), up_to


def weighted_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Weight below every item and half of the weight at it: mid-ranks but for a constant."""
    order, ends = tie_groups(values)
    of_group, up_to = running_sums(weights[order], ends)
    ranks = np.empty(weights.shape)
    ranks[order] = np.repeat(up_to - of_group / 2, np.diff(ends, prepend=-1), axis=0)
    return ranks


def untied_pairs(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Weight of ordered pairs of items with unlike values, shape (B,)."""
    order, ends = tie_groups(values)
    of_group, up_to = running_sums(weights[order], ends)
    pairs: FloatArray = up_to[-1] ** 2 - (of_group**2).sum(axis=0)
    return pairs
