"""Tails of the fair-coin binomial: sign test, McNemar's exact test, and every pair with equal weights."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.signflip.outcome import (
    EXACT,
    LOG_2,
    TailColumns,
    checked_alternative,
    p_from_tails,
    strict_tails,
)
from nlpstat_core.errors import NlpstatError

ROUNDING = 1e-13
SMALLEST_DIRECT = 1e-280


def binomial_tail_columns(wins: ArrayLike, losses: ArrayLike, alternative: str = "two-sided") -> TailColumns:
    """Exact sign test (McNemar's exact test) of many pairs from their wins and losses.

    Null hypothesis: a win and a loss are equally probable in every untied unit.

    wins, losses (array_like of int, shape (n_pairs,)): Units in which a is above b, and below.
    alternative: About a relative to b.
    Returns: All of kind "exact"; 1 for a pair with neither wins nor losses.
    Raises NlpstatError: If a count is negative or not whole, the shapes differ, or the alternative is
        unknown.

    With k the larger count of n = wins + losses, two-sided is min(1, 2·P(Bin(n, ½) ≥ k)); "greater" is
    P(Bin(n, ½) ≥ wins). Each distinct (n, k) is computed once. Cost O(n_pairs log n_pairs).

    Examples
    --------
    >>> binomial_tail_columns([5], [0]).p_value.tolist()
    [0.0625]
    """
    checked_alternative(alternative)
    up, down = _checked_counts(wins), _checked_counts(losses)
    if up.shape != down.shape:
        raise NlpstatError(f"Wins have shape {up.shape} but losses {down.shape}; give one of each per pair.")
    sign = np.sign(up - down).astype(float)
    tail = log_upper_tails(up + down, np.maximum(up, down) + strict_tails(sign, alternative))
    return p_from_tails(
        tail, np.full(up.shape, EXACT, np.int8), np.full(up.shape, ROUNDING), sign, alternative
    )


def log_upper_tails(n: IntArray, k: IntArray) -> FloatArray:
    """log P(Bin(n, ½) ≥ k) for k of at least n/2, in full relative accuracy however small.

    n, k (ndarray of int64, shape (n_pairs,)): Trials, and the count to reach.
    Returns ndarray, shape (n_pairs,): Minus infinity where k > n.

    The incomplete beta function where it does not underflow; beyond, the probability of k itself in
    Loader's saddle-point form times the sum of ratios of successive probabilities.

    References
    ----------
    Loader, C. (2000). Fast and accurate computation of binomial probabilities.
    """
    n, k = np.asarray(n), np.maximum(k, 0)
    width = int(k.max(initial=0)) + 1  # one whole number per (n, k): sorting these is ten times as fast
    distinct, back = np.unique(n * width + k, return_inverse=True)
    trials, reach = distinct // width, distinct % width
    log_tail = np.full(trials.shape, -np.inf)
    log_tail[reach <= 0] = 0.0
    inside = np.flatnonzero((reach > 0) & (reach <= trials))
    direct = betainc(reach[inside], trials[inside] - reach[inside] + 1.0, 0.5)
    plain = direct > SMALLEST_DIRECT
    log_tail[inside[plain]] = np.log(direct[plain])
    for position in inside[~plain]:
        log_tail[position] = _far_log_tail(int(trials[position]), int(reach[position]))
    result: FloatArray = log_tail[back.reshape(-1)].reshape(np.shape(n))
    return result


def _far_log_tail(n: int, k: int) -> float:
    """log P(Bin(n, ½) ≥ k) far in the tail: log of the first probability plus log of the ratio series."""
    if k == n:
        return -n * LOG_2
    ratios = np.arange(n - k, 0, -1) / np.arange(k + 1.0, n + 1.0)
    series = 1.0 + float(np.sum(np.cumprod(ratios)))
    first = (
        _stirling_error(n)
        - _stirling_error(k)
        - _stirling_error(n - k)
        - _deviance(k, n / 2)
        - _deviance(n - k, n / 2)
        + 0.5 * np.log(n / (2.0 * np.pi * k * (n - k)))
    )
    return float(first + np.log(series))


def _stirling_error(n: int) -> float:
    """log n! minus Stirling's formula."""
    if n < 16:
        exact = float(np.sum(np.log(np.arange(1, n + 1))))
        return exact - (n + 0.5) * float(np.log(n)) + n - 0.5 * float(np.log(2.0 * np.pi))
    square = float(n) * n
    tail = 1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360360 / square) / square) / square
    return (1 / 12 - (1 / 360 - tail / square) / square) / n


def _deviance(x: float, mean: float) -> float:
    """x·log(x/mean) + mean − x without cancellation near x = mean."""
    return float(x * np.log1p((x - mean) / mean) + mean - x)


def _checked_counts(counts: ArrayLike) -> IntArray:
    given = np.asarray(counts)
    whole = given.astype(np.int64)
    if np.any(whole != given) or np.any(whole < 0):
        raise NlpstatError("Wins and losses must be whole numbers of items, 0 or more.")
    return whole
