"""Where the tests of a mean begin to reject, without running them: from sums over the differences."""

import numpy as np
from numpy.polynomial.polynomial import polyval

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import normal_quantile

# Multiples of the smallest difference that are tried as steps of a scale, and what a multiple may miss.
_PARTS, _WITHIN = 12, 1e-6
# With more steps than this to the largest difference the width of a step no longer matters.
_MOST_STEPS = 1_000
# From one tilt of the scale to the next; where s²·K″(s) is so small no sign is left to turn; and what makes
# the coefficients of a cubic of its values at −1, 0, 1 and 2.
_RATIO, _NO_SPREAD, _CHORDS = 1.25, 1e-3, 5
_CUBIC = np.linalg.inv(np.vander([-1.0, 0.0, 1.0, 2.0], increasing=True)).T


def flip_limit(tail: float, fourth: FloatArray, sixth: FloatArray | float = 0.0) -> FloatArray:
    """Where the sign-flip test of a sum begins to reject, in standard deviations of the flipped sum.

    fourth: Σw⁴/(Σw²)² of the weights: one over the number of equal weights that would spread as much.
    sixth: Σw⁶/(Σw²)³.

    Cornish and Fisher's expansion with the cumulants of Σ ε_i·w_i: κ₄ = −2·fourth, κ₆ = 16·sixth; odd ones
    are 0. No sum is beyond Σ|w|, so that few or unequal weights need the test itself.

    Source: Cornish and Fisher (1938), doi:10.2307/1400905.
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
    Returns float array, shape (k,): Infinity where not even all signs together are so improbable, or the
        approximation never is.

    K′(s) for the tilt s at which Lugannani and Rice's P(T ≥ K′(s)) is the tail, K(s) = Σ log cosh(w·s). On a
    scale of tilts that all resamples share, K and its derivatives are products of `times` with one table.
    Between two tilts of the scale a cubic in log s through four of them is followed: log cosh(w·s) is
    analytic for |Im log s| < π/2 whatever w is, so that the limit is off by some 1e-4 of itself. The scale
    begins where a normal sum's tilt would be: K″ falls, hence the p-value is above Φ(−s·√Σw²).

    Source: Lugannani and Rice (1980), doi:10.2307/1426607.
    """
    signs, squares = (times @ np.stack([sizes > 0, sizes**2], axis=1)).T
    limit = np.full(squares.shape, np.inf)
    left = np.flatnonzero((squares > 0) & (signs * np.log(2.0) >= -np.log(tail) - 1e-9))
    if not left.size:
        return limit
    wanted = np.sqrt(-2 * np.log(tail))
    normal = -float(normal_quantile(tail)) / np.sqrt(squares[left])
    steps = 5 + int(np.log(normal.max() / normal.min()) / np.log(_RATIO))
    tilts: FloatArray = normal.min() * _RATIO ** np.arange(-1.0, steps)
    while left.size:
        depth, sums, spread = _depths(sizes, times if left.size == limit.size else times[left], tilts)
        beyond = depth[:, 2:-1] >= wanted
        found = beyond.any(axis=1)
        four = beyond[found].argmax(axis=1)[:, None] + np.arange(4)
        depths = np.take_along_axis(depth[found], four, axis=1)
        sums = np.take_along_axis(sums[found], four, axis=1)
        limit[left[found]] = _between(depths, sums, wanted) / np.sqrt(squares[left[found]])
        left = left[~found & (spread[:, -1] > _NO_SPREAD)]
        tilts = tilts * (tilts[-3] / tilts[0])
    return limit


def _depths(sizes: FloatArray, times: FloatArray, tilts: FloatArray) -> tuple[FloatArray, ...]:
    """√(−2·log P(T ≥ K′(s))), nearly straight in K′(s), then K′(s) and s²·K″(s): shape (resamples, tilts)."""
    from scipy import special

    tilted = np.outer(tilts, sizes)
    pull = np.tanh(tilted)
    # log cosh without overflow
    growth = tilted + np.log1p(np.exp(-2 * tilted)) - np.log(2.0)
    table = np.concatenate([growth, tilted * pull, tilted**2 * (1 - pull**2)])
    growth, product, variance = np.split(times @ table.T, 3, axis=1)
    root = np.sqrt(2 * np.maximum(product - growth, 1e-12))
    density = np.exp(-(root**2) / 2) / np.sqrt(2 * np.pi)
    p = special.ndtr(-root) + density * (1 / np.sqrt(np.maximum(variance, 1e-24)) - 1 / root)
    return np.sqrt(-2 * np.log(np.clip(p, 1e-300, 1.0))), product / tilts, variance


def _between(depths: FloatArray, sums: FloatArray, wanted: float) -> FloatArray:
    """The sum where the depth is the wanted one, between the two in the middle of four equal steps."""
    depth, height = (depths @ _CUBIC).T, (sums @ _CUBIC).T
    step = depths[:, 2] - depths[:, 1]
    at = (wanted - depths[:, 1]) / step
    for _ in range(_CHORDS):
        at = np.clip(at + (wanted - polyval(at, depth, tensor=False)) / step, 0.0, 1.0)
    return np.asarray(polyval(at, height, tensor=False))


def expansion_doubt(tail: float, fourth: FloatArray, sixth: FloatArray) -> FloatArray:
    """Size of the last terms of `flip_limit`, in standard deviations: what it may be off by.

    Terms that cancel near some quantiles say little about the next ones, hence fourth² beside them.
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
