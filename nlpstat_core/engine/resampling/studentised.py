"""Studentised bootstrap of the mean difference: t of every pair in every resample."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import column_means
from nlpstat_core.engine.resampling.monte_carlo import tie_tolerance
from nlpstat_core.engine.resampling.products import WIDTH, padded_rows, sums
from nlpstat_core.engine.resampling.streams import from_counts

# Numbers of one table of resampled t statistics (80 MB), and of one table of squares (32 MB): fixed.
_MOST_STATISTICS = 10_000_000
_MOST_SQUARES = 4_000_000
# Of a resample's sum of squares; less than this about its mean is rounding, so it has no spread.
_NO_SPREAD = 1e-12
# Above this share of resamples without spread a pair is flagged, and takes no part in max-T.
MOST_FLAT = 0.01


@dataclass(frozen=True, eq=False, kw_only=True)
class ObservedT:
    """Observed t statistics of a batch; all arrays have shape (n_pairs,).

    shift: Mean of z = u − v − δ, metric points.
    standard_error: sd/√n of z (ddof 1); NaN below two units.
    t: shift/standard_error: 0 where both are 0, NaN where only the standard error is (or n < 2).
    tolerance: Distance on the scale of t at which a resampled statistic ties with t.
    """

    shift: FloatArray
    standard_error: FloatArray
    t: FloatArray
    tolerance: FloatArray


def observed_t(batch: PairBatch) -> ObservedT:
    """t statistics of the mean difference.

    A difference that is the same for every unit has no spread; within rounding of δ it counts as 0.
    """
    n = batch.n_units
    shift = batch.mean - batch.delta
    if n < 2:
        undefined = np.full(batch.n_pairs, np.nan)
        return ObservedT(shift=shift, standard_error=undefined, t=undefined, tolerance=undefined)
    error = batch.sd / np.sqrt(n)
    spread = error > 0
    zero = ~spread & (np.abs(shift) <= 1e-12 * max(1.0, abs(batch.delta)))
    scale = np.where(spread, error, 1.0)
    t = np.where(spread, shift / scale, np.where(zero, 0.0, np.nan))
    # Σ|z_i| is at most √(n·Σz²); on the scale of t a sum counts 1/(n·standard error).
    absolute = n * np.sqrt(shift**2 + error**2 * (n - 1))
    return ObservedT(
        shift=shift, standard_error=error, t=t, tolerance=tie_tolerance(absolute) / (n * scale) * spread
    )


def tail_values(t: FloatArray, side: int) -> FloatArray:
    """t turned so that large values are extreme.

    side: 0 for both tails, +1 for the upper, −1 for the lower.
    Returns float array of the same shape, a new one.
    """
    return np.abs(t) if side == 0 else side * t


def pair_parts(n_pairs: int, n_units: int, resamples: int) -> Iterator[slice]:
    """Pairs whose resampled statistics are held together: bounded memory, whole products.

    resamples: Statistics kept per pair at the same time.
    """
    most = min(_MOST_STATISTICS // resamples, _MOST_SQUARES // max(1, n_units))
    step = max(WIDTH, most // WIDTH * WIDTH)
    for start in range(0, n_pairs, step):
        yield slice(start, min(start + step, n_pairs))


def resampled_t(batch: PairBatch, resamples: int, seed: int) -> Iterator[tuple[slice, FloatArray]]:
    """t* of every pair in every resample, chunk by chunk; all pairs meet the same resamples.

    batch: At least two units.
    Yields which: Resamples of this chunk.
    Yields t (float array, shape (n_pairs, resamples in which)): NaN where the resample has no spread.

    t* = (z̄* − z̄)/(s*/√n) with s*² = (Σ c_i d_i² − (Σ c_i d_i)²/n)/(n − 1), d = z − z̄ and c_i the number of
    times unit i was drawn. Σ c_i d_i of all pairs are differences of S sums; Σ c_i d_i² is one matrix
    product: cost O(B·n·n_pairs).
    """
    n, left, right = batch.n_units, batch.left, batch.right
    systems, left, right = used_systems(batch.units.values, left, right)
    system_rows = padded_rows(systems - column_means(systems))
    square_rows = padded_rows((batch.differences - batch.mean) ** 2)

    def t_of(counts: FloatArray) -> FloatArray:
        weights = counts.T
        by_system = sums(system_rows, weights, systems.shape[1])
        total = by_system[left] - by_system[right]
        return _t(total, sums(square_rows, weights, batch.n_pairs), n)

    yield from from_counts(t_of, n, resamples, seed, sent=system_rows.size + square_rows.size)


def used_systems(
    values: FloatArray, left: IntArray, right: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Only the columns that the pairs use, and the pairs' places among them.

    values (float array, shape (n_units, n_systems)).
    Returns values (float array, shape (n_units, systems used)).
    Returns left, right (int arrays, shape (n_pairs,)).
    """
    used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    return values[:, used], places[: left.shape[0]], places[left.shape[0] :]


def _t(total: FloatArray, squares: FloatArray, n: int) -> FloatArray:
    """t* from Σ c d and Σ c d², shape of both; NaN without spread. Overwrites both."""
    about_mean = squares - total * total / n
    flat = about_mean <= _NO_SPREAD * squares
    about_mean[flat] = 1.0
    about_mean *= n / (n - 1)
    t: FloatArray = np.divide(total, np.sqrt(about_mean, out=about_mean), out=total)
    t[flat] = np.nan
    return t
