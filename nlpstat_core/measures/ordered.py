"""Sums over the order of weighted items, and measures over all thresholds: area under ROC and the like."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.measures.encoding import chances_of
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


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


def of_scores(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, label: str) -> Encoded:
    """Gold of 0 and 1, shape (1, n_items), and outputs on any scale, shape (n_systems, n_items)."""
    y, x, _ = chances_of(gold, outputs, options, label, within=False)
    return Encoded(gold=y[None], outputs=x)


def area(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Chance that a positive item scores above a negative one, ties half; undefined without both."""
    order, ends = tie_groups(own)
    right, ordered = gold[order, None], weights[order]
    yes, _ = running_sums(ordered * right, ends)
    no, up_to = running_sums(ordered * (1 - right), ends)
    pairs = yes.sum(axis=0) * up_to[-1]
    area: FloatArray = (yes * (up_to - no / 2)).sum(axis=0) / np.where(pairs > 0, pairs, np.nan)
    return area


ROC_AUC = Measure(
    key="roc-auc",
    label="area under ROC",
    kind="chances",
    bounds=(0.0, 1.0),
    summary="The chance that a positive item scores above a negative one; undefined without both. Mid-ranks "
    "are exchanged.",
    formula=r"\frac{1}{n_+ n_-} \sum_{i+,\,j-} \bigl([x_i > x_j] + \tfrac12 [x_i = x_j]\bigr)",
    options={"positive": None},
    encode=partial(of_scores, label="The area under ROC"),
    law=Law(value=area, of_sums=False, exchange=Law(value=area, of_sums=False, exchanged="mid-ranks")),
    reference="scikit-learn's roc_auc_score",
)


def mean_precision(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Σ (recall gained at a threshold) × precision there; 0 without positive items."""
    order, ends = tie_groups(-own)
    yes, found_yes = running_sums(weights[order] * gold[order, None], ends)
    _, above = running_sums(weights[order], ends)
    precision = found_yes / np.where(above > 0, above, 1.0)
    every = found_yes[-1]
    found: FloatArray = (yes * precision).sum(axis=0) / np.where(every > 0, every, 1.0)
    return found


AVERAGE_PRECISION = Measure(
    key="average-precision",
    label="average precision",
    kind="chances",
    bounds=(0.0, 1.0),
    summary="The mean precision over the thresholds at which positive items are found; 0 without any.",
    formula=r"\sum_k (R_k - R_{k-1}) P_k",
    options={"positive": None},
    encode=partial(of_scores, label="Average precision"),
    law=Law(value=mean_precision, of_sums=False),
    reference="scikit-learn's average_precision_score",
)
