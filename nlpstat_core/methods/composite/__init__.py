"""Composite boards: several tracks, one ranking."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.composite import weighted_mean
from nlpstat_core.records import Procedure

COMPOSITE: Catalogue[Procedure] = Catalogue("composite", (weighted_mean.METHOD,))

__all__ = ["COMPOSITE"]
