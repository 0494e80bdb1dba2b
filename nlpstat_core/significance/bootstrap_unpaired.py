"""The studentised bootstrap of two independent samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.pairs.outcomes import Outcomes, SignificanceRun
from nlpstat_core.resampling import count_chunks, tie_tolerance
from nlpstat_core.resampling.bootstrap_t import studentised_outcomes
from nlpstat_core.resampling.studentised import ObservedT
from nlpstat_core.samples.independent import sample, shift, too_few

_NO_SPREAD = 1e-12


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
        The difference of means, its Monte Carlo p-value and the bootstrap-t interval; notes "too-few-units",
        "no-spread" and "flat-resamples".

    Notes
    -----
    Both samples are drawn anew with replacement: t* = ((ū* − v̄*) − (ū − v̄))/√(s_u*²/n_u + s_v*²/n_v) against
    Welch's t; p = (1 + #{|t*| ≥ |t|})/(B + 1). Cost O(B·(n_u + n_v)) per pair.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 16.
    """
    few = too_few(batch, 2)
    found = shift(batch)
    centred = found.difference - batch.delta
    spread = found.error > 0
    zero = (found.error == 0) & (np.abs(centred) <= 1e-12 * max(1.0, abs(batch.delta)))
    scale = np.where(spread, found.error, 1.0)
    t = np.where(spread, centred / scale, np.where(zero, 0.0, np.nan))
    own = np.abs(np.nan_to_num(batch.units.own_scores)).max(axis=0, initial=0.0)
    tolerance = tie_tolerance(own[batch.left] + own[batch.right]) / scale * spread
    observed = ObservedT(shift=centred, standard_error=found.error, t=t, tolerance=tolerance)
    result = studentised_outcomes(batch, config, found.difference, observed, _resampled)
    result.notes["no-spread"] = result.notes["no-spread"] & ~few["too-few-units"]
    result.notes.update(few)
    return result


def _resampled(batch: PairBatch, resamples: int, seed: int) -> Iterator[tuple[slice, FloatArray]]:
    """t* of every pair in every resample: (resamples, t* of shape (n_pairs, resamples)) once."""
    t_star = np.empty((batch.n_pairs, resamples))
    for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
        mean_a, square_a = _side(sample(batch, a), resamples, seed, "bootstrap-a")
        mean_b, square_b = _side(sample(batch, b), resamples, seed, "bootstrap-b")
        square = square_a + square_b
        flat = ~(square > 0)
        t_star[pair] = np.where(flat, np.nan, (mean_a - mean_b) / np.sqrt(np.where(flat, 1.0, square)))
    yield slice(0, resamples), t_star


def _side(scores: FloatArray, resamples: int, seed: int, stream: str) -> tuple[FloatArray, FloatArray]:
    """Resampled means about the mean, and their squared standard errors, each of shape (resamples,)."""
    n = scores.size
    shifts, squares = np.zeros(resamples), np.full(resamples, np.nan)
    if n < 2:
        return shifts, squares
    centred = scores - scores.mean()
    for which, counts in count_chunks(n, resamples, seed, stream):
        total, about = counts @ centred, counts @ centred**2
        left = about - total**2 / n
        shifts[which] = total / n
        squares[which] = np.where(left > _NO_SPREAD * about, left, 0.0) / ((n - 1) * n)
    return shifts, squares


METHOD: Method[SignificanceRun] = Method(
    key="bootstrap-unpaired",
    label="Bootstrap test (unpaired)",
    summary="Resamples both samples and compares the difference of means, in standard errors.",
    run=bootstrap_unpaired,
    hypothesis="mean",
    null="the means differ by {delta}",
    assumptions=(
        "all units are independent, also between the systems",
        "there are enough units to stand for those that could have been tested (bootstrap)",
    ),
    formula=r"p = \frac{1 + \#\{|t^*| \ge |t|\}}{B + 1}",
    references=("efron1993",),
    design="unpaired",
)
