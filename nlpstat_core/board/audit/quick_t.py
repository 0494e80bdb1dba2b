"""The paired t test of all pairs of a complete board from one matrix product, for hundreds of boards."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.distributions.tails import log_p_from_tails, t_log_sf
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.scores.matrix import ScoreMatrix

# Below this part of what was subtracted, a sum of squares is rounding.
_ROUNDING = 1e-11


def goes_quickly(units: ScoreMatrix, config: AnalysisConfig) -> bool:
    """Whether a procedure is the paired t test on complete boards with a correction of p-values alone."""
    correction = CORRECTIONS[config.correction]
    return (
        config.test == "t"
        and config.block_column is None
        and config.equivalence_margin is None
        and not units.has_missing
        and units.counts is None
        and units.runs is None
        and not correction.resamples
        and correction.key != "shaffer"
    )


def quick_t(
    values: FloatArray, left: IntArray, right: IntArray, config: AnalysisConfig
) -> tuple[FloatArray, FloatArray]:
    """P-values of the paired t test of every pair.

    values (float array, shape (n_units, n_systems)): Complete.
    Returns float arrays, shape (n_pairs,): 1 where two systems have the same scores, NaN where they differ by
        a constant.

    Σ(u − v)² = Σu² + Σv² − 2Σuv, from one product after the units' own means are taken off, which no
    difference sees. Cost O(n·S²).
    """
    n = values.shape[0]
    rest = values - values.mean(axis=1, keepdims=True)
    centre = rest.mean(axis=0)
    rest = rest - centre
    gram = rest.T @ rest
    own = np.diag(gram)
    difference = centre[left] - centre[right]
    whole = own[left] + own[right]
    squares = whole - 2 * gram[left, right]
    level = np.abs(values).max(initial=0.0)
    flat = squares <= _ROUNDING * whole
    difference = np.where(np.abs(difference) <= 1e-14 * level, 0.0, difference)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(np.where(flat, np.nan, squares) / (n - 1) / n)
    t = np.where(flat & (difference == 0), 0.0, t)
    log_p = log_p_from_tails(t, lambda x: t_log_sf(x, n - 1), config.alternative)
    p_value = np.where(flat & (difference == 0), 1.0, np.exp(log_p))
    return p_value, difference
