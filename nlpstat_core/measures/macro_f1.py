"""Macro-averaged F1: the mean of the labels' F1."""

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.by_label import ByLabel, among_labels, encode, f1_of_labels
from nlpstat_core.measures.record import Law, Measure


def of_counts(tp: FloatArray, predicted: FloatArray, gold: FloatArray) -> FloatArray:
    """Mean F1 of gold's labels."""
    return among_labels(f1_of_labels(tp, predicted, gold), gold)


METHOD = Measure(
    key="macro-f1",
    label="macro-F1",
    kind="labels",
    bounds=(0.0, 1.0),
    summary="The mean of the F1 of gold's labels; a label that only outputs have is an error of its item.",
    formula=r"\frac1C \sum_c \frac{2\,tp_c}{p_c + g_c}",
    encode=encode,
    law=Law(value=ByLabel(of_counts)),
    reference='scikit-learn\'s f1_score (labels=sorted(set(gold)), average="macro", zero_division=0)',
)
