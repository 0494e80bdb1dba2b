"""Effect sizes: one a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.effects import cohen_d, hedges_g, wilcoxon_r
from nlpstat_core.outcomes import EffectRun

EFFECTS: Catalogue[EffectRun] = Catalogue(
    "effect size",
    (
        cohen_d.METHOD,
        hedges_g.METHOD,
        wilcoxon_r.METHOD,
    ),
)
