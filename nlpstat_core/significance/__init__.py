"""Significance tests: one procedure a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.outcomes import SignificanceRun
from nlpstat_core.significance import (
    bootstrap_mean,
    bootstrap_median,
    mcnemar,
    permutation_mean,
    permutation_median,
    sign,
    t,
    wilcoxon,
)

TESTS: Catalogue[SignificanceRun] = Catalogue(
    "test",
    (
        t.METHOD,
        wilcoxon.METHOD,
        sign.METHOD,
        permutation_mean.METHOD,
        permutation_median.METHOD,
        bootstrap_mean.METHOD,
        bootstrap_median.METHOD,
        mcnemar.METHOD,
    ),
)
