"""Intervals of the difference between two systems' scores: over independent units, and over blocks."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.distributions.tails import student_interval
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.samples.blocks import clustered_errors


def difference_interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Student's t interval of every pair's difference, over independent units.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    float array, shape (n_pairs, 2); NaN below two units.

    Notes
    -----
    d ± t·se with n − 1 degrees of freedom. For means se = sd/√n; for counts se is that of the linearised
    difference of two ratios of sums (`contributions`).
    """
    n = batch.n_units
    sd = batch.sd if batch.units.counts is None else batch.score_error * np.sqrt(n)
    return student_interval(batch.difference, sd, n, config.level, config.alternative)


def block_interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Cluster-robust t interval of every pair's difference.

    Parameters
    ----------
    batch : PairBatch
        Its units are in blocks.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    float array, shape (n_pairs, 2); NaN below two blocks or without blocks.

    Notes
    -----
    d ± t·se with G − 1 degrees of freedom, se from `clustered_errors`.
    """
    n_blocks = 0 if batch.units.blocks is None else batch.units.blocks.n_blocks
    sd = clustered_errors(batch) * np.sqrt(n_blocks)
    return student_interval(batch.difference, sd, n_blocks, config.level, config.alternative)
