"""Intervals that the product doesn't offer, for comparison: plain bootstraps, and d's for large samples."""

from typing import Literal

import numpy as np
from scipy import special

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.unit_block import column_means
from nlpstat_core.engine.distributions.tails import normal_quantile, one_sided, two_sided_mass
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.products import padded_rows, sums
from nlpstat_core.engine.resampling.streams import from_counts
from nlpstat_core.engine.resampling.studentised import pair_parts, used_systems
from nlpstat_core.engine.resampling.threads import in_order
from nlpstat_core.methods.effects.bootstrap import bootstrap_values, percentile_interval
from nlpstat_core.methods.effects.rank_biserial import ResampledRanks

IntervalMethod = Literal["percentile", "basic", "bca"]
# Resampled values ordered at a time (1 MB).
_CELLS = 131_072


def bootstrap_interval(
    resampled: FloatArray,
    estimate: FloatArray,
    level: float,
    alternative: Alternative = "two-sided",
    *,
    method: IntervalMethod = "percentile",
    acceleration: FloatArray | None = None,
) -> FloatArray:
    """Interval of each estimate from its resampled values.

    resampled (float array, shape (n, resamples)).
    estimate (float array, shape (n,)).
    alternative: One-sided alternatives give one-sided intervals.
    method: Quantiles of the resampled values; the same reflected at the estimate; quantiles corrected for
        bias and for a spread that changes with the value.
    acceleration (float array, shape (n,)): For BCa, from `mean_acceleration` or a jackknife.
    Returns float array, shape (n, 2).

    Quantiles interpolate linearly between order statistics, as scipy.stats.bootstrap does. BCa takes the
    quantiles at Φ(z₀ + (z₀ + z_q)/(1 − a(z₀ + z_q))), z₀ = Φ⁻¹(share of resampled values below the
    estimate, ties half); it is undefined (NaN) where all resampled values lie on one side.

    Source: Efron (1987), doi:10.2307/2289144; Davison and Hinkley (1997), chapter 5.
    """
    tail = two_sided_mass(level, alternative)
    n = estimate.shape[0]
    if method == "bca":
        if acceleration is None:
            raise ValueError("BCa intervals need `acceleration`.")
        lower, upper = (_bca_share(resampled, estimate, acceleration, q) for q in (tail, 1 - tail))
        places = None
    else:
        lower, upper = np.full(n, tail), np.full(n, 1 - tail)
        places = _places(np.array([tail, 1 - tail]), resampled.shape[1])
    low, high = _quantiles(resampled, lower, upper, places)
    if method == "basic":
        low, high = 2 * estimate - high, 2 * estimate - low
    return one_sided(low, high, alternative)


def mean_acceleration(deviations: FloatArray) -> FloatArray:
    """Acceleration of BCa for a mean: what the jackknife gives, in closed form.

    deviations (float array, shape (n_units, n)): z − z̄.
    Returns float array, shape (n,): Σd³/(6·(Σd²)^1.5); NaN for constant data.
    """
    squares = np.einsum("ij,ij->j", deviations, deviations)
    cubes = np.einsum("ij,ij,ij->j", deviations, deviations, deviations)
    with np.errstate(divide="ignore", invalid="ignore"):
        result: FloatArray = cubes / (6 * squares**1.5)
    return result


def _bca_share(resampled: FloatArray, estimate: FloatArray, a: FloatArray, share: float) -> FloatArray:
    """Corrected probability of a quantile, shape (n,); NaN where the bias correction is infinite."""
    below = (resampled < estimate[:, None]).mean(axis=1)
    up_to = (resampled <= estimate[:, None]).mean(axis=1)
    z0 = special.ndtri((below + up_to) / 2)
    z0 = np.where(np.isfinite(z0), z0, np.nan)
    moved = z0 + special.ndtri(share)
    corrected: FloatArray = special.ndtr(z0 + moved / (1 - a * moved))
    return corrected


def _quantiles(
    resampled: FloatArray, lower: FloatArray, upper: FloatArray, places: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """Quantiles of each row at its two probabilities; only these places are ordered, or all."""
    n, resamples = resampled.shape
    step = max(1, _CELLS // resamples)

    def some(start: int) -> tuple[FloatArray, FloatArray]:
        rows = slice(start, start + step)
        ordered = np.sort(resampled[rows]) if places is None else np.partition(resampled[rows], places)
        return _interpolated(ordered, lower[rows]), _interpolated(ordered, upper[rows])

    low, high = zip(*in_order(some, range(0, max(1, n), step)), strict=True)
    return np.concatenate(low), np.concatenate(high)


def _places(shares: FloatArray, resamples: int) -> IntArray:
    """Places of the order statistics that quantiles at these probabilities need."""
    below = np.floor(shares * (resamples - 1)).astype(np.int64)
    return np.unique(np.append(below, np.minimum(below + 1, resamples - 1)))


def _interpolated(ordered: FloatArray, shares: FloatArray) -> FloatArray:
    """Quantile of each ordered row at its own probability, linear between order statistics."""
    last = ordered.shape[1] - 1
    place = np.where(np.isnan(shares), 0.0, shares) * last
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, last)
    rows = np.arange(ordered.shape[0])
    part = place - below
    values = ordered[rows, below] * (1 - part) + ordered[rows, above] * part
    result: FloatArray = np.where(np.isnan(shares), np.nan, values)
    return result


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


class ResampledWilcoxon(ResampledRanks):
    """The other statistic of the same ranks."""

    def wilcoxon_r(self, counts: FloatArray) -> FloatArray:
        """Tie-corrected Z over √n of every resample; parameters and result as in `rank_biserial`."""
        drawn, reached, before = self._reached(counts)
        w_plus, n = self._w_plus(drawn, reached, before), reached[:, -1]
        size = (reached - before)[:, self.starts]
        ties = np.sum(size**3 - size, axis=1)
        variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
        safe = np.where(n > 0, variance * n, 1.0)
        return np.where(n > 0, (w_plus - n * (n + 1) / 4) / np.sqrt(safe), np.nan)


def wilcoxon_r_bootstrap(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Percentile bootstrap interval of r over units, for those who distrust Fisher's transformation here.

    config: Confidence level, `alternative`, `resamples`, `seed`.
    Returns float array, shape (n_pairs, 2): NaN where r is undefined. Cost O(n) per pair and resample.

    Source: Efron (1979), doi:10.1214/aos/1176344552.
    """
    interval = np.full((batch.n_pairs, 2), np.nan)
    for part, rows in batch.rows():
        for pair, z in enumerate(on_grid(rows, batch.units.decimals, 0.0), start=part.start):
            if z.any():
                values = bootstrap_values(ResampledWilcoxon(z).wilcoxon_r, z.size, config)[:, None]
                interval[pair] = percentile_interval(values, config.level, config.alternative, -1.0, 1.0)[0]
    return interval


def normal_interval(d: FloatArray, n: int, level: float, alternative: Alternative) -> FloatArray:
    """Large-sample interval d ± q·√(1/n + d²/2n), the one that NLPStatTest prints.

    d (float array, shape (n_pairs,)).
    n: Number of units.
    Returns float array, shape (n_pairs, 2).
    """
    margin = normal_quantile(1 - two_sided_mass(level, alternative)) * np.sqrt(1 / n + d**2 / (2 * n))
    return one_sided(d - margin, d + margin, alternative)
