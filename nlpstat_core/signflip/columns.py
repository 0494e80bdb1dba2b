"""Sign-flip p-values of all pairs at once."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import NlpstatError
from nlpstat_core.resampling.threads import in_order
from nlpstat_core.signflip.monte_carlo import monte_carlo_p
from nlpstat_core.signflip.outcome import (
    EXACT,
    LOG_2,
    LOG_10,
    MONTE_CARLO,
    TailColumns,
    checked_alternative,
    columns_from_log_p,
    joined_columns,
    p_from_tails,
    strict_tails,
)
from nlpstat_core.signflip.routes import ALL_PAIRS, RANKS, TIE_TOLERANCE, Effort
from nlpstat_core.signflip.settling import Problems, settle_all
from nlpstat_core.signflip.span import near_one, whole_multiples

# Few enough for the processor's cache through all routes.
ELEMENTS_AT_ONCE = 1 << 17


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
        a minus b (minus the hypothesised difference), metric points; NaN where the pair lacks the unit.
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.
    max_decimals : int, optional
        Decimals the scores were written with, if known; up to 9 are tried otherwise.
    seed, resamples : int
        Used only for pairs that need the Monte Carlo last resort.
    effort : Effort
        How far the exact routes go: by default real weights are enumerated up to 36 of them.

    Returns
    -------
    TailColumns
        P-values with logarithm, kind and relative error, each of shape (n_pairs,); NaN for a pair without
        units.

    Raises
    ------
    NlpstatError
        If the alternative is unknown or z is not a matrix of finite numbers and NaN.

    Notes
    -----
    T = Σ ±|z_i| and t = Σ z_i; two-sided p is min(1, 2·P(T ≥ |t|)). A pair's result depends on its own column
    alone. Equal weights are binomial, whole multiples of one step go to the lattice, few real weights are
    enumerated, the other pairs share one vectorised contour. Sums within 1e-12·Σ|z| of t count as ties.

    Examples
    --------
    >>> sign_flip_columns(np.array([[1.0, 0.5], [1.0, -0.5], [1.0, 0.0]])).p_value.tolist()
    [0.25, 1.0]
    """
    checked_alternative(alternative)
    if z.ndim != 2:
        raise NlpstatError("Differences must be a matrix with one row per unit and one column per pair.")
    n_pairs = z.shape[1]
    rows = max(1, ELEMENTS_AT_ONCE // max(1, z.shape[0]))

    def one(start: int) -> TailColumns:
        return _columns(z[:, start : start + rows], alternative, max_decimals, seed, resamples, effort)

    parts = list(in_order(one, range(0, max(1, n_pairs), rows)))
    return joined_columns(parts)


def weighted_sign_flip_columns(
    weights: FloatArray,
    t: FloatArray,
    alternative: str = "two-sided",
    *,
    seed: int = 0,
    resamples: int = 10_000,
) -> TailColumns:
    """Exact sign-flip p-values for whole-number weights, as in Wilcoxon's signed-rank test.

    Null hypothesis: the sign of each difference is fair and independent of its weight.

    Parameters
    ----------
    weights : ndarray, shape (n_units, n_pairs)
        Whole numbers, 0 for units that take no part; for midranks give twice the rank.
    t : ndarray, shape (n_pairs,)
        Σ sign·weight of each pair; for doubled ranks that is 2·(W⁺ − W⁻).
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.
    seed, resamples : int
        Used only for pairs that need the Monte Carlo last resort; ranks never do.

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
    Pairs with the same weights share one count. Cost O(n³) for up to 150 ranks, once for pairs without ties,
    and O(n^1.5 log n) for each pair beyond.

    Examples
    --------
    >>> ranks = np.array([[2.0], [4.0], [6.0]])
    >>> weighted_sign_flip_columns(ranks, np.array([12.0])).p_value.tolist()
    [0.25]
    """
    checked_alternative(alternative)
    sign = np.sign(t).astype(np.float64)
    problems = Problems.of(
        np.ascontiguousarray(weights.T, dtype=np.float64),
        np.abs(t).astype(np.float64),
        np.ones(t.shape, dtype=np.bool_),
        strict_tails(sign, alternative),
    )
    result = _solved(problems, sign, alternative, RANKS)
    direction = np.where(sign == 0.0, 1.0, sign)
    return _with_monte_carlo(result, problems, direction * problems.t, alternative, resamples, seed)


def _columns(
    z: FloatArray, alternative: str, max_decimals: int | None, seed: int, resamples: int, effort: Effort
) -> TailColumns:
    # One row per pair: sums along rows have the same digits for one pair as for many.
    rows = np.array(z.T, order="C", copy=True)
    missing = ~np.isfinite(rows)
    if np.any(np.isinf(rows[missing])):
        raise NlpstatError("Differences must be finite, or NaN where a pair lacks the unit.")
    absent = np.all(missing, axis=1)
    rows[missing] = 0.0
    multiples, whole = whole_multiples(rows, max_decimals)
    units = multiples if np.all(whole) else near_one(rows)
    units[whole] = multiples[whole]
    t = units.sum(axis=1)
    size = np.abs(units)
    sign = np.where(np.abs(t) <= np.where(whole, 0.0, TIE_TOLERANCE) * size.sum(axis=1), 0.0, np.sign(t))
    problems = Problems.of(size, np.abs(t), whole, strict_tails(sign, alternative))
    result = _solved(problems, np.where(absent, np.nan, sign), alternative, effort)
    return _with_monte_carlo(result, problems, t, alternative, resamples, seed)


def _solved(problems: Problems, sign: FloatArray, alternative: str, effort: Effort) -> TailColumns:
    if alternative == "two-sided":
        problems.settle(np.flatnonzero(~(np.abs(sign) > 0.0)), -LOG_2, EXACT, 0.0)
    settle_all(problems, effort)
    return p_from_tails(problems.log_tail, problems.kind, problems.error, sign, alternative)


def _with_monte_carlo(
    result: TailColumns,
    problems: Problems,
    observed: FloatArray,
    alternative: str,
    resamples: int,
    seed: int,
) -> TailColumns:
    """The same result with the pairs that no other route settled resampled."""
    pairs = problems.open_pairs()
    if pairs.size == 0:
        return result
    p_value, spread = monte_carlo_p(
        problems.weights[pairs].T, alternative, resamples, seed, observed=observed[pairs]
    )
    log_p, kind, error = result.log10_p * LOG_10, result.kind.copy(), result.error.copy()
    log_p[pairs], kind[pairs], error[pairs] = np.log(p_value), MONTE_CARLO, spread
    return columns_from_log_p(log_p, kind, error)
