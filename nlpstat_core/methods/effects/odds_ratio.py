"""The odds ratio of paired wins and losses."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.methods.effects.discordance import share_interval
from nlpstat_core.records import EffectSize


def odds_ratio(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Units that only a wins over units that only b wins.

    Parameters
    ----------
    batch : PairBatch
        For 0/1 scores the two counts are those of McNemar's table; other scores are compared unit by unit.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        b/c: 0 without wins, infinite without losses (note "infinite-odds"), undefined where every unit is
        tied ("no-untied-units"). The interval is exact, by document cluster-robust.

    Notes
    -----
    With (l, h) the Clopper–Pearson limits of b/(b + c), the interval is (l/(1 − l), h/(1 − h)).
    Cost O(n) per pair, only counts for 0/1 scores.
    """
    pairs = batch.unshifted
    with np.errstate(divide="ignore", invalid="ignore"):
        value = pairs.wins / pairs.losses.astype(float)
        limits = share_interval(batch, config) if with_interval else None
        interval = None if limits is None else limits / (1 - limits)
    notes = {"no-untied-units": np.isnan(value), "infinite-odds": np.isinf(value)}
    return EffectColumns(value=value, interval=interval, notes=notes)


METHOD = EffectSize(
    key="odds-ratio",
    label="Odds ratio",
    summary="Items that only the first system wins, for every item that only the second wins.",
    run=odds_ratio,
    by_wins=True,
    formula=r"\frac{b}{c},\quad b = \#\{u > v\},\ c = \#\{u < v\}",
    references=("clopper1934", "mcnemar1947"),
    swapping="reciprocal",
    conventions=(1.22, 1.86, 3.00),
)
