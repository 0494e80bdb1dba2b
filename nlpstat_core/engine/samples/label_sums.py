"""Relabelling two samples: the distribution of the sum of k scores drawn without replacement."""

from itertools import combinations
from math import comb

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative

MOST_STEPS = 30_000_000
MOST_LABELLINGS = 200_000


def two_tails(above: float, below: float, alternative: Alternative) -> float:
    """The p-value from P(T ≥ t) and P(T ≤ t): the tail, or twice the smaller one, at most 1."""
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    return min(1.0, above if alternative == "greater" else below)


def whole_number_tails(weights: IntArray, k: int, observed: int) -> tuple[float, float] | None:
    """P(T ≥ t) and P(T ≤ t) for the sum of k of the weights, all choices equally likely.

    weights (int array, shape (n,)).
    k: From 0 to n.
    observed: t.

    One weight after the other; a weight is taken with probability (k − taken)/(left), so only positive
    numbers are added. Cost O(n·k·range of the sums).
    """
    n = weights.shape[0]
    if 2 * k > n:  # the others are fewer
        others = whole_number_tails(weights, n - k, int(weights.sum()) - observed)
        return None if others is None else (others[1], others[0])
    lowest = int(weights.min(initial=0)) if n else 0
    small = weights - lowest
    step = max(int(np.gcd.reduce(small)), 1) if n else 1
    small, target = np.sort(small // step), -(-(observed - k * lowest) // step)
    exact = (observed - k * lowest) % step == 0
    width = int(small[n - k :].sum()) + 1
    if n * (k + 1) * width > MOST_STEPS:
        return None
    law = np.zeros((k + 1, width))
    law[0, 0] = 1.0
    for position, weight in enumerate(small):
        take = (k - np.arange(k + 1)) / (n - position)
        moved = law * take[:, None]
        law *= np.clip(1 - take, 0.0, 1.0)[:, None]
        law[1:, weight:] += moved[:-1, : width - weight]
    mass, target = law[k], int(np.clip(target, 0, width))
    below = target + 1 if exact else target
    return float(mass[target:].sum()), float(mass[:below].sum())


def enumerated_tails(scores: FloatArray, k: int, observed: float, tolerance: float) -> tuple[float, float]:
    """P(T ≥ t) and P(T ≤ t) over all ways to choose k of the scores.

    scores (float array, shape (n,)).
    observed, tolerance: Sums within the tolerance of the observed one tie with it.
    """
    chosen = np.array(list(combinations(range(scores.shape[0]), k)), dtype=np.int64)
    totals = scores[chosen].sum(axis=1)
    return float(np.mean(totals >= observed - tolerance)), float(np.mean(totals <= observed + tolerance))


def two_valued_tails(weights: IntArray, k: int) -> tuple[float, float] | None:
    """The same where the weights have at most two values, observed in the first k of them.

    weights (int array, shape (n,)).
    k: From 0 to n.

    How many of the k chosen have the larger value is hypergeometric: for 0/1 scores these are the tails of
    Fisher's exact test. Cost O(n).
    """
    from scipy import special

    n, lowest = weights.shape[0], weights.min(initial=0)
    larger = weights > lowest
    if np.unique(weights[larger]).size > 1:
        return None
    whole, own = int(larger.sum()), int(larger[:k].sum())
    cells = np.arange(max(0, k + whole - n), min(k, whole) + 1)

    def log_choose(total: int, chosen: IntArray | int) -> FloatArray:
        logs: FloatArray = special.gammaln(total + 1) - special.gammaln(np.asarray(chosen) + 1)
        return logs - special.gammaln(total - np.asarray(chosen) + 1)

    law = np.exp(log_choose(whole, cells) + log_choose(n - whole, k - cells) - log_choose(n, k))
    return float(law[cells >= own].sum()), float(law[cells <= own].sum())


def can_enumerate(n: int, k: int) -> bool:
    """Whether all labellings can be tried."""
    return comb(n, k) <= MOST_LABELLINGS
