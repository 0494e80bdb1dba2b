"""Measures of the counts of every label: true positives and predictions, gold's labels alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import indicator_table, labels_of
from nlpstat_core.measures.record import Column, Encoded

# From true positives, predictions and gold's counts by label (C, …) to values (…).
OfCounts = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """True positives and predictions of gold's labels; gold's counts stay.

    An output outside gold's labels is an error of its item's gold label only: labels made of gold and outputs
    would change under a swap.
    """
    labels = labels_of(gold, outputs)
    n = len(labels.known)
    table = indicator_table((labels.outputs, labels.right), (labels.outputs, labels.outputs >= 0), n_codes=n)
    notes = {} if not labels.stray else {"measure-stray-labels": {"labels": labels.stray}}
    return Encoded(gold=labels.gold_counts(n), outputs=table, notes=notes)


@dataclass(frozen=True)
class ByLabel:
    """A value of the counts of every label."""

    of_counts: OfCounts

    def __call__(self, gold: FloatArray, own: FloatArray) -> FloatArray:
        """From sums: gold (C, …), own (2·C, …)."""
        n = own.shape[0] // 2
        return self.of_counts(own[:n], own[n:], gold)


def f1_of_labels(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """F1 of every label, 0 where it is neither predicted nor gold's; shape (C, …)."""
    below = predicted + gold
    if not (gold > 0).all():
        below = np.where(below > 0, below, 1.0)  # nothing is divided there: tp is 0
    result: FloatArray = 2 * tp / below
    return result


def among_labels(values: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean of values (C, …) over the labels that gold has."""
    there = gold > 0
    kept = values if there.all() else np.where(there, values, 0.0)
    mean: FloatArray = kept.sum(axis=0) / there.sum(axis=0)
    return mean
