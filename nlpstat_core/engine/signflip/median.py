"""The permutation test of the median of the differences, in closed form."""

from functools import lru_cache
from typing import Literal

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.binomial import ROUNDING, log_upper_tails
from nlpstat_core.engine.signflip.outcome import (
    EXACT,
    LOG_2,
    TailColumns,
    checked_alternative,
    joined_columns,
    p_from_tails,
    strict_tails,
)
from nlpstat_core.engine.signflip.span import whole_multiples
from nlpstat_core.stopping import stop_if_asked

TIE_TOLERANCE = 1e-12
# Few enough for the processor's cache.
ELEMENTS_AT_ONCE = 1 << 16


def permutation_median_columns(
    z: FloatArray, alternative: str = "two-sided", *, max_decimals: int | None = None
) -> TailColumns:
    """Sign-flip permutation test of the median difference, for many pairs.

    Null hypothesis: the differences of a pair are independent and symmetric about 0.

    z (ndarray of float64, shape (n_units, n_pairs)): a minus b (minus the hypothesised difference); NaN where
        the pair lacks the unit.
    alternative: About a relative to b.
    max_decimals: Decimals the scores were written with, if known; up to 9 are tried otherwise.
    Returns: All of kind "exact"; NaN for a pair without units.
    Raises NlpstatError: If the alternative is unknown.

    With a_1 ≤ … ≤ a_n the sorted |z| and t > 0 the observed median: for odd n, P(median* ≥ t) is
    P(Bin(k, ½) ≥ (n + 1)/2) with k = #{a_i ≥ t}. For n = 2m the upper of the two middle values is a_j with
    probability C(n − j, m − 1)·2^(−(n−j+1)), and the lower one reaches c = 2t − a_j surely if some i < j has
    −a_i ≥ c, else with probability 1 − 2^(−r), r = #{i < j: a_i ≥ c}. For P(median* > t) every ≥ is strict.
    Cost O(n log n) per pair.

    Examples
    --------
    >>> permutation_median_columns(np.array([[1.0], [2.0], [3.0]])).p_value.tolist()
    [0.5]
    """
    checked_alternative(alternative)
    pairs = max(1, ELEMENTS_AT_ONCE // max(1, z.shape[0]))
    starts = range(0, max(1, z.shape[1]), pairs)
    return joined_columns(
        [_columns(z[:, start : start + pairs], alternative, max_decimals) for start in starts]
    )


def _columns(z: FloatArray, alternative: str, max_decimals: int | None) -> TailColumns:
    stop_if_asked()
    n = np.count_nonzero(~np.isnan(z), axis=0)
    multiples, whole = whole_multiples(np.ascontiguousarray(np.nan_to_num(z).T), max_decimals)
    values = np.where(np.isnan(z), np.nan, np.where(whole, multiples.T, z))
    size = np.sort(np.abs(values).T, axis=1)
    twice = _twice_the_median(values, n)
    tolerance = np.where(
        whole | (n == 0), 0.0, TIE_TOLERANCE * np.abs(np.nan_to_num(values)).max(axis=0, initial=0.0)
    )
    sign = np.where(np.abs(twice) <= 2.0 * tolerance, 0.0, np.sign(twice))
    strict = strict_tails(sign, alternative)
    shift = np.where(strict, tolerance, -tolerance)
    log_tail = np.full(n.shape, -LOG_2)
    odd = np.flatnonzero(n % 2 == 1)
    far = _beyond(size[odd], (np.abs(twice) / 2.0 + shift)[odd, None], strict[odd, None])
    log_tail[odd] = log_upper_tails(np.count_nonzero(far, axis=1), (n[odd] + 1) // 2)
    for pair in np.flatnonzero((n % 2 == 0) & (n > 0)):
        row = size[pair, : n[pair]]
        log_tail[pair] = _even_log_tail(row, float(abs(twice[pair])), float(shift[pair]), bool(strict[pair]))
    kind = np.full(n.shape, EXACT, dtype=np.int8)
    sign = np.where(n == 0, np.nan, sign)
    return p_from_tails(log_tail, kind, np.full(n.shape, ROUNDING), sign, alternative)


def _twice_the_median(values: FloatArray, n: FloatArray) -> FloatArray:
    """Sum of the two middle values (the middle one twice), 0 for a pair without units; NaN sorts last."""
    if values.shape[0] == 0:
        return np.zeros(n.shape)
    ordered = np.sort(values, axis=0)
    columns = np.arange(n.size)
    low = ordered[np.maximum((n - 1) // 2, 0), columns]
    high = ordered[np.minimum(n // 2, values.shape[0] - 1), columns]
    return np.asarray(np.where(n == 0, 0.0, low + high), dtype=np.float64)


def _beyond(size: FloatArray, bound: FloatArray, strict: BoolArray) -> BoolArray:
    """size ≥ bound, or size > bound where strict; NaN is never beyond."""
    return np.asarray(np.where(strict, size > bound, size >= bound), dtype=np.bool_)


def _even_log_tail(size: FloatArray, twice: float, shift: float, strict: bool) -> float:
    """log P(median* ≥ twice/2) for an even number of sorted sizes; `shift` is the tie tolerance, signed."""
    half = size.size // 2
    side: Literal["left", "right"] = "right" if strict else "left"
    first = int(np.searchsorted(size, twice / 2.0 + shift, side=side))
    upper = np.arange(first, half + 1)
    if upper.size == 0:
        return -np.inf
    bound = twice - size[upper] + 2.0 * shift
    above = upper - np.searchsorted(size, bound, side=side)
    surely = -size[0] > bound if strict else -size[0] >= bound
    with np.errstate(divide="ignore"):
        log_reach = np.where(surely, 0.0, np.log(-np.expm1(-LOG_2 * np.maximum(above, 0))))
    log_reach = np.where(upper == 0, -np.inf, log_reach)
    terms = _log_upper_middle(size.size)[upper] + log_reach
    most = float(terms.max())
    return most + float(np.log(np.sum(np.exp(terms - most)))) if most > -np.inf else most


@lru_cache(maxsize=8)
def _log_upper_middle(n: int) -> FloatArray:
    """log P(the upper middle value is a_{j+1}) for j = 0 … n/2, n even.

    Successive ratios are added up from the end, where the probability is 2^(−n/2), in extended precision:
    differences of log-factorials would cost four digits at n = 10,000.
    """
    half = n // 2
    ahead = np.arange(1, half + 1, dtype=np.longdouble)
    ratios = np.log((half - 1 + ahead) / (2 * ahead))
    backwards = np.concatenate([np.zeros(1, dtype=np.longdouble), np.cumsum(ratios)]) - half * np.log(
        np.longdouble(2)
    )
    return np.asarray(backwards[::-1], dtype=np.float64)
