"""Power of the sign test and of McNemar's exact test, by the binomial distribution itself."""

import math
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.power.solving import counted_down, smallest_units

# Standard deviations of the number of decided units that are summed over; beyond lies less than 1e-22.
_REACH = 10.0
# Of the number of decided units, for the fewest that a plan reckons with.
_FEWEST_REACH = 8.0
# With ties the power of more units takes milliseconds each; their number is then within one percent.
_COUNTED_DOWN = 50_000
# Numbers of trials that hold several teeth of the saw: the critical count rises with every second one.
_TEETH = 64
# Trials whose critical counts are found and kept together, and how many such blocks are kept.
_BLOCK, _MOST_BLOCKS = 256, 64


def sign_power(
    units: int,
    effect: float,
    alpha: float,
    alternative: Alternative = "two-sided",
    decided: float = 1.0,
    *,
    randomised: bool = False,
) -> float:
    """Probability that the exact sign test (McNemar's exact test) rejects.

    units: Units, ties among them.
    effect: Cohen's g: P(a wins a decided unit) − ½, in [−½, ½].
    decided: Share of units that one of the systems wins (the discordant share of McNemar's table), in (0, 1].
    randomised: Use the whole level by rejecting the next count with some probability. No test is run so; its
        power never falls as units are added and bounds that of the real test from above.

    Σ_k P(Bin(n, ψ) = k)·P(reject | k decided units), the second factor from P(Bin(k, ½ + g) ≥ c_k) with c_k
    the smallest count whose exact p is at most α. No simulation, no normal approximation. Cost O(√n log n).

    Source: Dixon and Mood (1946), doi:10.1080/01621459.1946.10501898; McNemar (1947), doi:10.1007/BF02295996.
    """
    win, tail = _one_side(effect, alpha, alternative)
    trials, weight = _decided_units(units, decided)
    rejects = _rejects(trials, win, tail, randomised)
    if alternative == "two-sided":
        rejects = rejects + _rejects(trials, 1.0 - win, tail, randomised)
    return float(min(1.0, np.sum(weight * rejects)))


def power_reaches(
    power: float,
    units: int,
    effect: float,
    alpha: float,
    alternative: Alternative = "two-sided",
    decided: float = 1.0,
    *,
    randomised: bool = False,
) -> bool:
    """Whether `sign_power` is at least `power`: mostly told by the side of the effect alone.

    Below ½ a tail is at most the one at ½: the side against the effect rejects with at most its own level.
    """
    win, tail = _one_side(effect, alpha, alternative)
    if alternative == "two-sided":
        win = max(win, 1.0 - win)
    trials, weight = _decided_units(units, decided)
    near = float(np.sum(weight * _rejects(trials, win, tail, randomised)))
    if near >= power or alternative != "two-sided" or near + (1 + 1e-9) * tail < power:
        return near >= power
    return sign_power(units, effect, alpha, alternative, decided, randomised=randomised) >= power


def normal_units(effect: float, power: float, alpha: float, alternative: Alternative = "two-sided") -> float:
    """Decided units that `power` takes by the normal approximation of the binomial.

    effect: Cohen's g, not 0.
    """
    limit = -normal_quantile(alpha / 2 if alternative == "two-sided" else alpha)
    spread = np.sqrt(max(1 - 4 * effect**2, 0.0))
    return float(((limit + normal_quantile(power) * spread) / (2 * effect)) ** 2)


def sign_units(
    power: float, effect: float, alpha: float, alternative: Alternative, decided: float
) -> int | None:
    """Smallest number of units from which on the power of the exact sign test is never below the given one.

    Returns: With ties and above 50,000 units up to a percent more; None where too many would be needed.

    The test that uses the whole of the smallest level it reaches from some number on, by chance if need be,
    has power that rises with the units and is below that of the test itself: with enough units for it the
    saw-tooth certainly stays above the target, and units are counted down from there.
    """
    sides = 2 if alternative == "two-sided" else 1

    def enough(units: int) -> bool:
        return power_reaches(power, units, effect, alpha, alternative, decided)

    def certainly(units: int) -> bool:
        mean = units * decided
        fewest = int(mean - _FEWEST_REACH * math.sqrt(mean * (1 - decided)))
        level = sides * least_level(fewest, alpha / sides)
        return power_reaches(power, units, effect, level, alternative, decided, randomised=True)

    last = smallest_units(certainly, near=normal_units(effect, power, alpha, alternative) / decided)
    return last if last is None or (last > _COUNTED_DOWN and decided < 1) else counted_down(enough, last)


def _one_side(effect: float, alpha: float, alternative: Alternative) -> tuple[float, float]:
    """P(a decided unit is won by the side that is tested first), and the level of this side."""
    win = 0.5 - effect if alternative == "less" else 0.5 + effect
    return win, alpha / 2 if alternative == "two-sided" else alpha


def _decided_units(units: int, decided: float) -> tuple[IntArray, FloatArray]:
    """How many units may be decided, and the probability of each number."""
    from scipy import special

    if decided >= 1.0:
        trials, weight = np.array([units]), np.ones(1)
    else:
        mean, reach = units * decided, _REACH * np.sqrt(units * decided * (1 - decided)) + 1
        trials = np.arange(max(0, int(mean - reach)), min(units, int(mean + reach) + 1) + 1)
        log_weight = special.gammaln(units + 1) - special.gammaln(trials + 1)
        log_weight += trials * np.log(decided) - special.gammaln(units - trials + 1)
        weight = np.exp(log_weight + (units - trials) * np.log1p(-decided))
    return trials, weight


