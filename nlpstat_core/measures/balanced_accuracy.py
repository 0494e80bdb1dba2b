"""Balanced accuracy: the mean recall of gold's labels."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.by_label import ByLabel, among_labels, encode
from nlpstat_core.measures.record import Law, Measure


def of_counts(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean recall of gold's labels."""
    return among_labels(tp / np.where(gold > 0, gold, 1.0), gold)


METHOD = Measure(
    key="balanced-accuracy",
    label="balanced accuracy",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="The mean recall of gold's labels.",
    formula=r"\frac1C \sum_c \frac{tp_c}{g_c}",
    encode=encode,
    law=Law(value=ByLabel(of_counts), linear=True),
    reference="scikit-learn's balanced_accuracy_score",
)
