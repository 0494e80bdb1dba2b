"""Tests of counts in categories: chi-square, Fisher, Cramér's V; one line each in the catalogue."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.categorical import chi_square, fisher
from nlpstat_core.methods.categorical.chi_square import (
    CategoricalTest,
    cramers_v,
    goodness_of_fit,
    independence,
)
from nlpstat_core.methods.categorical.fisher import fisher_exact
from nlpstat_core.records import Procedure

CATEGORICAL: Catalogue[Procedure] = Catalogue(
    "test of counts in categories",
    (chi_square.FIT, chi_square.INDEPENDENCE, fisher.METHOD, chi_square.CRAMERS_V),
)

__all__ = ["CATEGORICAL", "CategoricalTest", "cramers_v", "fisher_exact", "goodness_of_fit", "independence"]
