"""The matched-pairs rank-biserial correlation."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.methods.effects import by_document
from nlpstat_core.methods.effects.bootstrap import bootstrap_values, percentile_interval
from nlpstat_core.methods.effects.resampled_ranks import ResampledRanks
from nlpstat_core.records import EffectSize


def rank_biserial(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Difference between the rank sums of the positive and the negative differences, as a share of both.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level, `alternative`, `resamples`, `seed`.
    with_interval : bool
        Whether to bootstrap the interval.

    Returns
    -------
    EffectColumns
        From −1 to 1, positive when a tends to be above b; undefined without non-zero differences (note
        "no-untied-units"). The interval is a percentile bootstrap over units; where all differences have
        one sign every resample gives ±1 and it is undefined ("interval-at-bound"), as it is where more than
        one resample in a hundred holds only ties ("bootstrap-undefined"). Where documents are named it is
        cluster-robust instead (`by_document`).

    Notes
    -----
    (W⁺ − W⁻)/(W⁺ + W⁻), zeros dropped. Cost O(n log n) per pair, the interval O(n) per pair and resample.
    """
    ranks = batch.unshifted.signed_ranks
    total = ranks.nonzero * (ranks.nonzero + 1.0) / 2
    value = np.where(total > 0, 2 * ranks.w_plus / np.maximum(total, 1) - 1, np.nan)
    notes = {"no-untied-units": ranks.nonzero == 0}
    if not with_interval:
        return EffectColumns(value=value, notes=notes)
    one_sign = np.abs(value) == 1
    if batch.units.blocks is not None:
        notes["interval-at-bound"] = one_sign
        interval = by_document.rank_correlation(value, batch, config)
        return EffectColumns(value=value, interval=interval, notes=notes)
    interval = np.full((batch.n_pairs, 2), np.nan)
    for part, rows in batch.rows():
        grid = on_grid(rows, batch.units.decimals, 0.0)
        for pair, z in enumerate(grid, start=part.start):
            if not (one_sign[pair] or np.isnan(value[pair])):
                interval[pair] = _interval(z, config)
    notes["interval-at-bound"] = one_sign
    notes["bootstrap-undefined"] = np.isnan(interval[:, 0]) & ~one_sign & ~np.isnan(value)
    return EffectColumns(value=value, interval=interval, notes=notes)


def _interval(z: FloatArray, config: AnalysisConfig) -> FloatArray:
    """Percentile interval of one pair."""
    values = bootstrap_values(ResampledRanks(z).rank_biserial, z.size, config)[:, None]
    result: FloatArray = percentile_interval(values, config.level, config.alternative, -1.0, 1.0)[0]
    return result


METHOD = EffectSize(
    key="rank-biserial",
    label="Rank-biserial correlation",
    summary="Rank sum of the items that the first system wins minus that of the second, as a share of both.",
    run=rank_biserial,
    formula=r"\frac{W^+ - W^-}{W^+ + W^-}",
    references=("kerby2014", "efron1979"),
    costly=True,
    resampled=True,
)
