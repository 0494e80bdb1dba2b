"""Scores of a judge corrected by people who judged a part of the items."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.methods.judged import corrected, rogan_gladen
from nlpstat_core.records import Procedure

JUDGED: Catalogue[Procedure] = Catalogue("correction of a judge", (corrected.METHOD, rogan_gladen.METHOD))

__all__ = ["JUDGED"]
