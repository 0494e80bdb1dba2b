"""The common-language effect size: the share of units that a wins, ties counted half."""

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.distributions.tails import normal_quantile, one_sided, two_sided_mass
from nlpstat_core.engine.samples.shares import wilson
from nlpstat_core.methods.effects import by_document
from nlpstat_core.methods.effects.cliffs_delta import WIN_SHARE
from nlpstat_core.records import EffectSize


def common_language(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """P(u > v) + ½·P(u = v), counted over the units.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        A share; its interval is undefined where all units tie (note "no-untied-units").

    Notes
    -----
    Wilson's interval with n_e = n·θ(1 − θ)/v units, v the variance of the unit scores 0, ½ and 1: ties make
    the share more certain than wins and losses alone would; where documents are named n_e comes from the
    cluster-robust error (`by_document`). Cost O(n) per pair.
    """
    pairs, n = batch.unshifted, batch.n_units
    wins, losses = pairs.wins.astype(float), pairs.losses.astype(float)
    if n == 0:
        return EffectColumns(
            value=np.full(batch.n_pairs, np.nan), interval=np.full((batch.n_pairs, 2), np.nan)
        )
    share = (wins + (n - wins - losses) / 2) / n
    if not with_interval:
        return EffectColumns(value=share)
    if batch.units.blocks is not None:
        interval = by_document.share(share, batch, config, untied=False)
        return EffectColumns(value=share, interval=interval, notes={"no-untied-units": wins + losses == 0})
    variance = (wins + (n - wins - losses) / 4) / n - share**2
    bernoulli = share * (1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        units = np.where(bernoulli == 0, n, n * bernoulli / np.where(variance > 1e-15, variance, np.nan))
    q = normal_quantile(1 - two_sided_mass(config.level, config.alternative))
    low, high = wilson(share, units, q)
    interval = one_sided(low, high, config.alternative, 0.0, 1.0)
    return EffectColumns(value=share, interval=interval, notes={"no-untied-units": wins + losses == 0})


METHOD = EffectSize(
    key="common-language",
    label="Common-language effect size",
    summary="Share of the items on which the first system scores higher, ties counted half.",
    run=common_language,
    formula=r"\hat P(u > v) + \tfrac12 \hat P(u = v)",
    references=("mcgraw1992", "wilson1927"),
    swapping="complement",
    unpaired=WIN_SHARE,
)
