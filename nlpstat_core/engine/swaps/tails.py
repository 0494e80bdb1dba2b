"""p-values of the swap test of one pair: every swap counted, or drawn under a tilt that leaves no floor."""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK, bit_generator
from nlpstat_core.engine.signflip.outcome import EXACT, MONTE_CARLO
from nlpstat_core.engine.swaps.linear import LinearTail
from nlpstat_core.engine.swaps.pair import Kept, Swapped, SwappedShifts

TIE = 1e-12
TINY = np.finfo(np.float64).tiny
# Up to so many items with unlike outputs every swap is counted.
MOST_COUNTED = 16
STREAM = "swap-tilted"
# Chances are multiples of 2^-32, so that half a random word decides a sign.
_CHANCES = 2.0**32
# Draws after which the error is looked at, where drawing may end early.
_FIRST = CHUNK // 2
# The tilt aims at no more than this share of what all signs alike would give.
_FURTHEST = 0.98
_MOST_TILT = 1e9
# Of the first 256 draws.
_FEWEST_REACHED = 32
# Units whose words are kept for the next pair.
_MOST_SHARED = 8_192


@dataclass(frozen=True)
class SwapTail:
    """One p-value.

    log_p: Natural logarithm.
    kind: Position in `signflip.KINDS`.
    error: Relative standard error; 0 where exact.
    """

    log_p: float
    kind: int
    error: float = 0.0


def counted_tail(pair: Swapped, observed: float, alternative: str) -> SwapTail:
    """p by counting all 2^m swaps of the m items with unlike outputs.

    observed: Δ of the outputs as they are.
    """
    m = pair.moved.size
    reached, places = 0, np.arange(m)[:, None]
    for start in range(0, 2**m, 4 * CHUNK):
        numbers = np.arange(start, min(start + 4 * CHUNK, 2**m), dtype=np.int64)
        signs: FloatArray = 1.0 - 2.0 * ((numbers >> places) & 1).astype(np.float64)
        reached += int(np.count_nonzero(reaches(pair.differences(signs), observed, alternative)))
    return SwapTail(math.log(reached / 2**m), EXACT)


def reaches(differences: FloatArray, observed: float, alternative: str) -> BoolArray:
    """Whether swapped differences are at least as extreme; undefined ones are not."""
    if alternative == "two-sided":
        found: BoolArray = np.abs(differences) >= abs(observed) - TIE
    elif alternative == "greater":
        found = differences >= observed - TIE
    else:
        found = differences <= observed + TIE
    return found


def tilted_tail(
    pair: Swapped,
    observed: float,
    alternative: str,
    *,
    seed: int,
    draws: int,
    units: IntArray,
    linear: LinearTail | None = None,
    enough: float = 0.0,
) -> SwapTail:
    """p of one pair; see `tilted_draws`."""
    pieces = tilted_draws(
        pair, observed, alternative, seed=seed, draws=draws, units=units, linear=linear, enough=enough
    )
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            found: SwapTail = end.value
            return found


