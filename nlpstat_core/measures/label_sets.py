"""Measures of items that have several labels each, or none."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures import by_label
from nlpstat_core.measures.by_label import ByLabel
from nlpstat_core.measures.encoding import as_label, ones_at
from nlpstat_core.measures.record import MEAN_LAW, Column, Encoded, Law, Measure

Sets = list[frozenset[str]]


def _sets(column: Column) -> list[frozenset[str] | None]:
    return [None if labels is None else frozenset(map(as_label, labels)) for labels in column]


def _parsed(gold: Column, outputs: Sequence[Column]) -> tuple[Sets, list[list[frozenset[str] | None]]]:
    right = [frozenset() if one is None else one for one in _sets(gold)]
    return right, [_sets(column) for column in outputs]


def of_each_label(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """True positives and predictions of gold's labels; labels that only outputs have count nowhere."""
    right, given = _parsed(gold, outputs)
    known = sorted(frozenset().union(*right))
    place = {label: code for code, label in enumerate(known)}
    n, rows, columns = len(known), [], []
    for system, column in enumerate(given):
        for item, labels in enumerate(column):
            own = [place[label] for label in labels or () if label in place]
            hits = [place[label] for label in (labels or frozenset()) & right[item]]
            rows += [2 * n * system + code for code in hits] + [(2 * system + 1) * n + code for code in own]
            columns += [item] * (len(hits) + len(own))
    table = ones_at(rows, columns, (2 * n * len(given), len(right)))
    stray = sorted(frozenset().union(*(labels or () for column in given for labels in column)) - set(known))
    wanted = np.array([[label in labels for labels in right] for label in known], dtype=np.float64)
    notes = {} if not stray else {"measure-stray-labels": {"labels": tuple(stray)}}
    return Encoded(gold=wanted.reshape(n, len(right)), outputs=table, notes=notes)


def together(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """How many labels of each item are right, and how many were given; gold's number stays."""
    right, given = _parsed(gold, outputs)
    rows = [
        [[len(labels & wanted), len(labels)] if labels is not None else [0, 0] for labels, wanted in both]
        for both in (list(zip(column, right, strict=True)) for column in given)
    ]
    table = np.array(rows, dtype=np.float64).transpose(0, 2, 1).reshape(2 * len(given), len(right))
    return Encoded(gold=np.array([[float(len(labels)) for labels in right]]), outputs=table)


def exact(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """1 for every item whose labels are all gold's."""
    right, given = _parsed(gold, outputs)
    table = [[float(own == wanted) for own, wanted in zip(column, right, strict=True)] for column in given]
    return Encoded(gold=np.ones((1, len(right))), outputs=np.array(table))


def overlaps(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """The Jaccard index of every item; 1 where neither side has a label."""
    right, given = _parsed(gold, outputs)
    table = [[_overlap(own, wanted) for own, wanted in zip(column, right, strict=True)] for column in given]
    return Encoded(gold=np.ones((1, len(right))), outputs=np.array(table))


def _overlap(own: Iterable[str] | None, wanted: frozenset[str]) -> float:
    if own is None:
        return 0.0
    either = wanted | frozenset(own)
    return len(wanted & frozenset(own)) / len(either) if either else 1.0


def of_all(gold: FloatArray, own: FloatArray) -> FloatArray:
    """F1 of all labels' counts together; 0 where there are none."""
    below = own[1] + gold[0]
    value: FloatArray = 2 * own[0] / np.where(below > 0, below, 1.0)
    return value


def _measure(key: str, label: str, summary: str, formula: str, reference: str, **more: Any) -> Measure:
    return Measure(
        key=key,
        label=label,
        kind="label-sets",
        bounds=(0.0, 1.0),
        summary=summary,
        formula=formula,
        reference=reference,
        **more,
    )


MACRO_F1 = _measure(
    "multilabel-macro-f1",
    "multilabel macro-F1",
    "Of items with several labels: the mean of the F1 of gold's labels.",
    by_label.MACRO_F1.formula,
    "scikit-learn's f1_score (indicators of gold's labels, average=\"macro\", zero_division=0)",
    encode=of_each_label,
    law=Law(value=ByLabel(by_label.mean_f1)),
)
MICRO_F1 = _measure(
    "multilabel-micro-f1",
    "multilabel micro-F1",
    "Of items with several labels: F1 of all labels' counts together.",
    r"\frac{2 \sum_i |x_i \cap y_i|}{\sum_i (|x_i| + |y_i|)}",
    'scikit-learn\'s f1_score (indicators, average="micro")',
    encode=together,
    law=Law(value=of_all),
)
WEIGHTED_F1 = _measure(
    "multilabel-weighted-f1",
    "multilabel weighted F1",
    "Of items with several labels: the mean of the F1 of gold's labels, weighted by how often gold has each.",
    by_label.WEIGHTED_F1.formula,
    "scikit-learn's f1_score (indicators of gold's labels, average=\"weighted\", zero_division=0)",
    encode=of_each_label,
    law=Law(value=ByLabel(by_label.weighted_f1)),
)
JACCARD = _measure(
    "multilabel-jaccard",
    "multilabel Jaccard index",
    "Of items with several labels: the mean of the labels shared over all labels of an item; 1 where neither "
    "side has any.",
    r"\frac1n \sum_i \frac{|x_i \cap y_i|}{|x_i \cup y_i|}",
    'scikit-learn\'s jaccard_score (indicators, average="samples", zero_division=1)',
    encode=overlaps,
    law=MEAN_LAW,
    is_mean=True,
)
ACCURACY = _measure(
    "multilabel-accuracy",
    "multilabel accuracy",
    "The share of items whose labels are all gold's, with none besides.",
    r"\frac1n \sum_i [x_i = y_i]",
    "scikit-learn's accuracy_score (indicators)",
    encode=exact,
    law=MEAN_LAW,
    is_mean=True,
)
# What a measure of one label an item is called where items have several.
OF_SETS: Mapping[str, str] = {
    "accuracy": ACCURACY.key,
    "macro-f1": MACRO_F1.key,
    "micro-f1": MICRO_F1.key,
    "weighted-f1": WEIGHTED_F1.key,
    "jaccard": JACCARD.key,
}
