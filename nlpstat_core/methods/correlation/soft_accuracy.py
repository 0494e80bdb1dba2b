"""Soft pairwise accuracy: whether a metric separates pairs of systems with the confidence people have."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.signflip import sign_flip_columns
from nlpstat_core.methods.correlation.columns import pairs_of
from nlpstat_core.records import Procedure
from nlpstat_core.scores.grid import MOST_DECIMALS


def confidence(scores: FloatArray, decimals: int = MOST_DECIMALS, seed: int = 0) -> FloatArray:
    """One-sided p of every pair of systems: that a is no better than b.

    Null hypothesis: in every unit the two systems' scores could be exchanged.

    scores (float array, shape (n_units, n_systems)): Higher is better; NaN where missing.
    decimals: Those the scores were written with.
    seed: For the few pairs that no exact route settles.
    Returns: P(T > t) + P(T = t)/2 over all sign flips of the units both systems have; NaN without any. Half
        of the ties count, so that p of (b, a) is 1 − p of (a, b) and two equal systems have ½.

    Exact up to the error of the sign-flip engine, where 1,000 random flips have a standard error of 0.016.
    """
    left, right = pairs_of(scores.shape[1])
    z = scores[:, left] - scores[:, right]
    gridded = decimals < MOST_DECIMALS
    if gridded:
        z = on_grid(z, decimals, 0.0)
    known = int(decimals) if gridded and not getattr(decimals, "parts", 0) else None
    tails = sign_flip_columns(z, max_decimals=known, seed=seed, resamples=2_000, sides=True)
    assert tails.one_sided is not None
    greater, less = tails.one_sided.T
    found: FloatArray = (greater + 1.0 - less) / 2.0
    return found


def soft_accuracy(x: FloatArray, y: FloatArray) -> FloatArray:
    """Mean over pairs of systems of 1 − |p of the metric − p of people|.

    Parameters
    ----------
    x : float array, shape (n_pairs, k)
        One-sided p-values of k metrics.
    y : float array, shape (n_pairs,) or (n_pairs, k)
        Those of people.

    Returns
    -------
    float array, shape (k,)
        NaN without a pair.

    Examples
    --------
    >>> import numpy as np
    >>> soft_accuracy(np.array([[0.5], [0.0]]), np.array([0.1, 0.0])).tolist()
    [0.8]

    Notes
    -----
    Cost O(S²) a metric after the p-values of the pairs of systems.
    """
    gap = np.abs(x - (y[:, None] if y.ndim == 1 else y))
    known = ~np.isnan(gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = np.sum(np.where(known, 1.0 - gap, 0.0), axis=0) / known.sum(axis=0)
    return found


METHOD = Procedure(
    key="soft-pairwise-accuracy",
    label="Soft pairwise accuracy",
    summary="How closely the metric's confidence in every pair of systems matches that of people.",
    run=soft_accuracy,
    assumptions=(
        "p-values are one-sided, of the permutation test of the mean over single items; half of the ties "
        "count",
    ),
    formula=r"\frac{1}{\binom{S}{2}} \sum_{a<b} \left(1 - |p^h_{ab} - p^m_{ab}|\right)",
    references=("thompson2024", "kocmi2021"),
)
