"""Tango's score for the difference of two paired shares, kin of McNemar's test: interval and equivalence."""

from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.distributions.tails import normal_log_sf, normal_quantile, one_sided, two_sided_mass

# Halvings of [−1, 1]: to the last digit.
_HALVINGS = 55
# Limits kept for all pairs of a board, 8 MB; of more units few pairs share their counts.
MOST_KEPT = 2**20


def score_interval(
    only_a: IntArray,
    only_b: IntArray,
    n_units: int,
    level: float,
    alternative: Alternative,
    *,
    continuity: bool,
) -> FloatArray:
    """All differences of two paired shares that the score test does not reject.

    only_a, only_b (int arrays, shape (n_pairs,)): Units that only a gets right (b in McNemar's table), and
        only b (c).
    n_units: All units, tied ones included.
    alternative: One-sided alternatives give one-sided intervals.
    continuity: Whether b − c is first moved by 1 towards the hypothesised difference, as in McNemar's test
        with continuity correction, which the exact test follows closely; without, the interval is Tango's.
    Returns float array, shape (n_pairs, 2): In [−1, 1] except for the open end; NaN without units.

    T(δ) = (b − c − nδ)/√(n·(2q + δ(1 − δ))), q the greatest-likelihood probability that only b is right when
    the difference is δ: (√(B² + 8n·c·δ(1 − δ)) − B)/4n, B = (2n − b + c)δ − b − c. T falls as δ rises, and
    T(0)² is McNemar's chi-square, so the interval excludes 0 where that test rejects. Each distinct (b, c)
    is solved once, by bisection, and kept for the other pairs of a board of up to 1,000 units.

    Source: Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    >>> counts = np.array([7]), np.array([0]), 14
    >>> score_interval(*counts, 0.95, "two-sided", continuity=False).round(4).tolist()
    [[0.177, 0.732]]
    """
    if n_units == 0:
        return np.full((only_a.shape[0], 2), np.nan)
    quantile = normal_quantile(1 - two_sided_mass(level, alternative))
    step = 1.0 if continuity else 0.0
    # The upper limit is the lower one of (b, a), with its sign changed.
    limits = _lower_limits(
        np.concatenate([only_a, only_b]), np.concatenate([only_b, only_a]), n_units, quantile, step
    )
    return one_sided(limits[: only_a.size], -limits[only_a.size :], alternative)


def score_equivalence_log_p(
    only_a: IntArray, only_b: IntArray, n_units: int, margin: float, *, continuity: BoolArray | bool
) -> FloatArray:
    """Log p-value of two one-sided score tests that the shares are less than a margin apart.

    Null hypothesis: the shares differ by at least the margin, on one side or the other.

    only_a, only_b, n_units: As for `score_interval`.
    margin: Above 0.
    continuity (bool or bool array of shape (n_pairs,)): As for the interval that is shown.
    Returns float array, shape (n_pairs,): Of the larger p; −inf where the margin is beyond 1, which no
        difference reaches; NaN without units.

    T(−margin) and −T(margin) of `score_interval` are normal: p is at most α exactly where the two-sided
    interval of level 1 − 2α lies within the margin. Equal answers in all of n units leave p = Φ(−T) with
    T ≈ √(n·margin) at most, where Student's t would have no spread to go by.

    Source: Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    >>> counts = np.array([0]), np.array([1]), 44
    >>> np.exp(score_equivalence_log_p(*counts, 0.1, continuity=False)).round(4).tolist()
    [0.0438]
    """
    if n_units == 0:
        return np.full(only_a.shape, np.nan)
    if margin > 1:
        return np.full(only_a.shape, -np.inf)
    b, c = only_a.astype(float), only_b.astype(float)
    step = np.where(continuity, 1.0, 0.0)
    at = np.full(b.shape, -margin)
    smaller = np.full(b.shape, np.inf)
    for first, second in ((b, c), (c, b)):
        room, spread = first - second - step + n_units * margin, _spread(first, second, n_units, at)
        certain = np.where(room > 0, np.inf, -np.inf)
        z = np.where(spread > 0, room / np.where(spread > 0, spread, 1.0), certain)
        smaller = np.minimum(smaller, z)
    return normal_log_sf(smaller)


def _lower_limits(b: IntArray, c: IntArray, n: int, quantile: float, step: float) -> FloatArray:
    """`_lower_limit` of many counts, each distinct (b, c) solved once."""
    key = b * (n + 1) + c
    if (n + 1) ** 2 > MOST_KEPT:
        key, place = np.unique(key, return_inverse=True)
        return np.asarray(_lower_limit(*_counts(key, n), n, quantile, step)[place])
    kept = _kept(n, quantile, step)
    new = np.zeros(kept.size, dtype=bool)
    new[key] = np.isnan(kept[key])
    fresh = np.flatnonzero(new)
    kept[fresh] = _lower_limit(*_counts(fresh, n), n, quantile, step)
    return np.asarray(kept[key])


def _counts(key: IntArray, n: int) -> tuple[FloatArray, FloatArray]:
    b, c = np.divmod(key, n + 1)
    return b.astype(float), c.astype(float)


@lru_cache(maxsize=4)
def _kept(n: int, quantile: float, step: float) -> FloatArray:
    """Limits by b·(n + 1) + c as they are found: NaN until a pair asks for them."""
    return np.full((n + 1) ** 2, np.nan)


def _lower_limit(b: FloatArray, c: FloatArray, n: int, quantile: float, step: float) -> FloatArray:
    """The δ up to the estimate at which T(δ), after the step, is the quantile."""
    low, high = np.full(b.shape, -1.0), np.maximum((b - c - step) / n, -1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rejected = b - c - step - n * middle > quantile * _spread(b, c, n, middle)
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return high


def _spread(b: FloatArray, c: FloatArray, n: int, delta: FloatArray) -> FloatArray:
    """Standard deviation of b − c when the difference is δ."""
    linear = (2 * n - b + c) * delta - b - c
    room = delta * (1 - delta)
    only_b = (np.sqrt(np.maximum(linear**2 + 8 * n * c * room, 0.0)) - linear) / (4 * n)
    spread: FloatArray = np.sqrt(np.maximum(n * (2 * only_b + room), 0.0))
    return spread
