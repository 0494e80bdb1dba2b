"""The effect size r of Wilcoxon's signed-rank test, with its sign."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.columns.signed_ranks import SignedRanks
from nlpstat_core.engine.distributions.tails import normal_quantile, one_sided, two_sided_mass
from nlpstat_core.methods.effects import by_document
from nlpstat_core.records import EffectSize


def wilcoxon_r(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Z of the signed-rank test over the root of the number of non-zero differences, signed.

    Parameters
    ----------
    batch : PairBatch
        δ does not enter: effect sizes are about u − v.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        Positive when a tends to be above b. Undefined without non-zero differences
        (note "no-untied-units"). The interval needs four of them ("interval-too-few-units") and is undefined
        at r = ±1, where Fisher's transformation ends ("interval-at-bound"). With the interval comes the
        largest r that the data could reach.

    Notes
    -----
    Z is tie-corrected and without continuity correction; zeros are dropped. The interval is Fisher's,
    tanh(atanh r ± q/√(n − 3)), cut at the largest r that n differences can reach (`attainable_r`); where
    documents are named that of the rank-biserial correlation, cluster-robust, times this r.
    Cost O(n log n) per pair.
    """
    ranks = batch.unshifted.signed_ranks
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (ranks.w_plus - ranks.mean()) / (ranks.sd() * np.sqrt(ranks.nonzero))
    notes = {"no-untied-units": ranks.nonzero == 0}
    if not with_interval:
        return EffectColumns(value=value, notes=notes)
    bound = attainable_r(ranks)
    if batch.units.blocks is None:
        interval = _fisher(value, ranks.nonzero.astype(float) - 3, bound, config)
    else:  # r is the rank-biserial correlation times the largest r
        interval = bound[:, None] * by_document.rank_correlation(value / bound, batch, config)
    notes["interval-too-few-units"] = (ranks.nonzero > 0) & (ranks.nonzero < 4)
    one_sign = np.abs(value) >= bound * (1 - 1e-9)
    notes["interval-at-bound"] = (ranks.nonzero >= 4) & one_sign & np.isnan(interval).any(axis=1)
    return EffectColumns(value=value, interval=interval, notes=notes, largest=bound)


def attainable_r(ranks: SignedRanks) -> FloatArray:
    """The largest |r| that the pair's non-zero differences can reach: every one of them has the same sign.

    Returns: √(3(n + 1)/(2(2n + 1))) without ties, about 0.87; up to 1 with ties.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        bound: FloatArray = ranks.mean() / (ranks.sd() * np.sqrt(ranks.nonzero))
    return bound


def _fisher(value: FloatArray, freedom: FloatArray, bound: FloatArray, config: AnalysisConfig) -> FloatArray:
    """Fisher's interval for a correlation, cut at ±bound; NaN where it is undefined."""
    usable = (freedom > 0) & (np.abs(value) < 1 - 1e-12)
    centre = np.arctanh(np.where(usable, value, np.nan))
    quantile = normal_quantile(1 - two_sided_mass(config.level, config.alternative))
    margin = quantile / np.sqrt(np.where(usable, freedom, np.nan))
    low, high = np.maximum(np.tanh(centre - margin), -bound), np.minimum(np.tanh(centre + margin), bound)
    return one_sided(low, high, config.alternative, -bound, bound)


METHOD = EffectSize(
    key="wilcoxon-r",
    label="Wilcoxon r",
    summary="Z of the signed-rank test over √n of the non-zero differences; its sign is the direction.",
    run=wilcoxon_r,
    by_wins=True,
    formula=r"r = \frac{Z}{\sqrt n},\quad |r| \le \sqrt{\frac{3(n+1)}{2(2n+1)}} \text{ without ties}",
    references=("rosenthal1991",),
    former_keys=("wilcoxonr",),
)
