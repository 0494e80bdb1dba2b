"""Bayesian models: one a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.bayes import bayesian_bootstrap, binary, jzs, means, partial_pooling
from nlpstat_core.records import Procedure

MODELS: Catalogue[Procedure] = Catalogue(
    "model", (means.METHOD, binary.METHOD, partial_pooling.METHOD, bayesian_bootstrap.METHOD, jzs.METHOD)
)
