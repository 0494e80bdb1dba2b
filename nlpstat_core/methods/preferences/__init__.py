"""Preferences: models of who beats whom, one a file, one line each in the catalogue."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.preferences import bradley_terry, davidson
from nlpstat_core.records import Procedure

PREFERENCES: Catalogue[Procedure] = Catalogue("treatment of ties", (bradley_terry.METHOD, davidson.METHOD))

__all__ = ["PREFERENCES"]
