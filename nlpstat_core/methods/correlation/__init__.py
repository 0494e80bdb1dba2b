"""Metrics judged by people: correlations, agreement on systems, and tests of them; one procedure a file."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.correlation import (
    acc_eq,
    by_item,
    fisher_z,
    kendall,
    pairwise_accuracy,
    pearson,
    perm_both,
    perm_items,
    permutation,
    soft_accuracy,
    spearman,
    steiger,
    williams,
)
from nlpstat_core.records import Procedure

CORRELATION: Catalogue[Procedure] = Catalogue(
    "correlation",
    (
        pearson.METHOD,
        spearman.METHOD,
        kendall.METHOD,
        pairwise_accuracy.METHOD,
        soft_accuracy.METHOD,
        by_item.METHOD,
        acc_eq.METHOD,
        perm_both.METHOD,
        perm_items.METHOD,
        fisher_z.METHOD,
        permutation.METHOD,
        williams.METHOD,
        steiger.METHOD,
    ),
)

__all__ = ["CORRELATION"]
