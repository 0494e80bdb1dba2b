"""The last resort: random signs, drawn only here, under a tilt that makes t no surprise."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.tilting import flip_chances, flip_tilt
from nlpstat_core.stopping import stop_if_asked

# Draws of each half of the weights in a round, at most and at least, and random bytes made at a time.
DRAWS = 1 << 14
FEWEST_DRAWS = 1 << 9
BYTES_AT_ONCE = 1 << 21
TARGET = 5e-3
MOST_ROUNDS = 64
# Chances are multiples of 1/65,536, so that two random bytes decide a sign.
CHANCES = 1 << 16
# Below this logarithm of a mean, beside the largest ratio, squares of ratios would underflow.
DEEP = -300.0


class Sampled(NamedTuple):
    """What draws say of the flipped sum.

    log_p, error: log P(sum ≤ limit) and its relative standard error.
    log_below: log P(sum ≤ limit − 1), of the same draws.
    """

    log_p: float
    error: float
    log_below: float


def log_at_most_sampled(
    values: FloatArray,
    counts: FloatArray,
    limit: float,
    seed: int,
    resamples: int,
    most_signs: float = 2.0**28,
) -> Sampled:
    """log P(Σ b_i w_i ≤ limit) for fair coins b_i, from random signs, with its relative standard error.

    values, counts (ndarray, shape (n_values,)): Distinct weights above 0, ascending, and how often each
        occurs.
    limit: From 0 to half the total.
    seed: Round i draws from a generator seeded with (seed, i): the result depends on nothing else.
    resamples: Least number of draws, as far as `most_signs` allows.
    most_signs: Number of random signs (four nanoseconds each) after which no other round follows.

    Coins fall with chances q_i = 1/(1 + e^(2·s·w_i)), under which the sum is expected at the limit, and each
    draw counts with its likelihood ratio: so the relative error of p = 1e-40 is that of p = 0.4, and p sits
    at no floor. Both halves of the weights are drawn apart and every draw of one half meets every draw of
    the other, which takes a sort and leaves a third of the variance or less. The error is that of a mean over
    pairs of independent draws. Rounds of 16,384 draws (fewer where so many signs would be too many) follow
    until it is below half a percent, or the signs are drawn.
    """
    weights = np.repeat(values, counts.astype(np.int64))
    tilted = flip_chances(flip_tilt(weights, limit), weights)
    chance = np.clip(np.rint(tilted * CHANCES), 1, CHANCES // 2).astype(np.int64)
    halves = [(weights[first::2], chance[first::2]) for first in (0, 1)]
    draws = int(min(DRAWS, max(FEWEST_DRAWS, most_signs // weights.size)))
    shares, below, variance, rounds, log_scale = 0.0, 0.0, 0.0, 0, 0.0
    while True:
        rng = np.random.default_rng([seed, rounds])
        drawn = [_drawn(*half, draws, rng) for half in halves]
        found = _met(drawn[0], drawn[1], limit)
        if not rounds:
            log_scale = found.log_p if found.log_p > -math.inf else 0.0
        mean = math.exp(found.log_p - log_scale)
        shares, variance, rounds = shares + mean, variance + (mean * found.error) ** 2, rounds + 1
        below += math.exp(found.log_below - log_scale)
        error = math.sqrt(variance) / shares if shares > 0.0 else math.inf
        enough = rounds * draws >= resamples and error <= TARGET
        if enough or rounds == MOST_ROUNDS or (rounds + 1) * draws * weights.size > most_signs:
            logs = [
                log_scale + math.log(share / rounds) if share > 0.0 else -math.inf
                for share in (shares, below)
            ]
            return Sampled(logs[0], error, logs[1])


def _drawn(
    weights: FloatArray, chance: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Flipped sums of some weights, ascending, and the logarithms of their likelihood ratios."""
    sums, ratios = np.empty(draws), np.empty(draws)
    stays, flips = np.log(0.5 * CHANCES / (CHANCES - chance)), np.log(0.5 * CHANCES / chance)
    rows = max(1, BYTES_AT_ONCE // (2 * max(1, weights.size)))
    # Eight coins make a byte, which looks its sums up.
    tables = _tables(weights), _tables(flips - stays)
    start_ratio = float(stays.sum())
    for start in range(0, draws, rows):
        stop_if_asked()
        size = min(rows, draws - start)
        coins = np.frombuffer(rng.bytes(2 * size * weights.size), dtype="<u2").reshape(size, weights.size)
        flipped = np.packbits(coins < chance, axis=1, bitorder="little")
        part = slice(start, start + size)
        sums[part], ratios[part] = 0.0, start_ratio
        for place in range(flipped.shape[1]):
            sums[part] += tables[0][place][flipped[:, place]]
            ratios[part] += tables[1][place][flipped[:, place]]
    order = np.argsort(sums, kind="stable")
    return sums[order], ratios[order]


def _tables(numbers: FloatArray) -> FloatArray:
    """Sums of all subsets of each eight numbers, shape (⌈n/8⌉, 256)."""
    padded = np.zeros(-(-numbers.size // 8) * 8)
    padded[: numbers.size] = numbers
    table = np.zeros((padded.size // 8, 1))
    for bit in range(8):
        table = np.concatenate([table, table + padded[bit::8, None]], axis=1)
    return table


def _met(
    first: tuple[FloatArray, FloatArray], second: tuple[FloatArray, FloatArray], limit: float
) -> Sampled:
    """Mean of ratio·ratio over all pairs of draws that stay within the limit together; relative error."""
    peak = float(first[1].max()), float(second[1].max())
    means, below, variance = 0.0, 0.0, 0.0
    for (own, own_ratio), (other, other_ratio), scale in (
        (first, second, peak),
        (second, first, (peak[1], peak[0])),
    ):
        within = np.concatenate([[0.0], np.cumsum(np.exp(other_ratio - scale[1]))]) / other.size
        ratio = np.exp(own_ratio - scale[0])
        part = ratio * within[np.searchsorted(other, limit - own, side="right")]
        means = float(part.mean())
        below = float((ratio * within[np.searchsorted(other, limit - 1.0 - own, side="right")]).mean())
        variance += float(part.var(ddof=1)) / part.size
    if means < math.exp(DEEP):
        return _met_deep(first, second, limit)
    log_peak = peak[0] + peak[1]
    log_below = log_peak + math.log(below) if below > 0.0 else -math.inf
    return Sampled(log_peak + math.log(means), math.sqrt(variance) / means, log_below)


def _met_deep(
    first: tuple[FloatArray, FloatArray], second: tuple[FloatArray, FloatArray], limit: float
) -> Sampled:
    """`_met` in logarithms: of many weights those that stay within the limit have tiny ratios."""
    log_p, log_below, variance = -math.inf, -math.inf, 0.0
    for (own, own_ratio), (other, other_ratio) in ((first, second), (second, first)):
        peak = float(other_ratio.max())
        sums = np.logaddexp.accumulate(other_ratio - peak)
        within = np.concatenate([[-np.inf], sums]) + (peak - math.log(other.size))
        log_p, spread = _mean_of(own_ratio + within[np.searchsorted(other, limit - own, side="right")])
        log_below, _ = _mean_of(own_ratio + within[np.searchsorted(other, limit - 1.0 - own, side="right")])
        variance += spread
    return Sampled(log_p, math.sqrt(variance), log_below)


def _mean_of(logs: FloatArray) -> tuple[float, float]:
    """Logarithm of the mean of numbers given by their logarithms, and the relative variance of that mean."""
    peak = float(logs.max())
    if peak == -math.inf:
        return -math.inf, math.inf
    part = np.exp(logs - peak)
    mean = float(part.mean())
    return peak + math.log(mean), float(part.var(ddof=1)) / (mean * mean * part.size)
