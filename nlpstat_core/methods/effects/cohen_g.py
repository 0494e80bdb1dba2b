"""Cohen's g, with its sign."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.methods.effects.discordance import share_interval
from nlpstat_core.quantities import WINS
from nlpstat_core.records import EffectSize


def cohen_g(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Share of a's wins among the units that are not tied, minus one half.

    Parameters
    ----------
    batch : PairBatch
        For 0/1 scores the counts are those of McNemar's table; other scores are compared unit by unit.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        From −½ to ½; undefined where every unit is tied (note "no-untied-units"). The interval is
        exact, by document cluster-robust.

    Notes
    -----
    g = b/(b + c) − ½ with the Clopper–Pearson limits minus one half. Cost O(n) per pair.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition, chapter 5.
    """
    pairs = batch.unshifted
    untied = (pairs.wins + pairs.losses).astype(float)
    with np.errstate(invalid="ignore"):
        value = (pairs.wins - pairs.losses) / (2 * untied)
    interval = share_interval(batch, config) - 0.5 if with_interval else None
    return EffectColumns(value=value, interval=interval, notes={"no-untied-units": untied == 0})


METHOD = EffectSize(
    key="cohen-g",
    label="Cohen's g",
    summary="How far the first system's share of the items that are not tied lies from one half.",
    run=cohen_g,
    by_wins=True,
    formula=r"g = \frac{b}{b + c} - \tfrac12",
    references=("cohen1988", "clopper1934"),
    estimates=WINS,
    conventions=(0.05, 0.15, 0.25),
)