def tilted_draws(
    pair: Swapped,
    observed: float,
    alternative: str,
    *,
    seed: int,
    draws: int,
    units: IntArray,
    linear: LinearTail | None = None,
    enough: float = 0.0,
) -> Generator[None, None, SwapTail]:
    """p from signs drawn where Δ is expected at its observed value, weighted back.

    observed: Δ of the outputs as they are.
    alternative: About a relative to b.
    draws: At most.
    units (int array, shape (n_moved,)): Position of each sign's item in the canonical order.
    linear: The tail of Σ s·L: draws then only say how often Δ(s) ≥ |Δ| where Σ s·L < Σ L, and the reverse.
    enough: Relative standard error at which drawing ends.
    Yields: After every piece of draws, so that all pairs draw the same piece in turn and share its words.
    Returns: p.

    L_i = ∇g(S)·D_i; λ solves Σ L_i tanh(λL_i) = |Δ|; s_i = +1 with probability 1/(1 + e^(−2λL_i));
    p = 2·mean(Π cosh(λL_i)·e^(−λ Σ s_i L_i)·[Δ(s) ≥ |Δ|]). The law of Δ(s) is symmetric: half of it is the
    one-sided p in the direction of the effect; in the other direction p is 1 − P(Δ(s) > |Δ|).
    """
    if abs(observed) <= TIE:
        return _of_equal(pair, observed, alternative, seed=seed, draws=draws, units=units)
    sign = math.copysign(1.0, observed)
    against = (alternative == "greater" and sign < 0) or (alternative == "less" and sign > 0)
    chance = aimed_chances(pair, observed, units, seed)
    least = abs(observed) + TIE if against else abs(observed) - TIE
    offset, slope = _logarithms(chance)
    pulls = sign * pair.pulls
    # A weight to five digits: far below the error of the draws.
    narrow = np.stack([slope, pulls / max(float(np.abs(pulls).max(initial=0.0)), TINY)]).astype(np.float32)
    reached = float(narrow[1].sum(dtype=np.float64))
    parts: list[tuple[FloatArray, BoolArray, FloatArray]] = []
    log_share, error = -math.inf, math.inf
    for kept in drawn(units, chance, draws, seed, size=CHUNK if enough == 0.0 else _FIRST):
        difference = sign * pair.of_kept(kept)
        log_weights, moved = (narrow @ kept).astype(np.float64)
        parts.append((offset + log_weights, difference > least if against else difference >= least, moved))
        yield
        if enough > 0.0:
            log_share, error = _share(parts, reached, linear)
            if error <= enough:
                break
    else:
        log_share, error = _share(parts, reached, linear)
    if against:
        share = math.exp(log_share)
        return SwapTail(
            math.log1p(-min(share, 1 - 1e-16)), MONTE_CARLO, error * share / max(1 - share, 1e-16)
        )
    if alternative == "two-sided":
        log_share += math.log(2.0)
    return SwapTail(min(log_share, 0.0), MONTE_CARLO, error)


def _share(
    parts: list[tuple[FloatArray, BoolArray, FloatArray]], reached: float, linear: LinearTail | None
) -> tuple[float, float]:
    """log P(Δ(s) ≥ |Δ|) and its relative standard error: of the draws alone, or by the linear tail.

    parts: Logarithms of weights, hits, and Σ L·kept, chunk by chunk.
    reached: Σ L.

    P = P(Σ s·L ≥ Σ L) + mean(w·([Δ(s) ≥ |Δ|] − [Σ s·L ≥ Σ L])). Draws in which the two disagree are rare,
    often none: one more, of the weight that stands at the boundary, is counted into the error.
    """
    log_weights, hits, moved = (np.concatenate(column) for column in zip(*parts, strict=True))
    log_share, error = weighted_share(log_weights, hits)
    if linear is None:
        return log_share, error
    within = moved >= reached
    unlike = hits != within
    boundary = float(log_weights[np.argmin(np.abs(moved - reached))])
    top = max(linear.log_p, boundary, float(log_weights[unlike].max(initial=-math.inf)))
    terms = np.exp(log_weights[unlike] - top) * np.where(hits[unlike], 1.0, -1.0)
    n, total = hits.size, float(terms.sum())
    share = math.exp(linear.log_p - top) + total / n
    spread = float((terms**2).sum()) - total**2 / n + math.exp(2 * (boundary - top))
    if share <= 0.0 or math.sqrt(spread) / n >= error * share:
        return log_share, error
    return top + math.log(share), math.hypot(math.sqrt(spread) / n / share, linear.error)


def _of_equal(
    pair: Swapped, observed: float, alternative: str, *, seed: int, draws: int, units: IntArray
) -> SwapTail:
    """p of a difference of 0: 1 on two sides, and a half and half of the ties on one."""
    if alternative == "two-sided":
        return SwapTail(0.0, EXACT)
    even = np.full(pair.moved.size, 0.5)
    found = [reaches(pair.of_kept(kept), observed, alternative) for kept in drawn(units, even, draws, seed)]
    share = float(np.mean(np.concatenate(found)))
    return SwapTail(math.log(share), MONTE_CARLO, math.sqrt((1 - share) / share / draws))


def aimed_chances(pair: Swapped, observed: float, units: IntArray, seed: int) -> FloatArray:
    """Chance of every sign to stay, such that a fair part of the draws reaches |Δ|.

    L only says how Δ changes near its centre: where Δ at the expected sums is too small, and a first chunk of
    draws hardly reaches |Δ|, it tilts more, to signs that all but surely stay. The first chunk is a stream of
    its own, so that p stays unbiased.
    """
    sign = math.copysign(1.0, observed)
    pulls = sign * pair.pulls
    largest = float(np.abs(pulls).max(initial=0.0))
    if largest == 0.0:
        return np.full(pulls.shape, 0.5)
    scaled = pulls / largest
    tilt = tilt_towards(scaled, abs(observed) / largest)
    while True:
        chance = special.expit(2.0 * tilt * scaled)
        chance = np.clip(np.rint(chance * _CHANCES), 1.0, _CHANCES - 1.0) / _CHANCES
        if isinstance(pair, SwappedShifts) and _arrives(pair, sign, observed, chance):
            return chance
        first = next(drawn(units, chance, CHUNK, seed, "swap-pilot"))
        reached = np.count_nonzero(sign * pair.of_kept(first) >= abs(observed) - TIE)
        if reached >= _FEWEST_REACHED or tilt > _MOST_TILT:
            return chance
        tilt *= 1.5


