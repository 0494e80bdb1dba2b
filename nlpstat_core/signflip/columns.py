"""Sign-flip p-values of all pairs at once: each pair goes to the route that settles it at the least cost."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.signflip.binomial import ROUNDING, log_upper_tails
from nlpstat_core.signflip.contour import log_tails_by_contour
from nlpstat_core.signflip.counting import log_at_most_counted
from nlpstat_core.signflip.monte_carlo import monte_carlo_p
from nlpstat_core.signflip.outcome import (
    CONTOUR,
    EXACT,
    LOG_2,
    MONTE_CARLO,
    TailColumns,
    checked_alternative,
    columns_from_log_p,
    p_from_tails,
    strict_tails,
)
from nlpstat_core.signflip.routes import (
    ALL_PAIRS,
    CONTOUR_TOLERANCE,
    LONGEST_COUNT,
    RANKS,
    TIE_TOLERANCE,
    WELL_PROVED,
    Effort,
    grouped,
    log_at_most,
)
from nlpstat_core.signflip.span import whole_multiples

OPEN = -1


class _Tails:
    """The tails of all pairs while they are being settled, route by route."""

    def __init__(self, sign: FloatArray, strict: BoolArray) -> None:
        self.log_tail = np.zeros(sign.shape)
        self.kind = np.full(sign.shape, OPEN, dtype=np.int8)
        self.error = np.zeros(sign.shape)
        self.sign = sign
        self.strict = strict

    def settle(
        self, pairs: NDArray[np.intp], log_tail: FloatArray | float, kind: int, error: FloatArray | float
    ) -> None:
        self.log_tail[pairs], self.kind[pairs], self.error[pairs] = log_tail, kind, error


def sign_flip_columns(
    z: FloatArray,
    alternative: str = "two-sided",
    *,
    max_decimals: int | None = None,
    seed: int = 0,
    resamples: int = 10_000,
    effort: Effort = ALL_PAIRS,
) -> TailColumns:
    """Sign-flip permutation test of the mean for many pairs.

    Null hypothesis: the differences of a pair are independent and symmetric about 0.

    Parameters
    ----------
    z : ndarray of float64, shape (n_units, n_pairs)
        a minus b (minus the hypothesised difference); NaN where the pair lacks the unit.
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.
    max_decimals : int, optional
        Decimals the scores were written with, if known; up to 9 are tried otherwise.
    seed, resamples : int
        Used only for pairs that need the Monte Carlo last resort.
    effort : Effort
        How far the exact routes go: by default weights without a lattice are enumerated up to 36 of them.

    Returns
    -------
    TailColumns
        P-values with logarithm, kind and relative error, each of shape (n_pairs,).

    Raises
    ------
    NlpstatError
        If the alternative is unknown.

    Notes
    -----
    A pair's result depends on its own column alone. Equal weights are binomial, whole multiples of one step
    go to the lattice, few real weights are enumerated, the other pairs share one vectorised contour.
    Identical lattice problems are computed once. Sums within 1e-12·Σ|z| of t count as ties.
    """
    checked_alternative(alternative)
    missing = np.isnan(z)
    absent = np.all(missing, axis=0)
    z = np.where(missing, 0.0, z) if np.any(missing) else z
    multiples, whole = whole_multiples(z, max_decimals)
    t = np.where(whole, multiples.sum(axis=0), z.sum(axis=0))
    sign = np.where(np.abs(t) <= TIE_TOLERANCE * np.abs(z).sum(axis=0) * ~whole, 0.0, np.sign(t))
    tails = _Tails(np.where(absent, np.nan, sign), strict_tails(sign, alternative))
    if alternative == "two-sided":
        tails.settle(np.flatnonzero(sign == 0.0), -LOG_2, EXACT, 0.0)
    alone = replace(effort, contour=False)
    _settle_whole(np.abs(multiples), np.abs(t), whole, tails, alone)
    weights = np.abs(np.where(whole, multiples, z))
    _settle_by_contour(weights, np.abs(t), whole, tails, effort.most_enumerated)
    _settle_one_by_one(weights, np.abs(t), whole, tails, effort)
    result = p_from_tails(tails.log_tail, tails.kind, tails.error, tails.sign, alternative)
    return _with_monte_carlo(result, z, np.flatnonzero(tails.kind == OPEN), alternative, resamples, seed)


def weighted_sign_flip_columns(
    weights: FloatArray, t: FloatArray, alternative: str = "two-sided"
) -> TailColumns:
    """Exact sign-flip p-values for whole-number weights, as in Wilcoxon's signed-rank test.

    Null hypothesis: the sign of each difference is fair and independent of its weight.

    Parameters
    ----------
    weights : ndarray, shape (n_units, n_pairs)
        Whole numbers, 0 for units that take no part; for midranks give twice the rank.
    t : ndarray, shape (n_pairs,)
        Σ sign·weight of each pair; for ranks doubled, W⁺ − W⁻ doubled.
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.

    Returns
    -------
    TailColumns
        All of kind "exact" unless a lattice is too large to invert.

    Raises
    ------
    NlpstatError
        If the alternative is unknown.

    Notes
    -----
    Pairs with the same weights share one count. With n untied ranks cost is O(n³) once for up to about 90
    of them, and O(n^1.5 log n) for each pair beyond.
    """
    checked_alternative(alternative)
    sign = np.sign(t).astype(float)
    tails = _Tails(sign, strict_tails(sign, alternative))
    if alternative == "two-sided":
        tails.settle(np.flatnonzero(sign == 0.0), -LOG_2, EXACT, 0.0)
    _settle_whole(np.asarray(weights, float), np.abs(t), np.ones(t.shape, np.bool_), tails, RANKS)
    return p_from_tails(tails.log_tail, tails.kind, tails.error, tails.sign, alternative)


def _settle_whole(
    weights: FloatArray, t: FloatArray, whole: BoolArray, tails: _Tails, effort: Effort
) -> None:
    """Pairs on a lattice: equal weights together, the rest sorted so that equal problems meet."""
    most = weights.max(axis=0, initial=0.0)
    n = np.count_nonzero(weights, axis=0)
    equal = whole & (weights.sum(axis=0) == n * most)
    pairs = np.flatnonzero(equal & (tails.kind == OPEN))
    reach = (n[pairs] + np.rint(t[pairs] / np.maximum(most[pairs], 1.0)).astype(np.int64)) // 2
    log_tail = log_upper_tails(n[pairs], reach + tails.strict[pairs])
    tails.settle(pairs, np.where(n[pairs] == 0, -np.inf, log_tail), EXACT, ROUNDING)
    pairs = np.flatnonzero(whole & ~equal & (tails.kind == OPEN))
    problems: dict[bytes, list[int]] = {}
    ordered = np.sort(weights[:, pairs].T, axis=1)
    for position, row in enumerate(ordered):
        problems.setdefault(row.tobytes(), []).append(position)
    for positions in problems.values():
        same = pairs[positions]
        _settle_same_weights(ordered[positions[0]], t[same], same, tails, effort)


def _settle_same_weights(
    weights: FloatArray, t: FloatArray, pairs: NDArray[np.intp], tails: _Tails, effort: Effort
) -> None:
    """Pairs whose whole-number weights are the same: one count serves them all, if counting is cheap."""
    limits = ((weights.sum() - t) / 2.0 - tails.strict[pairs]).astype(np.int64)
    n = np.count_nonzero(weights)
    if pairs.size > 1 and n <= WELL_PROVED and n * int(limits.max()) <= LONGEST_COUNT:
        tails.settle(pairs, log_at_most_counted(weights[weights > 0.0], limits), EXACT, ROUNDING)
        return
    values, counts = grouped(weights)
    for limit in np.unique(limits).tolist():
        same = pairs[limits == limit]
        settled = log_at_most(values, counts, limit + 0.5, True, effort)
        if settled is not None:
            tails.settle(same, settled.log_p, settled.kind, settled.error)


def _settle_by_contour(
    weights: FloatArray, t: FloatArray, whole: BoolArray, tails: _Tails, most_enumerated: int
) -> None:
    """All pairs still open with too many weights to enumerate share one contour."""
    n = np.count_nonzero(weights, axis=0)
    reached = t + 2.0 * (whole & tails.strict)
    inside = reached < weights.sum(axis=0) * (1.0 - TIE_TOLERANCE)
    pairs = np.flatnonzero((tails.kind == OPEN) & (n > most_enumerated) & inside)
    if pairs.size == 0:
        return
    step = np.where(whole[pairs], 2.0, 0.0)
    log_tail, error = log_tails_by_contour(np.sort(weights[:, pairs].T, axis=1), reached[pairs], step)
    good = error <= CONTOUR_TOLERANCE
    tails.settle(pairs[good], log_tail[good], CONTOUR, error[good])


def _settle_one_by_one(
    weights: FloatArray, t: FloatArray, whole: BoolArray, tails: _Tails, effort: Effort
) -> None:
    """Few real weights, and pairs whose contour did not converge, each on its own."""
    for pair in np.flatnonzero(tails.kind == OPEN):
        own = np.sort(weights[weights[:, pair] > 0.0, pair])
        total, side = float(own.sum()), -1.0 if tails.strict[pair] else 1.0
        limit = (total - float(t[pair])) / 2.0 + side * (0.5 if whole[pair] else TIE_TOLERANCE * total)
        settled = log_at_most(own, np.ones(own.size), limit, bool(whole[pair]), effort) if own.size else None
        if settled is not None:
            tails.settle(np.array([pair]), settled.log_p, settled.kind, settled.error)


def _with_monte_carlo(
    result: TailColumns, z: FloatArray, pairs: NDArray[np.intp], alternative: str, resamples: int, seed: int
) -> TailColumns:
    """The same result with the pairs that no other route settled resampled."""
    if pairs.size == 0:
        return result
    p_value, error = monte_carlo_p(z[:, pairs], alternative, resamples, seed)
    log_p, kind = result.log10_p * math.log(10.0), result.kind.copy()
    log_p[pairs], kind[pairs] = np.log(p_value), MONTE_CARLO
    errors = result.error.copy()
    errors[pairs] = error
    return columns_from_log_p(log_p, kind, errors)
