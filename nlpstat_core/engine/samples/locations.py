"""Medians and pseudo-medians of the differences of every pair, with intervals from order statistics."""

import math
from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.outcomes import EstimateColumns
from nlpstat_core.engine.distributions.tails import normal_quantile, one_sided, two_sided_mass
from nlpstat_core.engine.samples.walsh import walsh_order_statistics
from nlpstat_core.scores.grid import MOST_DECIMALS

# Up to here the null distribution of the signed-rank statistic is counted, as in the test.
MOST_COUNTED = 50
_SLACK = 1 + 1e-9


def medians(batch: PairBatch, config: AnalysisConfig) -> EstimateColumns:
    """Median of u − v of every pair, with its order-statistic interval.

    config: Confidence level and `alternative`.
    Returns: Where n is too small for the level the interval is open (note "interval-needs-more-units").

    The interval (z_(k), z_(n+1−k)) takes the largest k with P(Bin(n, ½) < k) at most the mass left out on a
    side; zeros are included. Its exact level for continuous data is in `achieved`; ties raise it.
    Cost O(n) per pair, only counts for 0/1 scores.

    Source: Thompson (1936), doi:10.1214/aoms/1177732502.
    """
    n = batch.n_units
    order, achieved = sign_test_order(n, config.level, config.alternative)
    inner = max(order, 1)
    positions = [inner, n + 1 - inner, (n + 1) // 2, n // 2 + 1]
    if n == 0:
        found = np.full((4, batch.n_pairs), np.nan)
    elif batch.is_binary:
        found = np.stack([_from_counts(batch, position) for position in positions])
    else:
        found = np.empty((4, batch.n_pairs))
        indices = np.array(positions) - 1
        for part, rows in batch.rows():
            found[:, part] = np.partition(clean(rows, batch), np.unique(indices), axis=1)[:, indices].T
    low, high = (found[0], found[1]) if order else (found[0] - np.inf, found[1] + np.inf)
    return EstimateColumns(
        of="median",
        value=(found[2] + found[3]) / 2,
        interval=one_sided(low, high, config.alternative),
        notes={"interval-needs-more-units": np.full(batch.n_pairs, order == 0 and n > 0)},
        achieved=np.full(batch.n_pairs, achieved),
    )


def _from_counts(batch: PairBatch, position: int) -> FloatArray:
    """Order statistic of differences of 0/1 scores, which are −1, 0 or 1."""
    return (position > batch.n_units - batch.wins).astype(float) - (position <= batch.losses)


def clean(differences: FloatArray, batch: PairBatch) -> FloatArray:
    """u − v freed of floating-point dust, where the scores have few enough decimals.

    Returns float array of the same shape.
    """
    decimals = batch.units.decimals
    return on_grid(differences, decimals, 0.0) if decimals < MOST_DECIMALS else differences


def pseudo_medians(batch: PairBatch, config: AnalysisConfig, with_interval: bool = True) -> EstimateColumns:
    """Hodges–Lehmann estimate of every pair: the median of the Walsh averages (z_i + z_j)/2, i ≤ j.

    batch: All units count, zeros included.
    config: Confidence level and `alternative`.
    Returns: The interval inverts the signed-rank test. With ties or zeros it is approximate and may disagree
        with the test (note "interval-with-ties"); open where n is too small ("interval-needs-more-units").

    R's wilcox.test drops the zeros first. Cost O(n log n) per pair.

    Source: Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172.
    """
    n, n_pairs = batch.n_units, batch.n_pairs
    total = n * (n + 1) // 2
    order, achieved = signed_rank_order(n, config.level, config.alternative) if with_interval else (0, 1.0)
    inner = max(order, 1)
    ranks = [(total + 1) // 2, total // 2 + 1] + ([inner, total + 1 - inner] if order else [])
    found = np.full((4, n_pairs), np.nan)
    if n:
        found[2], found[3] = -np.inf, np.inf
        for part, rows in batch.rows():
            for pair, z in enumerate(clean(rows, batch), start=part.start):
                found[: len(ranks), pair] = walsh_order_statistics(z, ranks)
    notes = {
        "interval-needs-more-units": np.full(n_pairs, with_interval and order == 0 and n > 0),
        "interval-with-ties": (batch.unshifted.signed_ranks.ties > 0)
        | (batch.unshifted.signed_ranks.zeros > 0),
    }
    return EstimateColumns(
        of="pseudo-median",
        value=(found[0] + found[1]) / 2,
        interval=one_sided(found[2], found[3], config.alternative),
        notes=notes,
        achieved=np.full(n_pairs, achieved),
    )


@lru_cache(maxsize=256)
def sign_test_order(n: int, level: float, alternative: Alternative) -> tuple[int, float]:
    """Which order statistics bound the median, and the level they reach.

    Returns k: The k-th smallest and the k-th largest; 0 where n is too small for the level.
    Returns achieved.
    """
    from scipy import special

    mass = two_sided_mass(level, alternative)
    k = np.arange(1, n + 1)
    tails = special.bdtr(k - 1.0, n, 0.5)
    order = int(np.count_nonzero(tails <= mass * _SLACK))
    return order, _achieved(float(tails[order - 1]) if order else 0.0, alternative)


@lru_cache(maxsize=256)
def signed_rank_order(n: int, level: float, alternative: Alternative) -> tuple[int, float]:
    """Which Walsh averages bound the pseudo-median, and the level they reach for continuous data.

    Returns k: The k-th smallest and the k-th largest; 0 where n is too small for the level.
    Returns achieved: The level itself where the normal approximation was used (n above 50).
    """
    mass = two_sided_mass(level, alternative)
    if n > MOST_COUNTED:
        sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        order = math.ceil(n * (n + 1) / 4 - normal_quantile(1 - mass) * sd)
        return max(order, 0), level if order > 0 else 1.0
    tails = np.cumsum(signed_rank_counts(n)) / 2.0**n
    order = int(np.count_nonzero(tails[:-1] <= mass * _SLACK))
    return order, _achieved(float(tails[order - 1]) if order else 0.0, alternative)


def _achieved(tail: float, alternative: Alternative) -> float:
    return 1 - (2 if alternative == "two-sided" else 1) * tail


@lru_cache(maxsize=64)
def signed_rank_counts(n: int) -> FloatArray:
    """How many of the 2ⁿ sign patterns give each value of W⁺ for n untied ranks.

    n: At most 50: the counts are then exact whole numbers.
    Returns float array, shape (n(n + 1)/2 + 1,).
    """
    counts = np.zeros(n * (n + 1) // 2 + 1)
    counts[0] = 1
    for rank in range(1, n + 1):
        counts[rank:] = counts[rank:] + counts[:-rank]
    counts.setflags(write=False)
    return counts
