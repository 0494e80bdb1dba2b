"""Micro-averaged F1: with one label an item it is accuracy."""

from dataclasses import replace

from nlpstat_core.measures import accuracy

METHOD = replace(
    accuracy.METHOD,
    key="micro-f1",
    label="micro-F1",
    summary="F1 of all labels' counts together; with one label an item it is accuracy.",
    formula=r"\frac{2 \sum_c tp_c}{\sum_c (p_c + g_c)}",
    reference='scikit-learn\'s f1_score (average="micro")',
)
