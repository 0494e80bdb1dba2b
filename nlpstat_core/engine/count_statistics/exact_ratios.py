"""Exact permutation tests of differences of ratios of counts, for many pairs of systems."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import (
    MONTE_CARLO,
    EstimateColumns,
    Outcomes,
    outcomes_from_tails,
    undefined_outcomes,
)
from nlpstat_core.engine.count_statistics import exact_ratio_tail
from nlpstat_core.engine.samples.intervals import difference_interval
from nlpstat_core.engine.signflip import KINDS, TailColumns, sign_flip_columns
from nlpstat_core.engine.signflip.outcome import columns_from_log_p
from nlpstat_core.scores.counts import CountKind
from nlpstat_core.stopping import stop_if_asked


def exact_ratio_columns(
    hits: FloatArray, misses: FloatArray, miss_weight: float, batch: PairBatch, config: AnalysisConfig
) -> TailColumns:
    """Exact permutation test of the difference in hits/(hits + κ·misses) for every pair of a batch.

    Null hypothesis: in every unit the outputs of a and b could be exchanged.

    hits, misses (float arrays, shape (n_systems, n_units)): Counts of what is swapped as a whole: units, or
        blocks of units; systems are rows.
    miss_weight: κ: 1 for accuracy, ½ for F1.
    batch: The pairs.
    config: `alternative`; `seed` and `resamples` only for the Monte Carlo last resort.
    Returns: One p-value per pair.

    Where both systems have the same hits + κ·misses in every unit, the difference is proportional to
    Σ(hits_a − hits_b): the sign-flip distribution of the differences of hits, for all such pairs at once.
    The others walk in two dimensions (`structured`), pair by pair.
    """
    left, right = batch.left, batch.right
    weights = hits + miss_weight * misses
    linear = np.all(weights[left] == weights[right], axis=1)
    log_p, error = np.zeros(batch.n_pairs), np.zeros(batch.n_pairs)
    kind = np.zeros(batch.n_pairs, dtype=np.int8)
    if linear.any():
        z = hits[left[linear]] - hits[right[linear]]
        found = sign_flip_columns(
            np.ascontiguousarray(z.T),
            config.alternative,
            max_decimals=0,
            seed=config.seed,
            resamples=config.resamples,
        )
        log_p[linear], error[linear] = found.log10_p * np.log(10.0), found.error
        kind[linear] = found.kind
    for pair in np.flatnonzero(~linear):
        stop_if_asked()
        tail = exact_ratio_tail(
            *_pair_counts(hits, misses, left[pair], right[pair]),
            config.alternative,
            miss_weight=miss_weight,
            seed=config.seed,
            resamples=config.resamples,
        )
        log_p[pair], error[pair], kind[pair] = tail.log_p, tail.error, KINDS.index(tail.kind)
    return columns_from_log_p(log_p, kind, error)


def _pair_counts(
    hits: FloatArray, misses: FloatArray, a: IntArray, b: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Hits and misses of a, then of b."""
    return hits[a], misses[a], hits[b], misses[b]


def score_outcomes(kind: CountKind, batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """The exact test of the score that counts of one kind make, unit by unit.

    Returns: Undefined, with a note, where the batch has no counts of this kind, no units, or δ ≠ 0.
    """
    counts = batch.units.counts
    if counts is None or counts.kind != kind:
        return undefined_outcomes(batch.n_pairs, "no-counts")
    if batch.delta:
        return undefined_outcomes(batch.n_pairs, "counts-need-zero-delta")
    if batch.n_units == 0:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    hits, misses = np.ascontiguousarray(counts.hits.T), np.ascontiguousarray(counts.misses.T)
    tails = exact_ratio_columns(hits, misses, counts.miss_weight, batch, config)
    notes = {"monte-carlo-last-resort": tails.kind == MONTE_CARLO}
    return outcomes_from_tails(batch.difference, tails, batch.difference, notes)


def score_with_interval(kind: CountKind, batch: PairBatch, config: AnalysisConfig) -> EstimateColumns:
    """The difference of two micro-averaged scores with its interval.

    Returns: NaN where the batch has no counts of this kind.
    """
    counts = batch.units.counts
    if counts is None or counts.kind != kind:
        nothing = np.full(batch.n_pairs, np.nan)
        return EstimateColumns(of=kind, value=nothing, interval=np.stack([nothing, nothing], axis=-1))
    return EstimateColumns(of=kind, value=batch.difference, interval=difference_interval(batch, config))
