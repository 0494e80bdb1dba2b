"""Measures of all labels together, made of the counts of every label: accuracy, recall and F1."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import indicator_table, labels_of
from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Law, Measure

# From true positives, predictions and gold's counts by label (C, …) to values (…).
OfCounts = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def of_all_labels(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
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


def right_items(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """1 for every item that is right."""
    right = labels_of(gold, outputs).right.astype(np.float64)
    return Encoded(gold=np.ones((1, len(gold))), outputs=right)


ACCURACY = Measure(
    key="accuracy",
    label="accuracy",
    kind="labels",
    bounds=(0.0, 1.0),
    is_mean=True,
    summary="The share of items whose label is gold's.",
    formula=r"\frac1n \sum_i [x_i = y_i]",
    encode=right_items,
    law=MEAN_LAW,
    reference="scikit-learn's accuracy_score",
)


def mean_recall(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean recall of gold's labels."""
    return among_labels(tp / np.where(gold > 0, gold, 1.0), gold)


BALANCED_ACCURACY = Measure(
    key="balanced-accuracy",
    label="balanced accuracy",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="The mean recall of gold's labels.",
    formula=r"\frac1C \sum_c \frac{tp_c}{g_c}",
    encode=of_all_labels,
    law=Law(value=ByLabel(mean_recall), linear=True),
    reference="scikit-learn's balanced_accuracy_score",
)


def mean_f1(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean F1 of gold's labels."""
    return among_labels(f1_of_labels(tp, predicted, gold), gold)


MACRO_F1 = Measure(
    key="macro-f1",
    label="macro-F1",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="The mean of the F1 of gold's labels; a label that only outputs have is an error of its item.",
    formula=r"\frac1C \sum_c \frac{2\,tp_c}{p_c + g_c}",
    encode=of_all_labels,
    law=Law(value=ByLabel(mean_f1)),
    reference='scikit-learn\'s f1_score (labels=sorted(set(gold)), average="macro", zero_division=0)',
)


MICRO_F1 = replace(
    ACCURACY,
    key="micro-f1",
    label="micro-F1",
    summary="F1 of all labels' counts together; with one label an item it is accuracy.",
    formula=r"\frac{2 \sum_c tp_c}{\sum_c (p_c + g_c)}",
    reference='scikit-learn\'s f1_score (average="micro")',
)


def weighted_f1(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean F1 of gold's labels, each with gold's support."""
    mean: FloatArray = (gold * f1_of_labels(tp, predicted, gold)).sum(axis=0) / gold.sum(axis=0)
    return mean


WEIGHTED_F1 = Measure(
    key="weighted-f1",
    label="weighted F1",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="The mean of the F1 of gold's labels, each weighted by how often gold has it.",
    formula=r"\sum_c \frac{g_c}{n}\,\frac{2\,tp_c}{p_c + g_c}",
    encode=of_all_labels,
    law=Law(value=ByLabel(weighted_f1)),
    reference='scikit-learn\'s f1_score (labels=sorted(set(gold)), average="weighted", zero_division=0)',
)
