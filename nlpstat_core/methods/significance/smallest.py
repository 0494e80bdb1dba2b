"""Smallest p-values that tests can reach: those that count signs, and those that draw resamples.

Each is a `smallest_p` of a test's record: one number for every pair of a batch, however different its two
systems were. Above 1 it means 1.
"""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch


def all_signs_alike(n_signs: FloatArray, config: AnalysisConfig) -> FloatArray:
    """2^(1 − k) for k signs that can be flipped, one-sided 2^(−k); `n_signs`: k of every pair."""
    sides = 1.0 if config.alternative == "two-sided" else 0.0
    with np.errstate(under="ignore"):
        least: FloatArray = np.exp2(sides - n_signs)
    return least


def of_untied_units(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Each unit that is not tied has a sign."""
    return all_signs_alike((batch.wins + batch.losses).astype(float), config)


def of_all_units(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Each unit has a sign, tied or not."""
    return all_signs_alike(np.full(batch.n_pairs, float(batch.n_units)), config)


def of_half_the_units(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """A median is moved by half of the signs."""
    return all_signs_alike(np.full(batch.n_pairs, float(batch.n_units) // 2 + 1), config)


def of_documents(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Each document has a sign."""
    blocks = batch.units.blocks
    if blocks is None:
        return of_untied_units(batch, config)
    return all_signs_alike(np.full(batch.n_pairs, float(blocks.n_blocks)), config)


def of_other_counts(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Each unit whose counts the two systems don't share has a sign."""
    counts = batch.units.counts
    if counts is None:
        return of_untied_units(batch, config)
    a, b = batch.left, batch.right
    other = (counts.hits[:, a] != counts.hits[:, b]) | (counts.misses[:, a] != counts.misses[:, b])
    return all_signs_alike(np.count_nonzero(other, axis=0).astype(float), config)


def of_resamples(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """B resamples give 1/(B + 1)."""
    return np.full(batch.n_pairs, 1 / (config.resamples + 1))
