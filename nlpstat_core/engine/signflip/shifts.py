"""Where the sign-flip test of a mean begins to accept a hypothesised difference, for all pairs at once."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.columns import sign_flip_columns
from nlpstat_core.engine.signflip.outcome import LOG_2, LOG_10
from nlpstat_core.engine.signflip.shift_tables import affordable, limits_from_tables
from nlpstat_core.engine.signflip.span import whole_multiples
from nlpstat_core.stopping import stop_if_asked

# Natural logarithm of the test's own p for some pairs (positions) at as many hypothesised means.
LogP = Callable[[NDArray[np.intp], FloatArray], FloatArray]
# Up to so many blocks the ratios of all subsets are formed.
MOST_SUBSETS = 16
# Numbers formed at a time.
ELEMENTS_AT_ONCE = 1 << 22
# Of a probability: two that are closer count as equal.
SLACK = 1e-9
# The contour: where φ is followed to and in which steps, in standard deviations, and its share of the tilt.
FARTHEST, SPACING, OF_TILT = 7.0, 0.45, 0.3
MOST_NODES = 400
SECANTS = 5
# How near the test's own p has to come to the mass for its normal quantile to be a straight line in between.
NEAR = 1e-3
# Of the way from the smallest ratio to the mean: where halving ends, and how near a guess is taken to be.
FINEST, AROUND = 2e-7, 1e-3
# Up to so many blocks the steps of p are wide enough to be followed one by one; up to so many more the test
# counts subsets, which takes long.
MOST_STEPPED, MOST_ENUMERATED = 24, 36
# Where the contour alone is as good as the test's own p: by Σw²·Σw²/Σw⁴.
FEWEST_EFFECTIVE = 5.0


def accepted_shifts(
    sums: FloatArray,
    sizes: FloatArray,
    mass: float,
    *,
    decimals: int | None = None,
    seed: int = 0,
    resamples: int = 10_000,
) -> FloatArray:
    """The smallest and the largest mean that the one-sided sign-flip tests of a pair's blocks do not reject.

    sums (float array, shape (n_pairs, n_blocks)): Sums S of the differences over each block; a unit of its
        own is a block.
    sizes (float array, shape (n_blocks,)): Units of each block, L.
    mass: The level of each one-sided test; above ½ the ends have changed sides.
    decimals: Decimals the sums were written with; None where that is unknown.
    seed, resamples: Of the last resort of the test.
    Returns float array, shape (n_pairs, 2): Infinite where 2^(−n_blocks) is above the mass: no mean is
        rejected then.

    With θ as hypothesised mean the p-value for "greater" is the share of the 2^G subsets A of blocks, the
    empty one included, with Σ_A S ≤ θ·Σ_A L, so it grows with θ, and the lower end is an order statistic of
    the ratios Σ_A S/Σ_A L. Up to 16 blocks these are formed; sums on a coarse grid are counted in a table
    (`shift_tables`). Beyond, the normal quantile of p, nearly a straight line in θ, is followed by a short
    contour integral to the one of the mass, the test itself is asked for its p there, and what is missing
    added. Where that p is not within 0.1 % of the mass, and up to 24 blocks always, the interval between the
    smallest ratio and the mean is halved by the test's p. The contour stands where sums on a coarse grid are
    too many for a table (it is off by less than p's steps), and for 25 to 36 blocks of which no few outweigh
    the others (off by less than 1e-4 of the interval's width; there the test would count subsets).

    References
    ----------
    Hartigan (1969), doi:10.1080/01621459.1969.10501057.
    """
    n_pairs, n_blocks = sums.shape
    ends = np.tile([-np.inf, np.inf], (n_pairs, 1))
    if n_blocks * LOG_2 < -math.log(mass) - SLACK or n_pairs == 0:
        return ends
    ratio = sums / sizes
    flat = ratio.max(axis=1) - ratio.min(axis=1) <= 1e-12 * np.abs(ratio).max(axis=1)
    ends[flat] = (sums[flat].sum(axis=1) / sizes.sum())[:, None]
    rest = np.flatnonzero(~flat)
    if mass > 0.5 and n_blocks > MOST_SUBSETS:  # beyond the mean: the end of the other tail
        other = accepted_shifts(sums, sizes, 1 - mass, decimals=decimals, seed=seed, resamples=resamples)
        low, high = np.minimum(other[:, 1], ratio.max(axis=1)), np.maximum(other[:, 0], ratio.min(axis=1))
        ends[rest] = np.stack([low, high], axis=-1)[rest]
        return ends
    if n_blocks <= MOST_SUBSETS:
        ends[rest] = _from_subsets(sums[rest], sizes, mass)
        return ends
    multiples, found = whole_multiples(sums[rest], decimals)
    counted = np.zeros(rest.size, dtype=bool)
    counted[found] = affordable(multiples[found], sizes)
    if counted.any():
        step = np.abs(sums[rest[counted]]).max(axis=1) / np.abs(multiples[counted]).max(axis=1)
        ends[rest[counted]] = (
            limits_from_tables(multiples[counted], sizes, mass * (1 + SLACK)) * step[:, None]
        )
    rest = rest[~counted]
    for column, side in ((0, 1.0), (1, -1.0)):
        z = sums[rest] * side

        def log_p(part: NDArray[np.intp], theta: FloatArray, z: FloatArray = z) -> FloatArray:
            shifted = np.ascontiguousarray((z[part] - theta[:, None] * sizes).T)
            tails = sign_flip_columns(shifted, "greater", max_decimals=0, seed=seed, resamples=resamples)
            return np.asarray(tails.log10_p * LOG_10)

        ends[rest, column] = side * _lower_limits(z, sizes, mass, log_p)
    return ends


def _from_subsets(sums: FloatArray, sizes: FloatArray, mass: float) -> FloatArray:
    """Order statistics of the ratios of all subsets but the empty one."""
    n_blocks = sizes.size
    order = min(math.floor(mass * 2.0**n_blocks * (1 + SLACK)), 2**n_blocks - 1)
    ends = np.empty((sums.shape[0], 2))
    whole = _of_subsets(sizes[None, :])[:, 1:]
    at_once = max(1, ELEMENTS_AT_ONCE >> n_blocks)
    for start in range(0, sums.shape[0], at_once):
        stop_if_asked()
        ratios = _of_subsets(sums[start : start + at_once])[:, 1:] / whole
        ratios.partition((order - 1, ratios.shape[1] - order), axis=1)
        ends[start : start + at_once] = ratios[:, (order - 1, ratios.shape[1] - order)]
    return ends


def _of_subsets(values: FloatArray) -> FloatArray:
    """Sums of all subsets of each row, the empty one first."""
    found = np.zeros((values.shape[0], 1))
    for column in values.T:
        found = np.concatenate([found, found + column[:, None]], axis=1)
    return found


def _lower_limits(sums: FloatArray, sizes: FloatArray, mass: float, log_p: LogP) -> FloatArray:
    """The end of every pair, from the contour, the test itself, or by halving."""
    from scipy import special

    target, log_mass = float(special.ndtri(mass)), math.log(mass)
    found, slope = _by_contour(sums, sizes, target)
    coarse = _coarse(sums - np.where(np.isnan(found), 0.0, found)[:, None] * sizes)
    settled = coarse & ~np.isnan(found)
    n_blocks = sums.shape[1]
    if MOST_STEPPED < n_blocks <= MOST_ENUMERATED:  # the test would count; nothing is left to correct
        settled = ~np.isnan(found) & (coarse | _none_decides(sums - found[:, None] * sizes))
    asked = np.flatnonzero(~settled & ~np.isnan(found) & (n_blocks > MOST_STEPPED))
    if asked.size:
        own = log_p(asked, found[asked])
        near = np.abs(own - log_mass) <= NEAR
        missing = (target - special.ndtri_exp(own)) / slope[asked]
        found[asked[near]] += missing[near]
        settled[asked[near]] = True
    rest = np.flatnonzero(~settled)
    if rest.size:
        own_log_p: LogP = lambda part, theta: log_p(rest[part], theta)
        found[rest] = _by_halving(sums[rest], sizes, log_mass, own_log_p, found[rest])
    return found


def _none_decides(weights: FloatArray) -> BoolArray:
    """Rows in which no few weights outweigh the others, so that φ has died out where the contour ends."""
    squares = weights * weights
    with np.errstate(invalid="ignore"):
        effective = squares.sum(axis=1) ** 2 / (squares * squares).sum(axis=1)
    return np.asarray(effective >= FEWEST_EFFECTIVE)


def _coarse(weights: FloatArray) -> BoolArray:
    """Rows in which no more than half of the weights differ from each other."""
    ordered = np.sort(np.abs(weights), axis=1)
    apart = np.diff(ordered, axis=1) > 1e-9 * ordered[:, -1:]
    return np.asarray(1 + np.count_nonzero(apart, axis=1) <= weights.shape[1] / 2)


def _by_halving(
    sums: FloatArray, sizes: FloatArray, log_mass: float, log_p: LogP, guess: FloatArray
) -> FloatArray:
    """The end, accepted, by halving the way from the smallest ratio to the mean by the test's own p.

    guess: Where the end is about; NaN where that isn't known.
    """
    low, high = (sums / sizes).min(axis=1), sums.sum(axis=1) / sizes.sum()
    every, least, finest = np.arange(high.size), log_mass + SLACK, FINEST * (high - low)
    high = np.where(log_p(every, low) > least, low, high)
    for side in (-AROUND, AROUND):
        at = guess + side * (high - low)
        tried = np.flatnonzero((low < at) & (at < high))
        if tried.size:
            accepted = log_p(tried, at[tried]) > least
            high[tried[accepted]], low[tried[~accepted]] = at[tried[accepted]], at[tried[~accepted]]
    rest = np.flatnonzero(high > low)
    while rest.size:
        stop_if_asked()
        middle = (low[rest] + high[rest]) / 2
        between = (low[rest] < middle) & (middle < high[rest])  # not where float64 knows no number in between
        accepted = log_p(rest, middle) > least
        high[rest[accepted]], low[rest[~accepted]] = middle[accepted], middle[~accepted]
        rest = rest[between & ((high - low)[rest] > finest[rest])]
    return np.asarray(high)


def _by_contour(sums: FloatArray, sizes: FloatArray, target: float) -> tuple[FloatArray, FloatArray]:
    """Where the normal quantile of p meets the target, and how fast it grows there; NaN where it doesn't."""
    mean, least = sums.sum(axis=1) / sizes.sum(), (sums / sizes).min(axis=1)
    spread = np.sqrt(((sums - mean[:, None] * sizes) ** 2).sum(axis=1)) / sizes.sum()
    inside = least + 1e-6 * (mean - least), mean - 1e-6 * (mean - least)
    theta = np.clip(mean + target * spread, *inside)
    value = _quantiles(sums - theta[:, None] * sizes)
    slope = -value / (mean - theta)
    with np.errstate(invalid="ignore", divide="ignore"):
        for _ in range(SECANTS):
            stop_if_asked()
            following = np.clip(theta + (target - value) / slope, *inside)
            moved = following != theta
            new = _quantiles(sums - following[:, None] * sizes)
            steeper = (new - value) / (following - theta)
            slope = np.where(moved & (np.abs(new - value) > 1e-7), steeper, slope)
            theta, value = following, new
        good = (np.abs(value - target) <= 1e-6) & (slope > 0)
    return np.where(good, theta, np.nan), slope


def _quantiles(weights: FloatArray) -> FloatArray:
    """Normal quantiles of P(Σ ±|w| ≥ Σ w), Σ w > 0, by a short contour integral along the saddlepoint.

    The integral of `contour` with the nodes that φ needs where it falls like a normal one; NaN where it
    fails.
    """
    from scipy import special

    result = np.empty(weights.shape[0])
    at_once = max(1, ELEMENTS_AT_ONCE // (16 * weights.shape[1]))
    for start in range(0, weights.shape[0], at_once):
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            log_p = _log_tails(weights[start : start + at_once])
        result[start : start + at_once] = special.ndtri_exp(np.minimum(log_p, -1e-300))
    return result


def _log_tails(weights: FloatArray) -> FloatArray:
    t = weights.sum(axis=1)
    tau = t / (weights * weights).sum(axis=1)
    tanh = np.tanh(tau[:, None] * weights)
    for _ in range(30):
        # Σ w·tanh(τw) is concave in τ > 0: Newton's steps come from below and never pass the root.
        step = (t - (weights * tanh).sum(axis=1)) / (weights * weights * (1 - tanh * tanh)).sum(axis=1)
        tau = tau + step
        tanh = np.tanh(tau[:, None] * weights)
        if not np.any(np.abs(step) > 1e-9 * tau):
            break
    sd = np.sqrt((weights * weights * (1 - tanh * tanh)).sum(axis=1))
    size = tau[:, None] * np.abs(weights)
    log_cosh = (size + np.log1p(np.exp(-2 * size)) - LOG_2).sum(axis=1)
    spacing = np.minimum(SPACING / sd, OF_TILT * tau)
    nodes = np.ceil(FARTHEST / (spacing * sd))
    usable = (t > 0) & (nodes <= MOST_NODES)
    nodes, total = np.where(usable, nodes, 0), 0.5 / tau
    turn = spacing[:, None] * weights
    cosine, sine = np.cos(turn), np.sin(turn)
    c, s = np.ones(weights.shape), np.zeros(weights.shape)
    for k in range(1, int(nodes.max(initial=0)) + 1):
        c, s = c * cosine - s * sine, s * cosine + c * sine
        y = k * spacing
        phi = (c + 1j * (tanh * s)).prod(axis=1) * np.exp(-1j * y * t) / (tau + 1j * y)
        total = total + np.where(k <= nodes, phi.real, 0.0)
    log_p = log_cosh - tau * t + np.log(total * spacing / np.pi)
    return np.asarray(np.where(usable, log_p, np.nan))
