"""Significance tests: one procedure a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.outcomes import SignificanceRun
from nlpstat_core.significance import (
    accuracy_exact,
    block_bootstrap,
    block_permutation,
    block_t,
    bootstrap_mean,
    bootstrap_median,
    f1_exact,
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
        accuracy_exact.METHOD,
        f1_exact.METHOD,
        block_bootstrap.METHOD,
        block_permutation.METHOD,
        block_t.METHOD,
    ),
)
