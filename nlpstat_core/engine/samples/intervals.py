"""Intervals of the difference between two systems' scores: over independent units, and over blocks."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_errors, clustered_freedom
from nlpstat_core.engine.distributions.tails import student_interval, t_interval
from nlpstat_core.engine.samples.paired_shares import score_interval


def difference_interval(batch: PairBatch, config: AnalysisConfig, *, continuity: bool = True) -> FloatArray:
    """Interval of every pair's difference over independent units: of shares by the score, else Student's t.

    config: Confidence level and `alternative`.
    continuity: For 0/1 scores: whether the interval goes with the exact test or with the asymptotic one.
    Returns float array, shape (n_pairs, 2); NaN without units, for other than 0/1 scores below two.

    0/1 scores: Tango's score interval (`paired_shares`), which agrees with McNemar's test. Others:
    `mean_interval`, for scores made of counts cut at −1 and 1, between which their differences lie.
    """
    interval = mean_interval(batch, config)
    counts = batch.units.counts
    if counts is not None and not counts.of_single_items:
        return within_shares(interval)
    binary = batch.units.binary[batch.left] & batch.units.binary[batch.right]
    if binary.any():
        pairs = batch.unshifted.take(binary)
        interval[binary] = score_interval(
            pairs.wins, pairs.losses, batch.n_units, config.level, config.alternative, continuity=continuity
        )
    return interval


def mean_interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Student's t interval of every pair's difference, over independent units.

    config: Confidence level and `alternative`.
    Returns float array, shape (n_pairs, 2); NaN below two units.

    d ± t·se with n − 1 degrees of freedom. For means se = sd/√n; for counts se is that of the linearised
    difference of two ratios of sums (`contributions`).
    """
    n = batch.n_units
    sd = batch.sd if batch.units.counts is None else batch.score_error * np.sqrt(n)
    return student_interval(batch.difference, sd, n, config.level, config.alternative)


def block_interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Cluster-robust t interval of every pair's difference.

    batch: Its units are in blocks.
    config: Confidence level and `alternative`.
    Returns float array, shape (n_pairs, 2); NaN below three degrees of freedom or without blocks.

    d ± t·se with se from `clustered_errors` and Bell and McCaffrey's degrees of freedom; differences of
    shares (0/1 scores, and scores made of counts) are cut at −1 and 1.
    """
    error, freedom = clustered_errors(batch), clustered_freedom(batch)
    interval = t_interval(batch.difference, error, freedom, config.level, config.alternative)
    return cut_shares(batch, interval)


def cut_shares(batch: PairBatch, interval: FloatArray) -> FloatArray:
    """Intervals of the pairs' differences, those of shares (0/1 scores, counts) cut at −1 and 1.

    interval (float array, shape (n_pairs, 2)).
    Returns float array of the same shape.
    """
    binary = batch.units.binary[batch.left] & batch.units.binary[batch.right]
    shares = binary | (batch.units.counts is not None)
    return np.where(shares[:, None], within_shares(interval), interval)


def within_shares(interval: FloatArray) -> FloatArray:
    """Intervals of differences of shares cut at −1 and 1; open ends stay open.

    interval (float array, shape (n_pairs, 2)).
    Returns float array of the same shape.
    """
    return np.where(np.isfinite(interval), np.clip(interval, -1.0, 1.0), interval)
