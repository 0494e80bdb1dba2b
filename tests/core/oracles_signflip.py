"""Slow oracles for the sign-flip engine, straight from the definitions in whole and rational numbers."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.engine.signflip.shifts import accepted_shifts
from nlpstat_core.scores.grid import MOST_DECIMALS

ALTERNATIVES = ("two-sided", "greater", "less")


def exact_log(p: Fraction) -> float:
    """Natural logarithm of a rational number, however small, correct to the last digit."""
    with localcontext() as context:
        context.prec = 60
        return float((Decimal(p.numerator) / Decimal(p.denominator)).ln())


def log_error(found: float, p: Fraction) -> float:
    """Relative error of a probability given by its logarithm."""
    with localcontext() as context:
        context.prec = 60
        return abs(float(Decimal(found) - (Decimal(p.numerator) / Decimal(p.denominator)).ln()))


def whole(values) -> list[int]:
    """The same numbers (floats taken as the exact binary fractions they are) in units of a common step."""
    fractions = [Fraction(value) for value in np.asarray(values).tolist()]
    step = math.lcm(*(fraction.denominator for fraction in fractions))
    return [int(fraction * step) for fraction in fractions]


def all_sums(weights: list[int]) -> list[int]:
    """Σ ±w over all 2^n sign patterns."""
    sums = [0]
    for weight in weights:
        sums = [one + sign * weight for one in sums for sign in (1, -1)]
    return sums


def enumerated_p(differences, alternative: str, statistic=None) -> Fraction:
    """Permutation p-value by all sign patterns in exact arithmetic; statistic(list) defaults to the sum."""
    z = whole(differences)
    if statistic is None:
        values, observed = all_sums([abs(one) for one in z]), sum(z)
    else:
        patterns = [[]]
        for one in z:
            patterns = [[*so_far, value] for so_far in patterns for value in (one, -one)]
        values, observed = [statistic(pattern) for pattern in patterns], statistic(z)
    if alternative == "less":
        values, observed = [-value for value in values], -observed
    if alternative != "two-sided":
        return Fraction(sum(value >= observed for value in values), len(values))
    if observed == 0:
        return Fraction(1)
    return min(Fraction(1), 2 * Fraction(sum(value >= abs(observed) for value in values), len(values)))


def subset_tails(weights, reached) -> list[Fraction]:
    """P(Σ ±w ≥ t) for whole weights and several t: subset counts, packed into one big integer."""
    weights = sorted(int(weight) for weight in weights)
    limits = [(sum(weights) - int(t)) // 2 for t in reached]
    top, slot = max(limits), 8 * (len(weights) // 8 + 1)
    if top < 0:
        return [Fraction(0) for _ in limits]
    keep = (1 << (slot * (top + 1))) - 1
    table = 1
    for weight in weights:
        table = (table + (table << (slot * weight))) & keep
    # Slots of whole bytes are read off without shifting the whole integer for each.
    raw = table.to_bytes(slot // 8 * (top + 1), "little")
    at_most = [0]
    for place in range(0, len(raw), slot // 8):
        at_most.append(at_most[-1] + int.from_bytes(raw[place : place + slot // 8], "little"))
    return [Fraction(at_most[limit + 1] if limit >= 0 else 0, 2 ** len(weights)) for limit in limits]


def subset_tail(weights, t: int) -> Fraction:
    """P(Σ ±w ≥ t) for whole weights."""
    return subset_tails(weights, [t])[0]


def three_values_tail(ones: int, value: int, often: int, other: int, rarely: int, t: int) -> Fraction:
    """P(Σ ±w ≥ t) for so many weights 1, `value` and `other`, by sums of binomials."""
    limit = (ones + value * often + other * rarely - t) // 2
    row = 1
    at_most = []
    for k in range(ones + 1):
        at_most.append(row + (at_most[-1] if at_most else 0))
        row = row * (ones - k) // (k + 1)
    inner = []
    row = 1
    for k in range(often + 1):
        inner.append(row)
        row = row * (often - k) // (k + 1)
    count = 0
    for j in range(rarely + 1):
        for k, ways in enumerate(inner):
            left = limit - value * k - other * j
            if left < 0:
                break
            count += comb(rarely, j) * ways * at_most[min(left, ones)]
    return Fraction(count, 2 ** (ones + often + rarely))


def binomial_tail(n: int, k: int) -> Fraction:
    """P(Bin(n, ½) ≥ k)."""
    row, total = 1, 0
    for j in range(max(0, n - k) + 1 if k <= n else 0):
        total += row
        row = row * (n - j) // (j + 1)
    return Fraction(min(total, 2**n), 2**n)


def gil_pelaez_tail(weights, t: float) -> float:
    """P(T ≥ t) for a nearly continuous T by the untilted inversion integral on a dense grid."""
    w = np.asarray(weights, dtype=float)
    sd = float(np.sqrt(np.sum(w * w)))
    spacing = 2.0 * np.pi / (w.sum() + abs(t) + 14.0 * sd)
    y = (np.arange(int(12.0 / sd / spacing) + 1) + 0.5) * spacing
    phi = np.prod(np.cos(np.outer(y, w)), axis=1)
    return float(0.5 - np.sum(phi * np.sin(y * t) / y) * spacing / np.pi)


def planar_p(hits_a, misses_a, hits_b, misses_b, kappa: Fraction, alternative: str) -> Fraction:
    """Exact p-value of the difference in hits/(hits + κ·misses) over all swaps, in rational arithmetic."""

    def ratio(hits: int, misses: int) -> Fraction:
        return Fraction(hits) / (hits + kappa * misses) if hits or misses else Fraction(0)

    start = (sum(hits_a), sum(misses_a))
    both = (start[0] + sum(hits_b), start[1] + sum(misses_b))
    ways, changed = {start: 1}, 0
    for one in zip(hits_a, misses_a, hits_b, misses_b, strict=True):
        step = (one[2] - one[0], one[3] - one[1])
        if step == (0, 0):
            continue
        changed += 1
        grown: dict[tuple[int, int], int] = {}
        for (hits, misses), count in ways.items():
            for place in ((hits, misses), (hits + step[0], misses + step[1])):
                grown[place] = grown.get(place, 0) + count
        ways = grown
    sign = -1 if alternative == "less" else 1
    observed = sign * (ratio(*start) - ratio(both[0] - start[0], both[1] - start[1]))
    if alternative == "two-sided":
        if observed == 0:
            return Fraction(1)
        observed = abs(observed)
    count = sum(
        often
        for (hits, misses), often in ways.items()
        if sign * (ratio(hits, misses) - ratio(both[0] - hits, both[1] - misses)) >= observed
    )
    p = Fraction(count, 2**changed)
    return min(Fraction(1), 2 * p) if alternative == "two-sided" else p


def permutation_interval(
    z: FloatArray, decimals: int, level: float, alternative: Alternative
) -> tuple[float, float]:
    """All means that the permutation test does not reject, as an interval.

    decimals: Decimals the differences were written with.

    With θ as hypothesised mean, p is the share of the 2ⁿ subsets of units (the empty one included) whose mean
    is at most θ: see `shifts.accepted_shifts`, every unit its own block.
    """
    mass = two_sided_mass(level, alternative)
    known = decimals if decimals < MOST_DECIMALS else None
    ends = accepted_shifts(z[None, :], np.ones(z.size), mass, decimals=known)
    low, high = one_sided(ends[:, 0], ends[:, 1], alternative)[0]
    return float(low), float(high)
