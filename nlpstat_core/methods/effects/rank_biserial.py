"""The matched-pairs rank-biserial correlation, and signed ranks of resamples for its interval."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.methods.effects import by_document
from nlpstat_core.methods.effects.bootstrap import bootstrap_values, percentile_interval
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


class ResampledRanks:
    """Rank statistics of resamples of one pair's differences; sorted once, then only counted.

    z (float array, shape (n_units,)): Differences on the scores' grid.
    """

    def __init__(self, z: FloatArray) -> None:
        self.units = np.flatnonzero(z)
        self.units = self.units[np.argsort(np.abs(z[self.units]), kind="stable")]
        self.positive = (z[self.units] > 0).astype(float)
        opens = np.diff(np.abs(z[self.units]), prepend=-1.0) > 0
        self.starts = np.flatnonzero(opens)
        group = np.cumsum(opens) - 1
        self.first = self.starts[group]
        self.last = np.append(self.starts[1:], self.units.size)[group] - 1

    def _reached(self, counts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Draws of every unit, and how many were drawn up to the end of and before its tie group."""
        drawn = np.take(counts, self.units, axis=1)
        reached = np.cumsum(drawn, axis=1)
        before = reached - drawn
        if self.starts.size < self.units.size:
            reached, before = np.take(reached, self.last, axis=1), np.take(before, self.first, axis=1)
        return drawn, reached, before

    def _w_plus(self, drawn: FloatArray, reached: FloatArray, before: FloatArray) -> FloatArray:
        """Sum of the midranks of the positive differences of every resample."""
        result: FloatArray = np.einsum("ij,ij,j->i", reached + before + 1, drawn, self.positive) / 2
        return result

    def rank_biserial(self, counts: FloatArray) -> FloatArray:
        """(W⁺ − W⁻)/(W⁺ + W⁻) of every resample. NaN for a resample of ties only."""
        drawn, reached, before = self._reached(counts)
        w_plus, n = self._w_plus(drawn, reached, before), reached[:, -1]
        return np.where(n > 0, 4 * w_plus / np.maximum(n * (n + 1), 1) - 1, np.nan)
