"""Significance tests: one procedure a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import TESTS
from nlpstat_core.methods.significance import (
    accuracy_exact,
    block_bootstrap,
    block_permutation,
    block_t,
    bootstrap_mean,
    bootstrap_median,
    bootstrap_unpaired,
    crossed_t,
    f1_exact,
    mann_whitney,
    mcnemar,
    permutation_mean,
    permutation_median,
    permutation_unpaired,
    sign,
    student_t,
    swap,
    t,
    welch_t,
    wilcoxon,
)

__all__ = ["TESTS"]

TESTS.fill(
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
    crossed_t.METHOD,
    welch_t.METHOD,
    student_t.METHOD,
    mann_whitney.METHOD,
    permutation_unpaired.METHOD,
    bootstrap_unpaired.METHOD,
    swap.METHOD,
)
