"""The last resort: random signs, drawn only here."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.stopping import stop_if_asked

CHUNK = 256
TIE_TOLERANCE = 1e-12


def monte_carlo_p(
    z: FloatArray, alternative: str, resamples: int, seed: int, observed: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Monte Carlo p-values from one shared set of random signs.

    Parameters
    ----------
    z : ndarray, shape (n_units, n_pairs)
        Differences; the statistic is their sum.
    alternative : {"two-sided", "greater", "less"}
        Direction.
    resamples : int
        Number of sign vectors, B.
    seed : int
        Chunk i of 256 sign vectors comes from a generator seeded with (seed, i), so the result depends on
        neither the other pairs nor the number of workers.
    observed : ndarray, shape (n_pairs,), optional
        Value to reach; the sum of the differences by default.

    Returns
    -------
    p_value : ndarray, shape (n_pairs,)
        (C + 1)/(B + 1), C the resamples at least as extreme, ties within 1e-12·Σ|z| included.
    error : ndarray, shape (n_pairs,)
        Relative standard error of the p-value.
    """
    direction = -1.0 if alternative == "less" else 1.0
    reached = direction * (z.sum(axis=0) if observed is None else observed)
    tolerance = TIE_TOLERANCE * np.abs(z).sum(axis=0)
    count = np.zeros(z.shape[1], dtype=np.int64)
    for chunk, start in enumerate(range(0, resamples, CHUNK)):
        stop_if_asked()
        rng = np.random.default_rng([seed, chunk])
        signs = 2.0 * rng.integers(0, 2, (CHUNK, z.shape[0]))[: resamples - start] - 1.0
        sums = direction * (signs @ z)
        if alternative == "two-sided":
            count += np.sum(np.abs(sums) >= np.abs(reached) - tolerance, axis=0)
        else:
            count += np.sum(sums >= reached - tolerance, axis=0)
    p_value = np.asarray((count + 1.0) / (resamples + 1.0), dtype=np.float64)
    error = np.sqrt((1.0 - p_value) / p_value / (resamples + 1.0))
    return p_value, np.asarray(error, dtype=np.float64)
