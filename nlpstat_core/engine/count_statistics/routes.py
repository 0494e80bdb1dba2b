"""From counts per unit to the tail of the difference in a ratio, whichever way is cheapest."""

import math

import numpy as np
from scipy.special import expit

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.count_statistics.counting import counting_cost, log_tail_counted, log_tail_enumerated
from nlpstat_core.engine.count_statistics.inversion import log_tail_inverted, tilted
from nlpstat_core.engine.count_statistics.swaps import TIE_TOLERANCE, Swaps
from nlpstat_core.engine.signflip.outcome import EXACT, KINDS, LOG_2, MONTE_CARLO, Tail
from nlpstat_core.stopping import stop_if_asked

QUICK_COUNT = 3e7
LONGEST_COUNT = 2e9
MOST_COUNTED = 1000
MOST_ENUMERATED = 24
ENUMERATION_STEP = 32.0
LARGEST_ERROR = 1e-10
ROUNDING = 1e-13
# Random swaps drawn at a time from one seed.
CHUNK = 256
SAMPLED_ERROR = 0.02
MOST_SAMPLED = 1 << 20


def exact_tail(swaps: Swaps, strict: bool) -> Tail | None:
    """P(difference ≥ observed) over all swaps, for an observed difference of 0 or more.

    swaps: The walk; at least one unit changes.
    strict: Whether ties with the observed difference are left out.
    Returns: None when the plane is too large for every exact way.
    """
    cost = counting_cost(swaps)
    enumerable = swaps.units <= MOST_ENUMERATED
    countable = swaps.units <= MOST_COUNTED and cost <= LONGEST_COUNT
    if enumerable and ENUMERATION_STEP * 2.0**swaps.units <= cost:
        return Tail(log_tail_enumerated(swaps, strict), KINDS[EXACT], ROUNDING)
    if countable and cost <= QUICK_COUNT:
        return Tail(log_tail_counted(swaps, strict), KINDS[EXACT], ROUNDING)
    inverted = log_tail_inverted(swaps, strict)
    if inverted is not None and inverted[1] <= LARGEST_ERROR:
        return Tail(inverted[0], KINDS[EXACT], inverted[1])
    if countable:
        return Tail(log_tail_counted(swaps, strict), KINDS[EXACT], ROUNDING)
    return Tail(log_tail_enumerated(swaps, strict), KINDS[EXACT], ROUNDING) if enumerable else None


def sampled_tail(swaps: Swaps, strict: bool, resamples: int, seed: int) -> Tail:
    """P(difference ≥ observed) from random swaps, for planes too large for every exact way.

    swaps: The walk.
    strict: Whether ties with the observed difference are left out.
    resamples, seed: Least number of random swaps; chunk i of 256 comes from a generator seeded with (seed,
        i).
    Returns: With its relative standard error.

    Swaps are drawn from the tilted law, under which the observed difference is expected, and count with their
    likelihood ratios, so that no small p sits at a floor. Chunks follow until the error is 2 %, or a million
    swaps of all units are drawn.
    """
    tilt = tilted(swaps)
    chance, number = expit(tilt.lift), swaps.counts.astype(np.int64)
    count, first, second = 0, 0.0, 0.0
    while True:
        stop_if_asked()
        rng = np.random.default_rng([seed, count // CHUNK])
        drawn = rng.binomial(number, chance, (CHUNK, number.size)).astype(np.float64)
        sums: FloatArray = drawn @ swaps.steps
        ratio = np.exp(-(drawn @ tilt.lift) + float(tilt.slope @ tilt.centre))
        share = np.where(swaps.reached(sums[:, 0], sums[:, 1], strict), ratio, 0.0)
        count, first, second = count + CHUNK, first + float(share.sum()), second + float(share @ share)
        error = math.sqrt(max(second / first**2 - 1.0 / count, 0.0)) if first > 0.0 else math.inf
        if (count >= resamples and error <= SAMPLED_ERROR) or count >= MOST_SAMPLED:
            log_p = tilt.peak + math.log(first / count) if first > 0.0 else -math.inf
            return Tail(min(log_p, 0.0), KINDS[MONTE_CARLO], error)


def p_tail(swaps: Swaps, mirrored: Swaps, alternative: str, resamples: int, seed: int) -> Tail:
    """Logarithm of the p-value for any alternative.

    swaps: The walk of a against b.
    mirrored: The walk of b against a.
    alternative: About a relative to b.
    resamples, seed: For the Monte Carlo last resort.
    Returns: Two-sided is min(1, 2·P(difference ≥ |observed|)), since swapping all units changes the sign;
        one-sided is P(difference ≥ observed), which below 0 is 1 − P(difference > |observed|).
    """
    observed = float(swaps.difference(np.zeros(1), np.zeros(1))[0])
    if alternative == "less":
        swaps, mirrored, observed = mirrored, swaps, -observed
    even = abs(observed) <= TIE_TOLERANCE
    if swaps.units == 0 or (even and alternative == "two-sided"):
        return Tail(0.0, KINDS[EXACT], 0.0)
    against = alternative != "two-sided" and (even or observed < 0.0)
    upper = mirrored if observed < 0.0 else swaps
    tail = exact_tail(upper, against) or sampled_tail(upper, against, resamples, seed)
    if alternative == "two-sided":
        return Tail(min(tail.log_p + LOG_2, 0.0), tail.kind, tail.error)
    if not against:
        return tail
    rest = math.log1p(-math.exp(tail.log_p))
    return Tail(rest, tail.kind, tail.error * math.exp(tail.log_p - rest))
