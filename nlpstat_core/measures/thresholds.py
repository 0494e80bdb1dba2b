"""Measures over all thresholds of scores beside gold of 0 and 1: the area under ROC, average precision."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import chances_of
from nlpstat_core.measures.ordered import running_sums, tie_groups
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


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
