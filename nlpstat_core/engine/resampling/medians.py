"""The bootstrap distribution of a median in closed form: no resample is drawn."""

from functools import lru_cache

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray

# Below this SciPy's incomplete beta function is near its underflow and the series takes over.
_SMALL = 1e-280
# The two middle order statistics of a resample lie d ranks apart with probability about e^−d.
_FARTHEST_NEIGHBOUR = 60
# Ranks farther from the middle than this many √n have less probability than rounding.
_WINDOW = 8.0


@lru_cache(maxsize=8)
def log_rank_cdf(n: int) -> FloatArray:
    """Logarithm of P(lower middle order statistic of a resample ≤ k-th smallest value), k = 0 … n.

    n: Units, at least 1.
    Returns float array, shape (n + 1,), read-only.

    The h-th smallest of n draws is at most the k-th smallest value when at least h draws are among the k
    smallest: P(Bin(n, k/n) ≥ h) with h = ⌈n/2⌉. For odd n it is the median itself.
    """
    from scipy import special

    h = (n + 1) // 2
    share = np.arange(n + 1) / n
    with np.errstate(divide="ignore"):
        log_p: FloatArray = np.log(special.betainc(h, n - h + 1, share))
    far = (log_p < np.log(_SMALL)) & (share > 0)
    log_p[far] = _log_far_tail(n, h, share[far])
    log_p.setflags(write=False)
    return log_p


def _log_far_tail(n: int, h: int, share: FloatArray) -> FloatArray:
    """log P(Bin(n, q) ≥ h) for h far above n·q: the first term times a series of falling terms."""
    from scipy import special

    log_first = (
        h * np.log(share) + (n - h) * np.log1p(-share) - special.betaln(h + 1, n - h + 1) - np.log(n + 1)
    )
    term, total = np.ones_like(share), np.ones_like(share)
    odds = share / (1 - share)
    for j in range(h, n):
        term *= (n - j) / (j + 1) * odds
        total += term
        if not np.any(term > 1e-17 * total):
            break
    result: FloatArray = log_first + np.log(total)
    return result


@lru_cache(maxsize=8)
def _log_lower_rank(n: int) -> tuple[FloatArray, FloatArray]:
    """For even n and i = 1 … n: log P(I = i), and log of C(n, m)·[(i/n)^m − ((i−1)/n)^m]."""
    from scipy import special

    cdf, m, i = log_rank_cdf(n), n // 2, np.arange(1, n + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_pmf = cdf[1:] + np.log(-np.expm1(np.minimum(cdf[:-1] - cdf[1:], 0.0)))
        log_factor = m * np.log(i / n) + np.log(-np.expm1(m * np.log1p(-1 / i)))
    log_factor += -np.log(n + 1) - special.betaln(m + 1, n - m + 1)
    return log_pmf, log_factor


def log_median_at_most_zero(ordered: FloatArray) -> float:
    """log P(median* ≤ 0) of one sample.

    ordered (float array, shape (n,)): The sample, rising, at least one value.
    Returns: −∞ when all values are positive.

    Odd n: P(Bin(n, k/n) ≥ (n + 1)/2), k values at most 0. Even n = 2m: with I ≤ J the ranks of the two
    middle draws, Σ over i ≤ k of P(I = i) − P(I = i, J > j(i)), j(i) the number of values at most −z_(i) and
    P(I = i, J > j) = C(n, m)·[(i/n)^m − ((i−1)/n)^m]·((n−j)/n)^m. Cost O(n log n).
    """
    from scipy import special

    n = ordered.shape[0]
    k = int(np.searchsorted(ordered, 0.0, side="right"))
    if n % 2 or k in (0, n):
        return float(log_rank_cdf(n)[k])
    log_pmf, log_factor = _log_lower_rank(n)
    partners = np.searchsorted(ordered, -ordered[:k], side="right")
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond = log_factor[:k] + n // 2 * np.log((n - partners) / n)
        terms = log_pmf[:k] + np.log(-np.expm1(np.minimum(beyond - log_pmf[:k], 0.0)))
    # A rank without probability gives −∞ − (−∞).
    return min(0.0, float(special.logsumexp(np.where(np.isnan(terms), -np.inf, terms))))


def median_distribution(ordered: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values of median* in rising order with their probabilities.

    ordered (float array, shape (n,)): The sample, rising, at least one value.
    Returns: Values may repeat; probability below 1e-20 in all is left out.

    Even n: (z_(i) + z_(j))/2 with P(i, j) = C(n, m)·[(i/n)^m − ((i−1)/n)^m]·[((n−j+1)/n)^m − ((n−j)/n)^m]
    for i < j, and P(i, i) = P(I = i) − P(I = i, J > i). Cost O(√n) values.
    """
    n = ordered.shape[0]
    reach = int(np.ceil(_WINDOW * np.sqrt(n)))
    first, last = max(0, n // 2 - reach), min(n, n // 2 + reach)
    if n % 2:
        return ordered[first:last], np.diff(np.exp(log_rank_cdf(n)))[first:last]
    i, j, probabilities = _middle_pairs(n, first, last)
    values = (ordered[i] + ordered[j]) / 2
    order = np.argsort(values, kind="stable")
    return values[order], probabilities[order]


@lru_cache(maxsize=8)
def _middle_pairs(n: int, first: int, last: int) -> tuple[IntArray, IntArray, FloatArray]:
    """0-based ranks i ≤ j of the two middle draws for even n, with P(i, j)."""
    m = n // 2
    log_pmf, log_factor = _log_lower_rank(n)
    i, gap = np.meshgrid(np.arange(first, last), np.arange(_FARTHEST_NEIGHBOUR + 1), indexing="ij")
    j = i + gap
    inside = j < n
    i, j = i[inside].astype(np.int64), j[inside].astype(np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        at_least_j = m * np.log((n - j) / n)  # all m upper draws have rank j (0-based) or more
        beyond_j = m * np.log((n - j - 1) / n)
        pair = np.exp(log_factor[i] + at_least_j) * -np.expm1(beyond_j - at_least_j)
        same = np.exp(log_pmf[i]) - np.exp(log_factor[i] + beyond_j)
    return i, j, np.maximum(np.where(i == j, same, pair), 0.0)
