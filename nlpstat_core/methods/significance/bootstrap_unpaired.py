"""The studentised bootstrap of two independent samples."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes
from nlpstat_core.engine.resampling import count_chunks, tie_tolerance
from nlpstat_core.engine.resampling.bootstrap_t import studentised_outcomes
from nlpstat_core.engine.resampling.products import padded_rows, sums
from nlpstat_core.engine.resampling.streams import CHUNK
from nlpstat_core.engine.resampling.studentised import ObservedT
from nlpstat_core.engine.samples.independent import shift, shift_interval, swapped_pairs, too_few
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import SignificanceTest
from nlpstat_core.stopping import stop_if_asked

_NO_SPREAD = 1e-12
# Resampled means of all systems that are kept between batches (160 MB with their squares).
_MOST_KEPT = 10_000_000


def bootstrap_unpaired(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Studentised bootstrap test of the difference of two independent means.

    Null hypothesis: the mean of a's scores minus the mean of b's is δ.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not; at least two on each side, else undefined.
    config : AnalysisConfig
        `alternative`, `level`, `resamples`, `seed`; δ is in the batch.

    Returns
    -------
    Outcomes
        The difference of means, its Monte Carlo p-value and the bootstrap-t interval, for counts Welch's;
        notes "too-few-own-units", "no-pooled-spread" and "flat-resamples".

    Notes
    -----
    Both samples are drawn anew with replacement: t* = ((ū* − v̄*) − (ū − v̄))/√(s_u*²/n_u + s_v*²/n_v) against
    Welch's t; p = (1 + #{|t*| ≥ |t|})/(B + 1). Which sample of a pair meets which draws depends on the
    samples, not on the order of the columns (`turned_pairs`). Cost O(B·n·S) for all pairs, and O(B) per pair.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 16.
    """
    few = too_few(batch, 2)
    found = shift(batch, of_units=True)
    centred = found.difference - batch.delta
    spread = found.error > 0
    zero = (found.error == 0) & (np.abs(centred) <= 1e-12 * max(1.0, abs(batch.delta)))
    scale = np.where(spread, found.error, 1.0)
    t = np.where(spread, centred / scale, np.where(zero, 0.0, np.nan))
    own = np.abs(np.nan_to_num(batch.units.own.values)).max(axis=0, initial=0.0)
    tolerance = tie_tolerance(own[batch.left] + own[batch.right]) / scale * spread
    observed = ObservedT(shift=centred, standard_error=found.error, t=t, tolerance=tolerance)
    result = studentised_outcomes(batch, config, found.difference, observed, _resampled)
    flat = result.notes.pop("no-spread")
    result.notes["no-pooled-spread"] = flat & ~few["too-few-own-units"]
    result.notes.update(few)
    if batch.units.counts is None:
        return result
    return replace(result, interval=shift_interval(shift(batch), config.level, config.alternative))


def _resampled(batch: PairBatch, resamples: int, seed: int) -> Iterator[tuple[slice, FloatArray]]:
    """t* of every pair, some resamples at a time: (resamples, t* of shape (n_pairs, resamples in which))."""
    swapped = swapped_pairs(batch)
    first, second = np.where(swapped, batch.right, batch.left), np.where(swapped, batch.left, batch.right)
    sign = np.where(swapped, -1.0, 1.0)[:, None]
    mean_a, square_a, of_a = _sides(batch, first, resamples, seed, "bootstrap-a")
    mean_b, square_b, of_b = _sides(batch, second, resamples, seed, "bootstrap-b")
    for start in range(0, resamples, CHUNK):
        stop_if_asked()
        which = slice(start, min(start + CHUNK, resamples))
        square = square_a[of_a, which] + square_b[of_b, which]
        flat = ~(square > 0)
        shifts = sign * (mean_a[of_a, which] - mean_b[of_b, which])
        yield which, np.where(flat, np.nan, shifts / np.sqrt(np.where(flat, 1.0, square)))


def _sides(
    batch: PairBatch, systems: IntArray, resamples: int, seed: int, stream: str
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Resampled means about the mean and their squared standard errors, one row per distinct system.

    Returns shifts, squares (float arrays, shape (distinct systems, resamples)): Squares are NaN below two
        units.
    Returns which (int array, shape of systems): The row of each.
    """
    own = batch.units.own
    distinct, which = np.unique(systems, return_inverse=True)
    new = [s for s in distinct.tolist() if (s, resamples, seed, stream) not in own.resampled]
    found = dict(zip(new, _drawn([own.sample(s) for s in new], resamples, seed, stream), strict=True))
    if own.values.shape[1] * resamples <= _MOST_KEPT:  # the same systems come again in other batches
        own.resampled.update({(s, resamples, seed, stream): sides for s, sides in found.items()})
    rows = [found[s] if s in found else own.resampled[s, resamples, seed, stream] for s in distinct.tolist()]
    return np.stack([row[0] for row in rows]), np.stack([row[1] for row in rows]), which


def _drawn(
    scores: list[FloatArray], resamples: int, seed: int, stream: str
) -> list[tuple[FloatArray, FloatArray]]:
    """Resampled means about the mean and their squared standard errors of every sample."""
    sizes = np.array([own.size for own in scores])
    shifts, squares = np.zeros((2, len(scores), resamples))
    squares[sizes < 2] = np.nan
    for n in np.unique(sizes[sizes > 1]):
        rows = np.flatnonzero(sizes == n)
        centred = np.stack([scores[row] - scores[row].mean() for row in rows], axis=1)
        plain, squared = padded_rows(centred), padded_rows(centred**2)
        for part, counts in count_chunks(int(n), resamples, seed, stream):
            total, about = (sums(columns, counts.T, rows.size) for columns in (plain, squared))
            left = about - total**2 / n
            shifts[rows, part] = total / n
            squares[rows, part] = np.where(left > _NO_SPREAD * about, left, 0.0) / ((n - 1) * n)
    return list(zip(shifts, squares, strict=True))


METHOD = SignificanceTest(
    key="bootstrap-unpaired",
    label="Bootstrap test (unpaired)",
    summary="Resamples both samples and compares the difference of means, in standard errors.",
    run=bootstrap_unpaired,
    quantity=MEAN,
    null="the means differ by {delta}",
    assumptions=(
        "all items are independent, also between the systems",
        "there are enough items to represent those that could have been tested (bootstrap)",
    ),
    formula=r"p = \frac{1 + \#\{|t^*| \ge |t|\}}{B + 1}",
    references=("efron1993",),
    design="unpaired",
    resampled=True,
)
