"""Weighted F1: the labels' F1 by how often gold has them."""

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.by_label import ByLabel, encode, f1_of_labels
from nlpstat_core.measures.record import Law, Measure


def of_counts(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean F1 of gold's labels, each with gold's support."""
    mean: FloatArray = (gold * f1_of_labels(tp, predicted, gold)).sum(axis=0) / gold.sum(axis=0)
    return mean


METHOD = Measure(
    key="weighted-f1",
    label="weighted F1",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="The mean of the F1 of gold's labels, each weighted by how often gold has it.",
    formula=r"\sum_c \frac{g_c}{n}\,\frac{2\,tp_c}{p_c + g_c}",
    encode=encode,
    law=Law(value=ByLabel(of_counts)),
    reference='scikit-learn\'s f1_score (labels=sorted(set(gold)), average="weighted", zero_division=0)',
)
