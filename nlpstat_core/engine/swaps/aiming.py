"""Chances of signs under which the observed difference is common, so that draws tell about its tail."""

import math

import numpy as np
from scipy import special

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK
from nlpstat_core.engine.swaps.counted import TIE
from nlpstat_core.engine.swaps.draws import CHANCES, drawn
from nlpstat_core.engine.swaps.pair import Swapped, SwappedShifts

# The tilt aims at no more than this share of what all signs alike would give.
_FURTHEST = 0.98
_MOST_TILT, _FARTHEST = 1e9, 64.0
# Of the first 256 draws.
_FEWEST_REACHED = 32
# Slopes that are found in turn with the sums where they are taken.
_ROUNDS = 5


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
        chance = np.clip(np.rint(chance * CHANCES), 1.0, CHANCES - 1.0) / CHANCES
        if isinstance(pair, SwappedShifts) and _arrives(pair, sign, observed, chance):
            return chance
        first = next(drawn(units, chance, CHUNK, seed, "swap-pilot"))
        reached = np.count_nonzero(sign * pair.of_kept(first) >= abs(observed) - TIE)
        if reached >= _FEWEST_REACHED or tilt > _MOST_TILT:
            return chance
        tilt *= 1.5


def design_chances(pair: SwappedShifts, observed: float) -> FloatArray:
    """Chance of every sign to stay, tilted along the slope where |Δ| is expected and not at the centre.

    The sums at which |Δ| is likeliest are where most of what counts lies; slope and sums are found in turn.
    For measures that bend on the way: F1 or MCC of a label with a few items, say.
    """
    sign = math.copysign(1.0, observed)
    pulls = sign * pair.pulls
    chance = np.full(pulls.shape, 0.5)
    for _ in range(_ROUNDS):
        largest = float(np.abs(pulls).max(initial=0.0))
        if largest == 0.0:
            break
        scaled = pulls / largest
        expected = np.tanh(_tilt_that_arrives(pair, sign, observed, scaled) * scaled)
        chance = (1.0 + expected) / 2.0
        pulls = (pulls + sign * pair.slopes(pair.moves @ expected)) / 2.0
    return np.asarray(np.clip(np.rint(chance * CHANCES), 1.0, CHANCES - 1.0) / CHANCES)


def _tilt_that_arrives(pair: SwappedShifts, sign: float, observed: float, scaled: FloatArray) -> float:
    """Smallest λ, nearly, at which Δ of the expected sums is |Δ|; where none is, the largest tried."""

    def missing(tilt: float) -> float:
        found = float(sign * pair.at((pair.moves @ np.tanh(tilt * scaled))[:, None])[0]) - abs(observed)
        return found if math.isfinite(found) else -abs(observed)

    upper = 1.0 / 64.0
    while missing(upper) < 0.0 and upper < _FARTHEST:
        upper *= 2.0
    lower = upper / 2.0
    for _ in range(20):
        middle = (lower + upper) / 2.0
        lower, upper = (middle, upper) if missing(middle) < 0.0 else (lower, middle)
    return upper


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
