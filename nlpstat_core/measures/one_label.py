"""Measures of one label: F1, F with any weight of recall, and the Jaccard index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import ConfigError
from nlpstat_core.measures.by_label import ByLabel, among_labels, of_all_labels
from nlpstat_core.measures.encoding import labels_of, positive_label
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


@dataclass(frozen=True)
class FBeta:
    """F of one set of counts: true positives and predictions of a system, gold's count."""

    beta: float = 1.0

    def __call__(self, gold: FloatArray, own: FloatArray) -> FloatArray:
        """From sums: gold (1, …), own (2, …); 0 where nothing is predicted and gold has nothing."""
        square = self.beta**2
        below = own[1] + square * gold[0]
        found: FloatArray = (1 + square) * own[0] / np.where(below > 0, below, 1.0)
        return found


def counted(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, label: str) -> Encoded:
    """True positives and predictions of the label in question."""
    labels = labels_of(gold, outputs)
    code, _ = positive_label(labels, options, label)
    predicted = labels.outputs == code
    table = np.stack([predicted & labels.right, predicted], axis=1).astype(np.float64)
    return Encoded(
        gold=(labels.gold == code).astype(np.float64)[None], outputs=table.reshape(-1, labels.gold.size)
    )


def with_beta(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Counts of the label, and F with the β asked for."""
    beta = options["beta"]
    if not isinstance(beta, int | float) or not 0 < beta < np.inf:
        raise ConfigError(f"beta must be a number above 0, not {beta!r}.")
    found = counted(gold, outputs, options, label=F_BETA.label)
    return Encoded(gold=found.gold, outputs=found.outputs, law=Law(value=FBeta(float(beta))))


F_BETA = Measure(
    key="f-beta",
    label="F-beta",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="F of one label, in which recall weighs beta² times as much as precision.",
    formula=r"\frac{(1 + \beta^2)\,tp}{p + \beta^2 g}",
    options={"positive": None, "beta": 0.5},
    encode=with_beta,
    reference="scikit-learn's fbeta_score",
)


F1 = Measure(
    key="f1",
    label="F1",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="F1 of one label.",
    formula=r"\frac{2\,tp}{p + g}",
    options={"positive": None},
    encode=partial(counted, label="F1"),
    law=Law(value=FBeta()),
    reference="scikit-learn's f1_score (pos_label=…)",
)


def mean_jaccard(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean Jaccard index of gold's labels."""
    return among_labels(_jaccard(tp, predicted, gold), gold)


def jaccard_of_one(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Jaccard index of one label; 0 where it is neither predicted nor gold's."""
    return _jaccard(own[0], own[1], gold[0])


def _jaccard(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    either = predicted + gold - tp
    index: FloatArray = tp / np.where(either > 0, either, 1.0)
    return index


def of_jaccard(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Counts of all labels, or of the one in question."""
    if options["positive"] is None:
        return replace(of_all_labels(gold, outputs, options), law=Law(value=ByLabel(mean_jaccard)))
    return replace(counted(gold, outputs, options, label=JACCARD.label), law=Law(value=jaccard_of_one))


JACCARD = Measure(
    key="jaccard",
    label="Jaccard index",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="Items to which gold and outputs both give a label, over those to which either does: for the "
    "label named positive, else the mean over gold's labels.",
    formula=r"\frac1C \sum_c \frac{tp_c}{p_c + g_c - tp_c}",
    options={"positive": None},
    encode=of_jaccard,
    reference='scikit-learn\'s jaccard_score (labels=sorted(set(gold)), average="macro")',
)
