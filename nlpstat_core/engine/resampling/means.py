"""Bootstrap intervals of the mean difference that need no studentising: percentile, basic, BCa."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import column_means
from nlpstat_core.engine.resampling.products import padded_rows, sums
from nlpstat_core.engine.resampling.quantiles import IntervalMethod, bootstrap_interval, mean_acceleration
from nlpstat_core.engine.resampling.streams import from_counts
from nlpstat_core.engine.resampling.studentised import pair_parts, used_systems
from nlpstat_core.engine.resampling.threads import one_blas_thread


def resampled_means(batch: PairBatch, resamples: int, seed: int) -> FloatArray:
    """Mean of u − v in every resample; all pairs meet the same resamples.

    batch: At least one unit.
    resamples: B.
    Returns float array, shape (n_pairs, resamples).

    Pairs are differences of S products: cost O(B·n·S) for all pairs. The resamples are those of the
    studentised bootstrap test.
    """
    values, left, right = used_systems(batch.units.values, batch.left, batch.right)
    centre = column_means(values)
    rows = padded_rows(values - centre)
    means = np.empty((batch.n_pairs, resamples))

    def differences(counts: FloatArray) -> FloatArray:
        by_system = sums(rows, counts.T, values.shape[1]) / batch.n_units
        return by_system[left] - by_system[right]

    for which, difference in from_counts(differences, batch.n_units, resamples, seed):
        means[:, which] = difference
    means += (centre[left] - centre[right])[:, None]
    return means


def bootstrap_mean_interval(
    batch: PairBatch, config: AnalysisConfig, method: IntervalMethod = "percentile"
) -> FloatArray:
    """Bootstrap interval of the mean of u − v.

    config: `level`, `alternative`, `resamples`, `seed`.
    Returns float array, shape (n_pairs, 2); NaN without units, for BCa also without spread.

    See `bootstrap_interval`. Cost O(B·n·S) for the means and O(B log B) per pair for the quantiles.
    """
    intervals = np.full((batch.n_pairs, 2), np.nan)
    if batch.n_units == 0:
        return intervals
    acceleration = mean_acceleration(batch.differences - batch.mean) if method == "bca" else None
    with one_blas_thread():
        for part in pair_parts(batch.n_pairs, 1, config.resamples):
            means = resampled_means(
                batch.take(np.arange(part.start, part.stop)), config.resamples, config.seed
            )
            intervals[part] = bootstrap_interval(
                means,
                batch.mean[part],
                config.level,
                config.alternative,
                method=method,
                acceleration=None if acceleration is None else acceleration[part],
            )
    return intervals
