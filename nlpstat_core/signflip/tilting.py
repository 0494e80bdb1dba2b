"""Exponential tilting of a sign-flip sum: where to centre it, and how far its mass reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.signflip.outcome import LOG_2

# The contour passes right of the pole at 0; asking for a tilted mean of t + PULL/τ keeps it about two
# standard deviations away, which needs the fewest nodes and costs less than one digit.
PULL = 4.0
MOST_STEPS = 60
CLOSE_ENOUGH = 0.25


@dataclass(frozen=True)
class Tilted:
    """Tilted sums of independent ±w, one row per pair.

    Attributes
    ----------
    tau : ndarray, shape (n_pairs,)
        Tilt.
    shrink : ndarray, shape (n_pairs, n_weights)
        exp(−2τw), from which tanh and sech² follow without overflow.
    mean, variance : ndarray, shape (n_pairs,)
        Of the tilted sum.
    peak : ndarray, shape (n_pairs,)
        K(τ) − τt with K the logarithm of the moment generating function.
    """

    tau: FloatArray
    shrink: FloatArray
    mean: FloatArray
    variance: FloatArray
    peak: FloatArray

    @property
    def rough_log_p(self) -> FloatArray:
        """Rough logarithm of the tail probability, for choosing windows."""
        return self.peak - np.log1p(3.0 * self.tau * np.sqrt(self.variance))


def tilt(weights: FloatArray, counts: FloatArray, t: FloatArray) -> Tilted:
    """Tilt each row so that its mean lies a little beyond t.

    Parameters
    ----------
    weights : ndarray, shape (n_pairs, n_weights)
        Weights, 0 or more; a row needs at least one above 0.
    counts : ndarray, shape (n_weights,) or (n_pairs, n_weights)
        How often each weight occurs.
    t : ndarray, shape (n_pairs,)
        Where the mass is wanted, from 0 to below the sum of the weights.

    Returns
    -------
    Tilted

    Notes
    -----
    Solves K′(τ) = t + PULL/τ. The left side minus the right is increasing and concave, so Newton's steps
    from the Gaussian solution climb to the root and never overshoot. Any τ > 0 gives the right probability;
    a good one gives it with few nodes, so the steps end early.
    """
    spread = np.sum(counts * weights * weights, axis=1)
    tau = (t + np.sqrt(t * t + 4.0 * PULL * spread)) / (2.0 * spread)
    rows = np.arange(t.size)
    parts = (np.empty(weights.shape), np.empty(t.shape), np.empty(t.shape), np.empty(t.shape))
    for step in range(MOST_STEPS):
        w = weights if rows.size == t.size else weights[rows]
        m = counts if counts.ndim == 1 or rows.size == t.size else counts[rows]
        shrink = np.exp(-2.0 * tau[rows, None] * w)
        slope = (1.0 - shrink) / (1.0 + shrink)
        weighted = m * w
        mean = np.einsum("ij,ij->i", weighted, slope)
        variance = np.einsum("ij,ij->i", weighted * w, 1.0 - slope * slope)
        for whole, part in zip(parts, (shrink, mean, variance), strict=False):
            whole[rows] = part
        short = t[rows] + PULL / tau[rows] - mean
        going = short > CLOSE_ENOUGH * np.sqrt(variance)
        if step == MOST_STEPS - 1 or not np.any(going):
            break
        rows, short, variance = rows[going], short[going], variance[going]
        tau[rows] += short / (variance + PULL / tau[rows] ** 2)
    shrink, mean, variance, _ = parts
    log_cosh = np.sum(counts * (np.log1p(shrink) - LOG_2), axis=1)
    total = np.sum(counts * weights, axis=1)
    return Tilted(tau, shrink, mean, variance, log_cosh + tau * (total - t))


def window(tilted: Tilted, t: FloatArray, slack: float) -> FloatArray:
    """Width of the window on which the trapezoidal rule wraps the line, per pair.

    Parameters
    ----------
    tilted : Tilted
        The tilted sums.
    t : ndarray, shape (n_pairs,)
        Observed values.
    slack : float
        Minus log of the relative error allowed from wrapping.

    Returns
    -------
    ndarray, shape (n_pairs,)
        Width in units of the sum.

    Notes
    -----
    With nodes 2π/width apart the rule gives Σ_j e^(τ j width)·P(T ≥ t + j·width) instead of its term j = 0.
    To the left a term is at most e^(−τ·width). To the right Chernoff's bound at τ + v applies, and since K″
    falls on the right of 0, K(τ + v) ≤ K(τ) + vK′(τ) + v²·variance/2: minimised over v in closed form.
    """
    rough = tilted.rough_log_p
    left = (slack - rough) / tilted.tau
    right = np.sqrt(2.0 * tilted.variance * (slack + tilted.peak - rough)) + np.maximum(tilted.mean - t, 0.0)
    return np.asarray(np.maximum(left, right), dtype=np.float64)
