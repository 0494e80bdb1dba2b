"""The smallest p-value that a pair could get from its test, however different the two systems were."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.distributions.tails import normal_log_sf
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.significance import TESTS
from nlpstat_core.significance.wilcoxon import MOST_EXACT

_RESAMPLED = ("bootstrap-mean", "block-bootstrap")


def smallest_p(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Smallest attainable p-value of every pair, with as many ties as it has.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        `test`, `alternative`, `resamples`.

    Returns
    -------
    float array, shape (n_pairs,)
        0 where p can be as small as one likes; 1 for systems with identical scores.

    Notes
    -----
    k signs that can be flipped give 2^(1 − k), one-sided 2^(−k): k is the number of units that are not tied
    (sign, Wilcoxon up to 50 of them, permutation of the mean, McNemar), of documents (block permutation) or
    of units with other counts. A median has half of the signs. B resamples give 1/(B + 1). For
    unpaired tests 0 stands, which claims nothing.
    """
    decided = (batch.wins + batch.losses).astype(float)
    sides = 1.0 if config.alternative == "two-sided" else 0.0
    if config.test in _RESAMPLED:
        least = np.full(batch.n_pairs, 1 / (config.resamples + 1))
    elif config.test in ("t", "block-t") or TESTS[config.test].design == "unpaired":
        least = np.zeros(batch.n_pairs)
    else:
        with np.errstate(under="ignore"):
            least = np.exp2(sides - _signs(batch, config, decided))
    if config.test == "wilcoxon":
        least = np.where(decided > MOST_EXACT, _normal_limit(decided, sides), least)
    if TESTS[config.test].design == "unpaired":
        return least
    return np.where(decided == 0, 1.0, np.minimum(least, 1.0))


def _signs(batch: PairBatch, config: AnalysisConfig, decided: FloatArray) -> FloatArray:
    """How many signs a pattern has."""
    n = float(batch.n_units)
    blocks, counts = batch.units.blocks, batch.units.counts
    if config.test == "block-permutation" and blocks is not None:
        return np.full(batch.n_pairs, float(blocks.n_blocks))
    if config.test in ("accuracy-exact", "f1-exact") and counts is not None:
        a, b = batch.left, batch.right
        other = (counts.hits[:, a] != counts.hits[:, b]) | (counts.misses[:, a] != counts.misses[:, b])
        differing: FloatArray = np.count_nonzero(other, axis=0).astype(float)
        return differing
    if config.test == "permutation-median":
        return np.full(batch.n_pairs, n // 2 + 1)
    return np.full(batch.n_pairs, n) if config.test == "bootstrap-median" else decided


def _normal_limit(decided: FloatArray, sides: float) -> FloatArray:
    """p of the normal approximation when every difference has the same sign."""
    k = np.maximum(decided, 1.0)
    z = (k * (k + 1) / 4) / np.sqrt(k * (k + 1) * (2 * k + 1) / 24)
    with np.errstate(under="ignore"):
        limit: FloatArray = np.exp(normal_log_sf(z)) * 2**sides
    return limit
