"""Corrections for multiple comparisons: one line each in the catalogue (the order of the menus).

They are statsmodels' procedures under the field's names; `adjust` keeps undefined p-values out of
the family.
"""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.corrections.adjust import adjust_p_values, family_size
from nlpstat_core.corrections.methods import METHODS
from nlpstat_core.outcomes import CorrectionRun

CORRECTIONS: Catalogue[CorrectionRun] = Catalogue("correction", METHODS)

__all__ = ["CORRECTIONS", "adjust_p_values", "family_size"]
