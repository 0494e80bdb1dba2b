"""Corrections for multiple comparisons: one line each in the catalogue (the order of the menus).

Most are statsmodels' procedures under the field's names; Shaffer's uses what equal means of some pairs say
about others; max-T resamples the scores behind the family.
`adjust` keeps undefined p-values out of the family.
"""

from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.methods.corrections import max_t, shaffer
from nlpstat_core.methods.corrections.adjust import adjust_family, adjust_p_values, family_size
from nlpstat_core.methods.corrections.family import Adjusted, Comparisons, Family
from nlpstat_core.methods.corrections.methods import METHODS

__all__ = [
    "CORRECTIONS",
    "Adjusted",
    "Comparisons",
    "Family",
    "adjust_family",
    "adjust_p_values",
    "family_size",
]

CORRECTIONS.fill(*METHODS, shaffer.METHOD, max_t.METHOD)