def _rejects(trials: IntArray, win: float, tail: float, randomised: bool) -> FloatArray:
    """P(Bin(k, win) reaches the critical count of k), for every number of trials: consecutive ones."""
    numbers = _blocks_of(trials)
    if not randomised and len(numbers) <= _MOST_BLOCKS:
        # Counting units down asks for the same numbers of trials again and again.
        kept = np.concatenate([_block_of_rejects(number, win, tail) for number in numbers])
        return kept[trials[0] - numbers[0] * _BLOCK :][: trials.size]
    count, share = _limits(trials, tail)
    power = upper_tails(trials, count, win)
    if randomised:
        power = power + share * (upper_tails(trials, count - 1, win) - power)
    return power


@lru_cache(maxsize=4 * _MOST_BLOCKS)
def _block_of_rejects(number: int, win: float, tail: float) -> FloatArray:
    """Probabilities of rejecting with each number of trials of one block."""
    trials = np.arange(number * _BLOCK, (number + 1) * _BLOCK)
    return upper_tails(trials, _block_of_limits(number, tail)[0], win)


def _blocks_of(trials: IntArray) -> range:
    """Blocks in which consecutive numbers of trials lie."""
    return range(int(trials[0]) // _BLOCK, int(trials[-1]) // _BLOCK + 1)


def _limits(trials: IntArray, tail: float) -> tuple[IntArray, FloatArray]:
    """Critical counts of consecutive trials, and the share of the next count that uses the whole level."""
    numbers = _blocks_of(trials)
    if len(numbers) > _MOST_BLOCKS:
        return _computed_limits(trials, tail)
    blocks = [_block_of_limits(number, tail) for number in numbers]
    own = slice(trials[0] - numbers[0] * _BLOCK, trials[-1] + 1 - numbers[0] * _BLOCK)
    return np.concatenate([count for count, _ in blocks])[own], np.concatenate([s for _, s in blocks])[own]


@lru_cache(maxsize=2 * _MOST_BLOCKS)
def _block_of_limits(number: int, tail: float) -> tuple[IntArray, FloatArray]:
    """Limits of one block of trials: a search asks for the same ones again and again."""
    return _computed_limits(np.arange(number * _BLOCK, (number + 1) * _BLOCK), tail)


def _computed_limits(trials: IntArray, tail: float) -> tuple[IntArray, FloatArray]:
    count = critical_counts(trials, tail)
    used, one_less = upper_tails(trials, count, 0.5), upper_tails(trials, count - 1, 0.5)
    share = (tail - used) / np.where(one_less > used, one_less - used, 1.0)
    return count, np.clip(share, 0.0, 1.0)


@lru_cache(maxsize=4096)
def detectable_surplus(units: int, decided: int, power: float, alpha: float, two_sided: bool) -> float:
    """Wins less losses, as a share of the decided units, that the exact sign test finds with a power.

    units: Units of the test sets, each decided with the share of decided units that was seen.
    decided: Units that are not tied.
    Returns: In (0, 1]: 2g, g Cohen's; infinity where not even 1 is found.

    Power is averaged over how many units another test set of this size decides: at the one number that was
    seen it may be anything between two teeth of a saw.
    """
    share = min(1.0, decided / units)
    side: Alternative = "two-sided" if two_sided else "greater"

    def short(g: float) -> float:
        return sign_power(units, g, alpha, side, share) - power

    if decided == 0 or short(0.5) < 0:
        return float("inf")
    from scipy import optimize

    return 2 * float(optimize.brentq(short, 0.0, 0.5, xtol=1e-12))


def least_level(trials: int, tail: float) -> float:
    """A level that the one-sided exact test reaches with every number of decided units from here on.

    trials: Decided units, k.
    Returns: In (0, tail); next to nothing where so few units reach no level at all.

    The level falls short of `tail` by less than the probability of the next count, which at the same
    distance from k/2 falls with k; so its largest value among the next few k bounds all later ones.
    """
    ahead = np.arange(max(trials, 0), max(trials, 0) + _TEETH)
    counts = critical_counts(ahead, tail)
    at_next = upper_tails(ahead, counts - 1, 0.5) - upper_tails(ahead, counts, 0.5)
    return max(tail - float(at_next.max()), 1e-300)


def critical_counts(trials: IntArray, tail: float) -> IntArray:
    """Smallest c with P(Bin(k, ½) ≥ c) ≤ tail, for every k; k + 1 where no count reaches it.

    >>> critical_counts(np.array([5, 6, 100]), 0.025).tolist()
    [6, 6, 61]
    """
    # From around the normal approximation outwards until the answer lies between, then bisection.
    centre = np.rint((trials - normal_quantile(tail) * np.sqrt(trials)) / 2).astype(trials.dtype)
    low, high = np.clip(centre - 1, 0, trials), np.clip(centre + 1, 1, trials + 1)
    step = 2
    while np.any(far := upper_tails(trials, low, 0.5) <= tail):
        high, low = np.where(far, low, high), np.where(far, np.maximum(low - step, 0), low)
        step *= 2
    step = 2
    while np.any(short := upper_tails(trials, high, 0.5) > tail):
        low, high = np.where(short, high, low), np.where(short, np.minimum(high + step, trials + 1), high)
        step *= 2
    while np.any(high - low > 1):
        middle = (low + high) // 2
        reached = upper_tails(trials, middle, 0.5) <= tail
        high, low = np.where(reached, middle, high), np.where(reached, low, middle)
    return high


def upper_tails(trials: IntArray, count: IntArray, win: float) -> FloatArray:
    """P(Bin(k, win) ≥ c) by the incomplete beta function. 1 where c ≤ 0, 0 where c > k."""
    from scipy import special

    inside = (count > 0) & (count <= trials)
    tail = special.betainc(np.where(inside, count, 1), np.where(inside, trials - count + 1, 1), win)
    result: FloatArray = np.where(inside, tail, (count <= 0).astype(float))
    return result
