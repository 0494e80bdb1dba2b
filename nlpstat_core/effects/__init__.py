"""Effect sizes: one a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import Catalogue
from nlpstat_core.effects import (
    cohen_d,
    cohen_d_av,
    cohen_g,
    common_language,
    hedges_g,
    hodges_lehmann,
    mean_difference,
    median_difference,
    odds_ratio,
    rank_biserial,
    wilcoxon_r,
)
from nlpstat_core.pairs.outcomes import EffectRun

EFFECTS: Catalogue[EffectRun] = Catalogue(
    "effect size",
    (
        mean_difference.METHOD,
        median_difference.METHOD,
        cohen_d.METHOD,
        cohen_d_av.METHOD,
        hedges_g.METHOD,
        wilcoxon_r.METHOD,
        rank_biserial.METHOD,
        hodges_lehmann.METHOD,
        common_language.METHOD,
        odds_ratio.METHOD,
        cohen_g.METHOD,
    ),
)
