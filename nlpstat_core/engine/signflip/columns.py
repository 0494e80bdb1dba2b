"""Sign-flip p-values of all pairs at once."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.resampling.threads import in_order
from nlpstat_core.engine.signflip.effort import ALL_PAIRS, RANKS, Effort
from nlpstat_core.engine.signflip.outcome import (
    EXACT,
    LOG_2,
    TailColumns,
    checked_alternative,
    joined_columns,
    p_from_tails,
    strict_tails,
)
from nlpstat_core.engine.signflip.routes import TIE_TOLERANCE
from nlpstat_core.engine.signflip.rows import rows_of
from nlpstat_core.engine.signflip.settling import Problems, settle_all
from nlpstat_core.engine.signflip.span import scale_to_one, whole_multiples
from nlpstat_core.errors import NlpstatError

SIDES = ("greater", "less")
# Largest differences below this, and above one over it, stay as they are.
USUAL_SIZES = 2.0**64
# Few enough for the processor's cache through all routes.
ELEMENTS_AT_ONCE = 1 << 19


def sign_flip_columns(
    z: FloatArray,
    alternative: str = "two-sided",
    *,
    max_decimals: int | None = None,
    seed: int = 0,
    resamples: int = 10_000,
    effort: Effort = ALL_PAIRS,
    sides: bool = False,
) -> TailColumns:
    """Sign-flip permutation test of the mean for many pairs.

    Null hypothesis: the differences of a pair are independent and symmetric about 0.

    z (ndarray of float64, shape (n_units, n_pairs)): a minus b (minus the hypothesised difference), metric
        points; NaN where the pair lacks the unit.
    alternative: About a relative to b.
    max_decimals: Decimals the scores were written with, if known; up to 9 are tried otherwise.
    seed, resamples: Of the random signs, and how many at least, for pairs that no other route settles to half
        a percent, or to what the signs would.
    effort: How far the exact routes go: by default real weights are enumerated up to 36 of them.
    sides: Whether all pairs have their one-sided p-values beside the two-sided one.
    Returns: P-values with logarithm, kind and relative error, each of shape (n_pairs,); NaN for a pair
        without units.
    Raises NlpstatError: If the alternative is unknown or z is not a matrix of finite numbers and NaN.

    T = Σ ±|z_i| and t = Σ z_i; two-sided p is min(1, 2·P(T ≥ |t|)). A pair's result depends on its own column
    alone. Equal weights are binomial, whole multiples of one step go to the lattice, few real weights are
    enumerated, the other pairs share one vectorised contour, and those for which it does not converge are
    counted on a grid. Sums within 1e-12·Σ|z| of t count as ties.

    Examples
    --------
    >>> sign_flip_columns(np.array([[1.0, 0.5], [1.0, -0.5], [1.0, 0.0]])).p_value.tolist()
    [0.25, 1.0]
    """
    checked_alternative(alternative)
    if z.ndim != 2:
        raise NlpstatError("Differences must be a matrix with one row per item and one column per pair.")
    n_units, n_pairs = z.shape

    def rows(part: slice) -> FloatArray:
        return np.array(z[:, part].T, order="C", copy=True)

    return sign_flip_rows(
        rows,
        n_pairs,
        n_units,
        alternative,
        max_decimals=max_decimals,
        seed=seed,
        resamples=resamples,
        effort=effort,
        sides=sides,
    )


def sign_flip_rows(
    rows: Callable[[slice], FloatArray],
    n_pairs: int,
    n_units: int,
    alternative: str = "two-sided",
    *,
    by_size: bool = False,
    max_decimals: int | None = None,
    seed: int = 0,
    resamples: int = 10_000,
    effort: Effort = ALL_PAIRS,
    sides: bool = False,
) -> TailColumns:
    """`sign_flip_columns` of differences that are made where they are needed, a few pairs at a time.

    rows: From a slice of the pairs to a new array of shape (pairs, n_units); called in several threads.
    by_size: Whether the differences of each row come with rising sizes.
    max_decimals, seed, resamples, effort, sides: As for `sign_flip_columns`.
    Raises NlpstatError: If the alternative is unknown or a difference infinite.
    """
    checked_alternative(alternative)
    at_once = max(1, ELEMENTS_AT_ONCE // max(1, n_units))

    def one(start: int) -> TailColumns:
        part = slice(start, min(start + at_once, n_pairs))
        drawing = replace(effort, seed=seed, resamples=resamples)
        return _tails(rows(part), alternative, max_decimals, drawing, sides, by_size)

    return joined_columns(list(in_order(one, range(0, max(1, n_pairs), at_once))))


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

    weights (ndarray, shape (n_units, n_pairs)): Whole numbers, 0 for units that take no part; for midranks
        give twice the rank.
    t (ndarray, shape (n_pairs,)): Σ sign·weight of each pair; for doubled ranks that is 2·(W⁺ − W⁻).
    alternative: About a relative to b.
    seed, resamples: Of the random signs, and how many at least, for the last resort; ranks never need it.
    Returns: All of kind "exact" unless a lattice is too large to invert.
    Raises NlpstatError: If the alternative is unknown.

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
        np.sort(weights.T.astype(np.float64), axis=1),
        np.abs(t).astype(np.float64),
        np.ones(t.shape, dtype=np.bool_),
        strict_tails(sign, alternative),
    )
    return _solved(problems, sign, alternative, replace(RANKS, seed=seed, resamples=resamples))


def _tails(
    rows: FloatArray,
    alternative: str,
    max_decimals: int | None,
    effort: Effort,
    sides: bool,
    by_size: bool,
) -> TailColumns:
    """Tails of some pairs, one row each: sums along rows have the same digits for one pair as for many."""
    absent = _without_missing(rows)
    multiples, whole = whole_multiples(rows, max_decimals)
    rows[whole] = multiples[whole]
    t = rows.sum(axis=1)
    size = np.abs(rows, out=rows)
    if not by_size:
        size.sort(axis=1)
    if not np.all(whole):
        # Only so far as powers neither overflow nor vanish: returns of φ are looked for in the scores' unit.
        largest = size[:, -1] if size.shape[1] else t
        usual = whole | ((largest > 1.0 / USUAL_SIZES) & (largest < USUAL_SIZES))
        scale = np.where(usual, 1.0, scale_to_one(largest))
        size *= scale[:, None]
        t *= scale
    sign = np.where(np.abs(t) <= np.where(whole, 0.0, TIE_TOLERANCE) * size.sum(axis=1), 0.0, np.sign(t))
    problems = Problems.of(size, np.abs(t), whole, strict_tails(sign, alternative))
    return _solved(problems, np.where(absent, np.nan, sign), alternative, effort, sides)


def _without_missing(rows: FloatArray) -> BoolArray:
    """Zeros for missing differences, in place; which pairs have none at all."""
    with np.errstate(invalid="ignore", over="ignore"):
        finite = np.isfinite(rows.sum(axis=1))
    if np.all(finite) and rows.shape[1]:
        return np.zeros(rows.shape[0], dtype=np.bool_)
    missing = ~np.isfinite(rows)
    if np.any(np.isinf(rows[missing])):
        raise NlpstatError("Differences must be finite, or NaN where a pair lacks the item.")
    rows[missing] = 0.0
    return np.asarray(np.all(missing, axis=1), dtype=np.bool_)


def _solved(
    problems: Problems, sign: FloatArray, alternative: str, effort: Effort, sides: bool = False
) -> TailColumns:
    if alternative == "two-sided":
        problems.settle(np.flatnonzero(~(np.abs(sign) > 0.0)), -LOG_2, EXACT, 0.0)
    settle_all(problems, effort)
    found = p_from_tails(problems.log_tail, problems.kind, problems.error, sign, alternative)
    if alternative != "two-sided":
        return found
    if sides:
        _add_strict(problems, effort)
    return replace(found, one_sided=_one_sided(problems, sign))


def _add_strict(problems: Problems, effort: Effort) -> None:
    """P(T > t) of the pairs for which it did not come along with P(T ≥ t), in place."""
    left = np.flatnonzero(np.isnan(problems.log_strict))
    strict = np.ones(left.shape, dtype=np.bool_)
    own = Problems.of(rows_of(problems.weights, left), problems.t[left], problems.whole[left], strict)
    settle_all(own, effort)
    problems.log_strict[left] = own.log_tail


def _one_sided(problems: Problems, sign: FloatArray) -> FloatArray:
    """P-values of "greater" and of "less", shape (n_pairs, 2); NaN where one of the tails is not known."""
    both = []
    for side in SIDES:
        log_tail = np.where(strict_tails(sign, side), problems.log_strict, problems.log_tail)
        both.append(p_from_tails(log_tail, problems.kind, problems.error, sign, side).p_value)
    return np.stack(both, axis=1)
