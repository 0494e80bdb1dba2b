"""Jaccard index: of one label, or the mean over gold's labels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures import by_label
from nlpstat_core.measures.by_label import ByLabel, among_labels
from nlpstat_core.measures.f_beta import counted
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def of_counts(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean Jaccard index of gold's labels."""
    return among_labels(_of_label(tp, predicted, gold), gold)


def of_one(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Jaccard index of one label; 0 where it is neither predicted nor gold's."""
    return _of_label(own[0], own[1], gold[0])


def _of_label(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    either = predicted + gold - tp
    index: FloatArray = tp / np.where(either > 0, either, 1.0)
    return index


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Counts of all labels, or of the one in question."""
    if options["positive"] is None:
        return replace(by_label.encode(gold, outputs, options), law=Law(value=ByLabel(of_counts)))
    return replace(counted(gold, outputs, options, METHOD.label), law=Law(value=of_one))


METHOD = Measure(
    key="jaccard",
    label="Jaccard index",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="Items to which gold and outputs both give a label, over those to which either does: for the "
    "label named positive, "
    "else the mean over gold's labels.",
    formula=r"\frac1C \sum_c \frac{tp_c}{p_c + g_c - tp_c}",
    options={"positive": None},
    encode=encode,
    reference='scikit-learn\'s jaccard_score (labels=sorted(set(gold)), average="macro")',
)
