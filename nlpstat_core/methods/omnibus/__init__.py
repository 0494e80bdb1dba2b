"""Tests of all systems together: one procedure a file, one line each in the catalogue."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.omnibus import anova, cochran_q, friedman, iman_davenport, nemenyi, skillings_mack
from nlpstat_core.records import BoardTest

OMNIBUS: Catalogue[BoardTest] = Catalogue(
    "test of all systems",
    (
        friedman.METHOD,
        iman_davenport.METHOD,
        cochran_q.METHOD,
        anova.METHOD,
        anova.CORRECTED,
        skillings_mack.METHOD,
        nemenyi.METHOD,
    ),
)
