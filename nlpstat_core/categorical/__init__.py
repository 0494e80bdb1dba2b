"""Tests of counts in categories: chi-square, Fisher, Cramér's V."""

from nlpstat_core.categorical.chi_square import CategoricalTest, cramers_v, goodness_of_fit, independence
from nlpstat_core.categorical.fisher import fisher_exact

__all__ = ["CategoricalTest", "cramers_v", "fisher_exact", "goodness_of_fit", "independence"]
