"""Effect sizes: one a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import Catalogue, Method
from nlpstat_core.effects import (
    cliffs_delta,
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
        cliffs_delta.METHOD,
    ),
)


def effect_for(key: str, *, unpaired: bool) -> Method[EffectRun] | None:
    """The index of a key for one design.

    Parameters
    ----------
    key : str
    unpaired : bool
        Whether the pair is compared as independent samples.

    Returns
    -------
    Method or None
        None where the index needs the other design.
    """
    method = EFFECTS[key]
    if method.design == "unpaired":
        return method if unpaired else None
    return method.unpaired if unpaired else method
