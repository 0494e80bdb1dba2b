"""Exact permutation tests for structured statistics: accuracy and F1 from counts."""

from nlpstat_core.engine.count_statistics.measures import (
    exact_accuracy_p_value,
    exact_f1_p_value,
    exact_f1_tail,
)
from nlpstat_core.engine.count_statistics.ratios import exact_ratio_tail

__all__ = ["exact_accuracy_p_value", "exact_f1_p_value", "exact_f1_tail", "exact_ratio_tail"]
