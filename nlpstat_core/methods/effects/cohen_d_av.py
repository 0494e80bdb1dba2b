"""Cohen's d with the average spread of the two systems (d_av)."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.resampling.streams import count_chunks
from nlpstat_core.methods.effects import by_document
from nlpstat_core.methods.effects.bootstrap import STREAM, percentile_interval
from nlpstat_core.records import EffectSize
from nlpstat_core.stopping import stop_if_asked

# Cells of resamples × pairs held at a time.
_CELLS = 4_000_000


def cohen_d_av(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Mean difference in average standard deviations of the two systems' scores.

    Parameters
    ----------
    batch : PairBatch
        At least two units, else undefined (note "too-few-units").
    config : AnalysisConfig
        Confidence level, `alternative`, `resamples`, `seed`.
    with_interval : bool
        Whether to bootstrap the interval.

    Returns
    -------
    EffectColumns
        Undefined where neither system's scores have any spread (note "no-spread"). The interval is a
        percentile bootstrap over units, undefined where more than one resample in a hundred has no spread
        (note "bootstrap-undefined"); where documents are named it is cluster-robust (`by_document`).

    Notes
    -----
    d_av = (ū − v̄)/√((s_u² + s_v²)/2). It does not say how well pairing works; d_z does. Means and variances
    of all systems in all resamples are two matrix products, whatever the number of pairs.
    """
    n = batch.n_units
    if n < 2:
        nothing = np.full(batch.n_pairs, np.nan)
        interval = np.full((batch.n_pairs, 2), np.nan) if with_interval else None
        return EffectColumns(value=nothing, interval=interval, notes={"too-few-units": np.isnan(nothing)})
    used, place = np.unique(np.stack([batch.left, batch.right]), return_inverse=True)
    left, right = place.reshape(2, -1)
    scores = _Scores(batch.units.values[:, used])
    _, variance = scores.resampled(np.ones((1, n)))
    value = _standardised(batch.mean, variance[0, left], variance[0, right])
    interval = None
    if with_interval and batch.units.blocks is not None:
        interval = by_document.average_standardised_mean(value, batch, config)
    elif with_interval:
        interval = _interval(scores, left, right, n, config)
    notes = {"no-spread": np.isnan(value)}
    if interval is not None:
        notes["bootstrap-undefined"] = np.isnan(interval[:, 0]) & ~np.isnan(value)
    return EffectColumns(value=value, interval=interval, notes=notes)


class _Scores:
    """Scores of the systems in use, centred, for their means and variances in resamples."""

    def __init__(self, values: FloatArray) -> None:
        self.centre = values.mean(axis=0)
        self.centred = np.where(np.ptp(values, axis=0) == 0, 0.0, values - self.centre)
        self.squares = self.centred**2

    def resampled(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Means and variances (ddof 1) of every system, shapes (k, n_systems), from counts (k, n_units)."""
        n = counts.shape[1]
        shift = counts @ self.centred / n
        variance = (counts @ self.squares - n * shift**2) / (n - 1)
        # What is left of a resample of equal scores is rounding.
        dust = 1e-12 * self.squares.max(axis=0)
        return shift + self.centre, np.where(variance > dust, variance, 0.0)


def _standardised(gap: FloatArray, variance_a: FloatArray, variance_b: FloatArray) -> FloatArray:
    spread = np.sqrt((variance_a + variance_b) / 2)
    return np.where(spread > 0, gap / np.where(spread > 0, spread, 1.0), np.nan)


def _interval(
    scores: _Scores, left: IntArray, right: IntArray, n_units: int, config: AnalysisConfig
) -> FloatArray:
    """Percentile interval of every pair; the resamples of the systems serve all pairs."""
    counts = count_chunks(n_units, config.resamples, config.seed, STREAM)
    drawn = [scores.resampled(c) for _, c in counts]
    means = np.concatenate([mean for mean, _ in drawn])
    variances = np.concatenate([variance for _, variance in drawn])
    interval = np.empty((left.shape[0], 2))
    step = max(1, _CELLS // config.resamples)
    for start in range(0, left.shape[0], step):
        stop_if_asked()
        a, b = left[start : start + step], right[start : start + step]
        values = _standardised(means[:, a] - means[:, b], variances[:, a], variances[:, b])
        interval[start : start + step] = percentile_interval(
            values, config.level, config.alternative, -np.inf, np.inf
        )
    return interval


METHOD = EffectSize(
    key="cohen-d-av",
    label="Cohen's d (average spread)",
    summary="Mean difference divided by the two systems' average standard deviation (d_av).",
    run=cohen_d_av,
    formula=r"d_{av} = \frac{\bar u - \bar v}{\sqrt{(s_u^2 + s_v^2)/2}}",
    references=("cohen1988", "efron1979"),
    costly=True,
    resampled=True,
    conventions=(0.2, 0.5, 0.8),
)
