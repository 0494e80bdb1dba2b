"""Exponential tilting of a sign-flip sum: where to centre it, and how far its mass reaches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.outcome import LOG_2

# The contour passes right of the pole at 0; asking for a tilted mean of t + PULL/τ keeps it about two
# standard deviations away, which needs the fewest nodes and costs less than one digit. Where what wraps from
# the pole is taken off (`beyond_the_pole`) half of that does.
PULL = 4.0
PULL_BESIDE_POLE = 1.0
MOST_STEPS = 60
CLOSE_ENOUGH = 0.25
# Relative distance of the expected flipped sum from the limit.
CLOSE_TO_LIMIT = 1e-3


class Cumulants(Protocol):
    """K, K′ and K″ of some pairs' sums at real tilts, K the logarithm of the moment generating function."""

    def at(self, tau: FloatArray, rows: NDArray[np.intp]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Values for the pairs `rows`, each at its own tilt; three arrays of shape (n_rows,)."""


@dataclass(frozen=True)
class WeightCumulants:
    """Cumulants from the weights themselves.

    Sums run along rows without BLAS, so that a pair's digits don't depend on the pairs it is computed with.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more.
    counts (ndarray, shape (n_weights,)): How often each occurs, in every pair.
    """

    weights: FloatArray
    counts: FloatArray

    def at(self, tau: FloatArray, rows: NDArray[np.intp]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Values for the pairs `rows`, each at its own tilt; three arrays of shape (n_rows,)."""
        whole = rows.size == self.weights.shape[0]
        w = self.weights if whole else self.weights[rows]
        bend = tau[:, None] * w
        shrink = np.exp(-2.0 * bend)
        slope = (1.0 - shrink) / (1.0 + shrink)
        weighted = self.counts * w
        first = (weighted * slope).sum(axis=1)
        second = (weighted * w * (1.0 - slope * slope)).sum(axis=1)
        # Near 0 the plain form would leave the rounding of log 2, once for every weight.
        near = bend < 1.0
        log_cosh = np.log1p(np.where(near, -slope * slope, shrink))
        log_cosh = np.where(near, -0.5 * log_cosh, bend + log_cosh - LOG_2)
        return (log_cosh * self.counts).sum(axis=1), first, second


@dataclass(frozen=True)
class Tilted:
    """Tilts of many pairs; all arrays have shape (n_pairs,).

    tau: Tilt τ.
    mean, variance: Of the tilted sum.
    peak: K(τ) − τt.
    """

    tau: FloatArray
    mean: FloatArray
    variance: FloatArray
    peak: FloatArray

    @property
    def loss(self) -> FloatArray:
        """Logarithm of how many times smaller than e^peak the probability roughly is."""
        return np.log1p(3.0 * self.tau * np.sqrt(self.variance))

    def of(self, rows: NDArray[np.intp]) -> Tilted:
        """The tilts of some pairs."""
        return Tilted(self.tau[rows], self.mean[rows], self.variance[rows], self.peak[rows])


def gaussian_tilted(spread: FloatArray, t: FloatArray, pull: float = PULL) -> Tilted:
    """Tilts that Gaussian sums of variance `spread` would need; never beyond the ones wanted."""
    tau = (t + np.sqrt(t * t + 4.0 * pull * spread)) / (2.0 * spread)
    return Tilted(tau, tau * spread, spread, tau * (0.5 * tau * spread - t))


def _flatter(spread: FloatArray, fourth: FloatArray, t: FloatArray, pull: float) -> FloatArray:
    """Tilts of sums whose mean is τ·spread − τ³·fourth/3, as long as that rises about as fast as at first."""
    tau = gaussian_tilted(spread, t, pull).tau
    for _ in range(2):
        rise = spread - tau**2 * fourth
        short = t + pull / tau - tau * (spread - tau**2 * fourth / 3.0)
        tau = tau + np.where(rise > 0.5 * spread, short / (rise + pull / tau**2), 0.0)
    return tau


def tilt(
    cumulants: Cumulants,
    spread: FloatArray,
    t: FloatArray,
    pull: float = PULL,
    fourth: FloatArray | None = None,
) -> Tilted:
    """Tilt each pair so that its mean lies a little beyond t.

    cumulants: Of the pairs' sums.
    spread (ndarray, shape (n_pairs,)): Variance of the untilted sum, above 0.
    t (ndarray, shape (n_pairs,)): Where the mass is wanted, from 0 to below the sum of the weights.
    pull: How strongly the contour is kept away from the pole.
    fourth (ndarray, shape (n_pairs,), or None): Σ w⁴: the first tilt then is nearer to the one wanted.

    Solves K′(τ) = t + pull/τ. The left side minus the right is increasing and concave, so Newton's steps
    from the Gaussian solution climb to the root and never overshoot; from beyond it, a step falls short of it
    and the others climb. Any τ > 0 gives the right probability; a good one gives it with few nodes, so the
    steps end early.
    """
    tau = gaussian_tilted(spread, t, pull).tau if fourth is None else _flatter(spread, fourth, t, pull)
    peak, mean, variance = np.empty(t.shape), np.empty(t.shape), np.empty(t.shape)
    rows = np.arange(t.size)
    for _ in range(MOST_STEPS):
        height, mean[rows], variance[rows] = cumulants.at(tau[rows], rows)
        peak[rows] = height - tau[rows] * t[rows]
        short = t[rows] + pull / tau[rows] - mean[rows]
        going = short > CLOSE_ENOUGH * np.sqrt(variance[rows])
        rows, short = rows[going], short[going]
        if rows.size == 0:
            break
        tau[rows] += short / (variance[rows] + pull / tau[rows] ** 2)
    else:
        peak[rows], mean[rows], variance[rows] = cumulants.at(tau[rows], rows)
        peak[rows] -= tau[rows] * t[rows]
    return Tilted(tau, mean, variance, peak)


def left_window(tilted: Tilted, slack: float) -> FloatArray:
    """The part of `window` that keeps away what wraps from the left, where probabilities are near 1."""
    return np.asarray((slack + tilted.loss - tilted.peak) / tilted.tau, dtype=np.float64)


def right_window(tilted: Tilted, t: FloatArray, slack: float) -> FloatArray:
    """The part of `window` that keeps away what wraps from the right."""
    wide = np.sqrt(2.0 * tilted.variance * (slack + tilted.loss))
    return np.asarray(wide + np.maximum(tilted.mean - t, 0.0), dtype=np.float64)


def window(tilted: Tilted, t: FloatArray, slack: float) -> FloatArray:
    """Width of the window on which the trapezoidal rule wraps the line, per pair.

    tilted: The tilts.
    t (ndarray, shape (n_pairs,)): Observed values.
    slack: Minus log of the relative error allowed from wrapping.
    Returns ndarray, shape (n_pairs,): Width in units of the sum.

    With nodes 2π/width apart the rule gives Σ_j e^(τ j width)·P(T ≥ t + j·width) instead of its term j = 0.
    To the left a term is at most e^(−τ·width). To the right Chernoff's bound at τ + v applies, and since K″
    falls on the right of 0, K(τ + v) ≤ K(τ) + vK′(τ) + v²·variance/2: minimised over v in closed form.
    """
    return np.maximum(left_window(tilted, slack), right_window(tilted, t, slack))


def window_beside_pole(tilted: Tilted, t: FloatArray, spread: FloatArray, slack: float) -> FloatArray:
    """`window` where `beyond_the_pole` is taken off what the rule gives: about half as wide near p = ½.

    tilted, t, slack: As for `window`.
    spread (ndarray, shape (n_pairs,)): Variance of the untilted sum, above 0.
    Returns ndarray, shape (n_pairs,).

    To the left the rule gives Σ_j e^(−τ j width)·(1 − P(T < t − j·width)). The sum of the first parts is a
    geometric series; by Hoeffding's inequality P(T < −u) ≤ e^(−u²/(2·spread)) bounds what stays, as long as
    the window is wider than t; the width is solved for in closed form.
    """
    allowed = slack + tilted.loss - tilted.peak
    shifted = t - tilted.tau * spread
    left = shifted + np.sqrt(np.maximum(shifted * shifted - t * t + 2.0 * spread * allowed, 0.0))
    left = np.where(left < t, allowed / tilted.tau, left)
    return np.maximum(left, right_window(tilted, t, slack))


def beyond_the_pole(tilted: Tilted, width: FloatArray) -> FloatArray:
    """Σ_(j ≥ 1) e^(−τ·j·width) in units of e^peak: what the rule adds for the pole at 0.

    width (ndarray, shape (n_pairs,)).
    Returns ndarray, shape (n_pairs,).
    """
    turn = tilted.tau * width
    return np.asarray(np.exp(-tilted.peak - turn) / -np.expm1(-turn), dtype=np.float64)


def flip_chances(tau: float, weights: FloatArray) -> FloatArray:
    """Chance of each flip under a tilt: 1/(1 + e^(2τw))."""
    return np.asarray(1.0 / (1.0 + np.exp(np.minimum(2.0 * tau * weights, 700.0))), dtype=np.float64)


def flip_tilt(weights: FloatArray, limit: float) -> float:
    """The tilt under which the flipped sum is expected to be about the limit, by Newton's method.

    weights (ndarray, shape (n_weights,)): 0 or more.
    limit: Above 0.
    """
    tau = 0.0
    for _ in range(MOST_STEPS):
        chance = flip_chances(tau, weights)
        expected = float((weights * chance).sum())
        off = math.log(expected / limit)
        if abs(off) < CLOSE_TO_LIMIT:
            break
        slope = 2.0 * float((weights * weights * chance * (1.0 - chance)).sum()) / expected
        tau = max(tau + off / slope, 0.0)
    return tau
