"""Effect sizes: one a file, one line each in the catalogue (the order of the menus)."""

from nlpstat_core.catalogue import EFFECTS
from nlpstat_core.methods.effects import (
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
from nlpstat_core.quantities import Quantity
from nlpstat_core.records import EffectSize

__all__ = ["EFFECTS", "effect_for", "effect_of"]

EFFECTS.fill(
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
)


def effect_for(key: str, *, unpaired: bool) -> EffectSize | None:
    """The index of a key for one design. None where the index needs the other design."""
    method = EFFECTS[key]
    if method.design == "unpaired":
        return method if unpaired else None
    return method.unpaired if unpaired else method


def effect_of(quantity: Quantity) -> EffectSize:
    """The effect size that measures what tests of a quantity are about; the first in menu order."""
    return next(record for record in EFFECTS if record.estimates == quantity)
