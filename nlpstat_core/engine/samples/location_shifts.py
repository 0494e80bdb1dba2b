"""The shift between two independent samples: the median of all differences, with its interval."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.outcomes import EstimateColumns
from nlpstat_core.engine.distributions.tails import normal_quantile, one_sided, two_sided_mass
from nlpstat_core.scores.grid import MOST_DECIMALS

# Up to so many units in all the null distribution of U is counted, as in the test.
MOST_COUNTED = 50
# Up to so many differences they are formed at once.
_FORMED = 1_000_000
_SLACK = 1 + 1e-9


def location_shifts(batch: PairBatch, config: AnalysisConfig, with_interval: bool = True) -> EstimateColumns:
    """Hodges–Lehmann shift of every pair: the median of all differences u_i − v_j.

    batch: Every unit a system has counts, shared or not.
    config: Confidence level and `alternative`.
    Returns: The interval inverts the Mann–Whitney test. With ties it is approximate and may disagree with the
        test (note "interval-with-ties"); open where there are too few units
        ("interval-needs-more-own-units").

    The k-th smallest and k-th largest difference, k the largest with P(U < k) at most the mass left out on a
    side: counted up to 50 units in all, above that from the normal approximation. Cost O(n_u·n_v) up to a
    million differences, O(n·log n) per step of a bisection above.

    Source: Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172.
    """
    found = np.full((4, batch.n_pairs), np.nan)
    ties, unbounded = np.zeros((2, batch.n_pairs), dtype=bool)
    decimals = batch.units.decimals
    for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
        u, v = (np.sort(np.round(batch.units.own.sample(system), decimals)) for system in (a, b))
        if not (u.size and v.size):
            continue
        total = u.size * v.size
        order = rank_sum_order(u.size, v.size, config.level, config.alternative) if with_interval else 0
        ranks = [(total + 1) // 2, total // 2 + 1] + ([order, total + 1 - order] if order else [])
        found[2:, pair] = -np.inf, np.inf
        found[: len(ranks), pair] = difference_order_statistics(u, v, ranks)
        unbounded[pair] = with_interval and order == 0
        pooled = np.sort(np.concatenate([u, v]))
        ties[pair] = bool(np.any(pooled[1:] == pooled[:-1]))
    if decimals < MOST_DECIMALS:
        found = on_grid(found, decimals + 1, 0.0)  # half a step for the mean of two middle differences
    return EstimateColumns(
        of="location-shift",
        value=(found[0] + found[1]) / 2,
        interval=one_sided(found[2], found[3], config.alternative),
        notes={"interval-with-ties": ties, "interval-needs-more-own-units": unbounded},
    )


def difference_order_statistics(u: FloatArray, v: FloatArray, ranks: Sequence[int]) -> FloatArray:
    """The k-th smallest differences u_i − v_j of two sorted samples.

    u, v (float arrays, shapes (n_u,) and (n_v,)): Rising.
    ranks: Each k from 1 to n_u·n_v.
    Returns float array, shape (len(ranks),).

    >>> difference_order_statistics(np.array([1.0, 5.0]), np.array([0.0, 2.0]), [1, 2, 4]).tolist()
    [-1.0, 1.0, 5.0]
    """
    if u.size * v.size <= _FORMED:
        places = np.asarray(ranks) - 1
        formed = np.subtract.outer(u, v).ravel()
        chosen: FloatArray = np.partition(formed, np.unique(places))[places]
        return chosen
    return np.array([_found(u, v, rank) for rank in ranks])


def _found(u: FloatArray, v: FloatArray, rank: int) -> float:
    """One order statistic: halve the range until few differences are left in it, and form those."""
    low, high = float(u[0] - v[-1]), float(u[-1] - v[0])
    dust = 4 * float(np.spacing(max(abs(low), abs(high), abs(u[0]), abs(u[-1]))))
    low, high = low - dust, high + dust
    first, last = _reach(u, v, low), _reach(u, v, high)
    while high - low > 2 * dust and int((first - last).sum()) > _FORMED:
        middle = (low + high) / 2
        at = _reach(u, v, middle)
        if u.size * v.size - int(at.sum()) >= rank:
            high, last = middle, at
        else:
            low, first = middle, at
    size = first - last
    if int(size.sum()) > _FORMED:
        return (low + high) / 2  # all of them tie
    ends = np.cumsum(size)
    columns = np.arange(int(ends[-1])) + np.repeat(last - ends + size, size)
    left = np.repeat(u, size) - v[columns]
    place = rank - (u.size * v.size - int(first.sum())) - 1
    return float(np.partition(left, place)[place])


def _reach(u: FloatArray, v: FloatArray, x: float) -> IntArray:
    """For each u_i how many of the v_j are so small that u_i − v_j is above x: the first ones."""
    return np.searchsorted(v, u - x, side="left")


@lru_cache(maxsize=256)
def rank_sum_order(n_u: int, n_v: int, level: float, alternative: Alternative) -> int:
    """Which differences bound the shift.

    Returns: k for the k-th smallest and the k-th largest; 0 where there are too few units for the level.
    """
    mass = two_sided_mass(level, alternative)
    if n_u + n_v > MOST_COUNTED:
        sd = math.sqrt(n_u * n_v * (n_u + n_v + 1) / 12)
        return max(math.ceil(n_u * n_v / 2 - normal_quantile(1 - mass) * sd), 0)
    counts = rank_sum_counts(n_u, n_v)
    tails = np.cumsum(counts) / counts.sum()
    return int(np.count_nonzero(tails[:-1] <= mass * _SLACK))


def rank_sum_counts(n_u: int, n_v: int) -> FloatArray:
    """How many labellings of n_u + n_v untied units give each value of U.

    n_u, n_v: At most 50 in all: the counts are then exact whole numbers.
    Returns float array, shape (n_u·n_v + 1,).
    """
    counts = np.zeros(n_u * n_v + 1)
    counts[0] = 1
    for step in range(1, n_u + 1):  # a Gaussian binomial: times 1 − q^(n_v + step), over 1 − q^step
        wide = n_v + step
        counts[wide:] = counts[wide:] - counts[: counts.size - wide] if wide < counts.size else counts[wide:]
        for place in range(step, counts.size):
            counts[place] += counts[place - step]
    return counts