def _arrives(pair: SwappedShifts, sign: float, observed: float, chance: FloatArray) -> bool:
    """Whether Δ at the expected sums is at most a standard deviation below |Δ|."""
    expected = 2 * chance - 1
    spread = math.sqrt(float((pair.pulls**2) @ (1 - expected**2)))
    return bool(sign * pair.at((pair.moves @ expected)[:, None])[0] >= abs(observed) - spread)


def tilt_towards(pulls: FloatArray, target: float) -> float:
    """λ with Σ L tanh(λL) = target, nearly; where none has, one at which 98 % of Σ|L| is expected."""

    def missing(tilt: float) -> float:
        return float(pulls @ np.tanh(tilt * pulls)) - aim

    aim = min(target, _FURTHEST * float(np.abs(pulls).sum()))
    upper = 1.0
    while missing(upper) < 0.0 and upper < _MOST_TILT:
        upper *= 2.0
    if missing(upper) <= 0.0:
        return upper
    from scipy import optimize  # most boards need none of it, and it is a tenth of what a gate loads

    return float(optimize.brentq(missing, 0.0, upper, xtol=1e-6, rtol=1e-4))


def _logarithms(chance: FloatArray) -> tuple[float, FloatArray]:
    """Of the likelihood ratio ½^m/Π P(s_i): log = offset + Σ slope·kept."""
    stays, leaves = np.log(0.5 / chance), np.log(0.5 / (1.0 - chance))
    return float(leaves.sum()), stays - leaves


def drawn(
    units: IntArray, chance: FloatArray, draws: int, seed: int, stream: str = STREAM, size: int = CHUNK
) -> Iterator[Kept]:
    """What stays in pieces of draws, from numbers that depend on seed, position and draw only.

    units (int array, shape (n_moved,)): Positions.
    chance (float array, shape (n_moved,)): Multiples of 2^-32.
    size: Of a piece; a divisor of 256.
    Yields float32 array, shape (n_moved, draws of the piece): 1 where outputs stay, 0 where swapped.
    """
    limits = (chance * _CHANCES).astype(np.uint32)[:, None]
    for start in range(0, draws, CHUNK):
        words = _words_of(units, start // CHUNK, seed, stream)
        last = min(CHUNK, draws - start)
        for first in range(0, last, size):
            yield (words[units, first : min(first + size, last)] < limits).astype(np.float32)


def _words_of(units: IntArray, chunk: int, seed: int, stream: str) -> NDArray[np.uint32]:
    """Random 32-bit words of one chunk for all positions up to the last of these units at least."""
    n_units = int(units.max(initial=-1)) + 1
    if n_units > _MOST_SHARED:
        return _words(n_units, chunk, seed, stream)
    return _shared_words(1 << (n_units - 1).bit_length(), chunk, seed, stream)


def _words(n_units: int, chunk: int, seed: int, stream: str) -> NDArray[np.uint32]:
    words = bit_generator(seed, stream, chunk).random_raw(n_units * CHUNK // 2)
    return words.astype("<u8", copy=False).view("<u4").reshape(n_units, CHUNK)


# All pairs of a board meet the same words; these are at most 8 × 8 MB.
_shared_words = lru_cache(maxsize=8)(_words)


def weighted_share(log_weights: FloatArray, hits: BoolArray) -> tuple[float, float]:
    """Logarithm of mean(w·[hit]) and its relative standard error; −∞ and ∞ without a hit."""
    if not hits.any():
        return -math.inf, math.inf
    logs = log_weights[hits]
    top = float(logs.max())
    terms = np.exp(logs - top)
    n, total = log_weights.size, float(terms.sum())
    spread = float((terms**2).sum()) - total**2 / n
    return top + math.log(total / n), math.sqrt(max(0.0, spread * n / max(n - 1, 1))) / total
