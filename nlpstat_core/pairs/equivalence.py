"""Equivalence within the user's margin: two one-sided t tests."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.distributions.tails import t_log_sf
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.pairs.outcomes import SMALLEST_P
from nlpstat_core.samples.blocks import clustered_errors
from nlpstat_core.samples.independent import shift


def equivalence_p(batch: PairBatch, margin: float) -> FloatArray:
    """P-value of two one-sided t tests (TOST) for every pair.

    Null hypothesis: the mean difference is at least the margin away from 0, on one side or the other.

    Parameters
    ----------
    batch : PairBatch
    margin : float
        Metric points, above 0.

    Returns
    -------
    float array, shape (n_pairs,)
        The larger of the two one-sided p-values; NaN below two units. Without spread the mean difference
        itself decides: the smallest p inside the margin, 1 outside. When blocks are named, by blocks.

    Notes
    -----
    t± = (d ± margin)/se on n − 1 degrees of freedom, se = sd/√n (linearised for counts); with G blocks se is
    cluster-robust with G − 1 degrees of freedom. Cost O(1) per pair after the moments.

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419.
    """
    blocks = batch.units.blocks
    n = batch.n_units if blocks is None else blocks.n_blocks
    if n < 2:
        return np.full(batch.n_pairs, np.nan)
    error = batch.score_error if blocks is None else clustered_errors(batch)
    return _larger_p(batch.difference, error, float(n - 1), margin)


def unpaired_equivalence_p(batch: PairBatch, margin: float) -> FloatArray:
    """The same for independent samples: two one-sided Welch tests.

    Null hypothesis: the means are at least the margin apart, on one side or the other.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not.
    margin : float
        Metric points, above 0.

    Returns
    -------
    float array, shape (n_pairs,)
        NaN below two units on a side.

    Notes
    -----
    t± = (d ± margin)/se with Welch's standard error and degrees of freedom. Cost O(N·S).

    References
    ----------
    Schuirmann (1987), doi:10.1007/BF01068419; Welch (1947), doi:10.1093/biomet/34.1-2.28.
    """
    found = shift(batch)
    undefined = np.isnan(found.error)
    freedom = np.where(undefined, 1.0, found.freedom)
    p_value = _larger_p(found.difference, found.error, freedom, margin)
    return np.where(undefined, np.nan, p_value)


def _larger_p(
    difference: FloatArray, error: FloatArray, freedom: float | FloatArray, margin: float
) -> FloatArray:
    """The larger one-sided p-value, the one of the nearer margin."""
    room = margin - np.abs(difference)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        p_value: FloatArray = np.exp(t_log_sf(room / error, freedom))
    return np.where(error > 0, p_value, np.where(room > 0, SMALLEST_P, 1.0))
