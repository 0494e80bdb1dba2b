"""Exact permutation tests for structured statistics: accuracy, precision, recall and F1 from counts."""

from nlpstat_core.structured.measures import (
    exact_accuracy_p_value,
    exact_f1_p_value,
    exact_f1_tail,
    exact_precision_p_value,
    exact_recall_p_value,
)
from nlpstat_core.structured.ratios import exact_ratio_tail

__all__ = [
    "exact_accuracy_p_value",
    "exact_f1_p_value",
    "exact_f1_tail",
    "exact_precision_p_value",
    "exact_ratio_tail",
    "exact_recall_p_value",
]
