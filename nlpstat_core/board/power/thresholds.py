"""Where the tests of a mean begin to reject, without running them: from sums over the differences."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import normal_quantile

# Multiples of the smallest difference that are tried as steps of a scale, and what a multiple may miss.
_PARTS, _WITHIN = 12, 1e-6
# With more steps than this to the largest difference the width of a step no longer matters.
_MOST_STEPS = 1_000
_NEWTON = 10


def flip_limit(tail: float, fourth: FloatArray, sixth: FloatArray | float = 0.0) -> FloatArray:
    """Where the sign-flip test of a sum begins to reject, in standard deviations of the flipped sum.

    tail: Mass of one tail.
    fourth: Σw⁴/(Σw²)² of the weights: one over the number of equal weights that would spread as much.
    sixth: Σw⁶/(Σw²)³.
    Returns float array of the same shape.

    Cornish and Fisher's expansion with the cumulants of Σ ε_i·w_i: κ₄ = −2·fourth, κ₆ = 16·sixth; odd ones
    are 0. No sum is beyond Σ|w|, so that few or unequal weights need the test itself.

    References
    ----------
    Cornish and Fisher (1938), doi:10.2307/1400905.
    """
    q = -float(normal_quantile(tail))
    limit: FloatArray = q - fourth * (q**3 - 3 * q) / 12
    limit += 16 * sixth * (q**5 - 10 * q**3 + 15 * q) / 720
    limit -= 4 * fourth**2 * (3 * q**5 - 24 * q**3 + 29 * q) / 384
    return limit


def saddlepoint_limit(sizes: FloatArray, times: FloatArray, tail: float) -> FloatArray:
    """The same for every resample of one pair where weights are too few or too unequal for an expansion.

    sizes (float array, shape (n,)): |w|.
    times (float array, shape (k, n)): How often each is drawn.
    Returns float array, shape (k,): Infinity where not even all signs together are so improbable.

    Newton's method on the tilt s for Lugannani and Rice's P(T ≥ K′(s)) = tail, K(s) = Σ log cosh(w·s).

    References
    ----------
    Lugannani and Rice (1980), doi:10.2307/1426607.
    """
    from scipy import special

    squares = times @ sizes**2
    root_squares = np.sqrt(np.where(squares > 0, squares, 1.0))
    tilt = -float(normal_quantile(tail)) / root_squares
    log_tail, log_p = np.log(tail), np.zeros(tilt.shape)
    sums = np.zeros(tilt.shape)
    for _ in range(_NEWTON):
        tilted = sizes * tilt[:, None]
        pull = np.tanh(tilted)
        slope = np.maximum(np.einsum("ij,ij->i", times, sizes**2 * (1 - pull**2)), 1e-12 * squares)
        sums = np.einsum("ij,ij->i", times, sizes * pull)
        # log cosh without overflow
        growth = np.einsum("ij,ij->i", times, tilted + np.log1p(np.exp(-2 * tilted)) - np.log(2.0))
        root = np.sqrt(np.maximum(2 * (tilt * sums - growth), 1e-12))
        scaled = tilt * np.sqrt(np.maximum(slope, 1e-300))
        density = np.exp(-(root**2) / 2) / np.sqrt(2 * np.pi)
        p = special.ndtr(-root) + density * (1 / np.maximum(scaled, 1e-300) - 1 / root)
        log_p = np.log(np.clip(p, 1e-300, 1.0))
        step = (log_p - log_tail) / np.maximum(tilt * slope, 1e-300)
        tilt = tilt + np.clip(step, -0.5 * tilt, tilt)
    found = (squares > 0) & (np.abs(log_p - log_tail) < 1e-3)
    return np.where(found, sums / root_squares, np.inf)


def expansion_doubt(tail: float, fourth: FloatArray, sixth: FloatArray) -> FloatArray:
    """Size of the last terms of `flip_limit`, in standard deviations: what it may be off by.

    Terms that cancel near some quantiles say little about the next ones, hence fourth² beside them.

    fourth, sixth: As for `flip_limit`.
    Returns float array of the same shape.
    """
    nothing = np.zeros_like(fourth)
    plain = flip_limit(tail, nothing)
    straight = plain - fourth * (plain**3 - 3 * plain) / 12
    result: FloatArray = np.abs(flip_limit(tail, fourth) - straight) + fourth**2
    result += np.abs(flip_limit(tail, nothing, sixth) - plain)
    return result


def half_step(sizes: FloatArray) -> FloatArray:
    """Half of the distance between neighbouring values of the flipped sums.

    sizes (float array, shape (k, n)): |w|, rising along rows.
    Returns float array, shape (k,): The common divisor of a row's sizes; 0 where they have none worth
        speaking of.

    Examples
    --------
    >>> half_step(np.array([[0.0, 0.2, 0.5], [0.1, 0.31415, 0.7]])).round(6).tolist()
    [0.1, 0.0]
    """
    found = np.zeros(sizes.shape[0])
    for row, own in enumerate(sizes):
        untied = np.unique(own[own > 0])
        if not untied.size or untied[-1] > _MOST_STEPS * untied[0]:
            continue
        times = untied / untied[0]
        for parts in range(1, _PARTS + 1):
            whole = np.rint(times * parts)
            if np.all(np.abs(times * parts - whole) <= _WITHIN * whole):
                found[row] = untied[0] / parts * np.gcd.reduce(whole.astype(np.int64))
                break
    return found
