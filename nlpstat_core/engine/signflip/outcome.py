"""What the engine returns, and the one place where a tail becomes a p-value."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.errors import NlpstatError, unknown

ALTERNATIVES = ("two-sided", "greater", "less")
KINDS = ("exact", "contour", "asymptotic", "monte-carlo")
EXACT, CONTOUR, ASYMPTOTIC, MONTE_CARLO = range(len(KINDS))
SMALLEST_P = 5e-324
ROUNDED_FROM = 1e-3
LOG_2 = float(np.log(2.0))
LOG_10 = float(np.log(10.0))


@dataclass(frozen=True)
class Tail:
    """One tail probability of a sign-flip distribution.

    log_p: Natural logarithm of the probability.
    kind: How it was found: one of `KINDS`.
    error: Estimated relative error of the probability.
    """

    log_p: float
    kind: str
    error: float


@dataclass(frozen=True)
class TailColumns:
    """P-values of many pairs; all arrays have shape (n_pairs,).

    p_value: Between 5e-324 and 1; NaN where a pair has no unit at all.
    log10_p: Decimal logarithm of the p-value, also where the p-value itself underflows.
    kind: Position in `KINDS`.
    error: Estimated relative error of the p-value; for Monte Carlo its relative standard error.
    one_sided (ndarray, shape (n_pairs, 2), or None): Beside a two-sided p those of "greater" and "less", NaN
        where they were not found on the way; None beside a one-sided p.
    """

    p_value: FloatArray
    log10_p: FloatArray
    kind: CodeArray
    error: FloatArray
    one_sided: FloatArray | None = None


def joined_columns(parts: list[TailColumns]) -> TailColumns:
    """The columns of several groups of pairs, one after the other; at least one group."""
    if len(parts) == 1:
        return parts[0]
    return TailColumns(
        np.concatenate([part.p_value for part in parts]),
        np.concatenate([part.log10_p for part in parts]),
        np.concatenate([part.kind for part in parts]),
        np.concatenate([part.error for part in parts]),
        joined_sides([part.one_sided for part in parts]),
    )


def joined_sides(parts: list[FloatArray | None]) -> FloatArray | None:
    """One-sided p-values of several groups of pairs, one after the other; None where a group has none."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


def checked_alternative(alternative: str) -> str:
    """The alternative itself, if it is one.

    alternative: What the caller asked for.
    Raises NlpstatError: If it is not "two-sided", "greater" or "less".
    """
    if alternative not in ALTERNATIVES:
        raise NlpstatError(unknown("alternative", alternative, ALTERNATIVES))
    return alternative


def log_complement(log_p: FloatArray) -> FloatArray:
    """log(1 − p) from log p, for p at most 1.

    log_p: Natural logarithms of probabilities.
    Returns: Minus infinity where p is 1.
    """
    bounded = np.minimum(log_p, 0.0)
    with np.errstate(divide="ignore"):
        return np.where(bounded > -LOG_2, np.log(-np.expm1(bounded)), np.log1p(-np.exp(bounded)))


def p_from_tails(
    log_tail: FloatArray,
    kind: CodeArray,
    error: FloatArray,
    observed_sign: FloatArray,
    alternative: str,
) -> TailColumns:
    """P-values by the convention of every sign-flip test.

    Two-sided is min(1, 2·P(T ≥ |t|)) and 1 at t = 0. One-sided is P(T ≥ t) in the direction asked for,
    which for t ≤ 0 is 1 − P(T > |t|). So that nothing is computed twice, `log_tail` holds the tail that
    `strict_tails` asks for.

    log_tail (ndarray, shape (n_pairs,)): log P(T ≥ |t|), or log P(T > |t|) where `strict_tails` says so.
    kind, error (ndarray, shape (n_pairs,)): How each tail was found and its estimated relative error.
    observed_sign (ndarray, shape (n_pairs,)): Sign of the observed t; NaN where the pair has no unit.
    alternative: "two-sided", "greater" or "less".
    """
    if alternative == "two-sided":
        log_p = np.where(observed_sign == 0.0, 0.0, np.minimum(log_tail + LOG_2, 0.0))
    else:
        against = strict_tails(observed_sign, alternative)
        log_p = np.where(against, log_complement(log_tail), np.minimum(log_tail, 0.0))
        # The error of 1 − q is q/(1 − q) times that of q, at most the error of q itself since q ≤ 1/2.
        odds = np.exp(np.where(against, log_tail, 0.0) - np.where(against, log_p, 0.0))
        error = np.where(against, error * np.minimum(odds, 1.0), error)
    log_p = np.where(np.isnan(observed_sign), np.nan, log_p)
    return columns_from_log_p(log_p, kind, error)


def strict_tails(observed_sign: FloatArray, alternative: str) -> BoolArray:
    """Which pairs need P(T > |t|) rather than P(T ≥ |t|).

    observed_sign (ndarray, shape (n_pairs,)): Sign of the observed t.
    alternative: "two-sided", "greater" or "less".
    Returns ndarray of bool, shape (n_pairs,): True where a one-sided alternative looks away from the observed
        direction, or t = 0.
    """
    if alternative == "two-sided":
        return np.zeros(observed_sign.shape, dtype=np.bool_)
    return observed_sign <= 0.0 if alternative == "greater" else observed_sign >= 0.0


def p_from_log(log_p: FloatArray) -> FloatArray:
    """P-values from their natural logarithms: never 0, and free of the logarithm's rounding where it shows.

    log_p: At most 0; NaN stays NaN.
    Returns: At least 5e-324. From 0.001 up rounded to a multiple of 2^(−52), which few units have as their
        exact p-value: 0.25 and not 0.25000000000000006.
    """
    p_value = np.exp(log_p)
    rounded = np.where(p_value >= ROUNDED_FROM, np.rint(p_value * 2.0**52) * 2.0**-52, p_value)
    return np.asarray(np.maximum(rounded, SMALLEST_P), dtype=np.float64)


def columns_from_log_p(log_p: FloatArray, kind: CodeArray, error: FloatArray) -> TailColumns:
    """Package natural-log p-values; a p that underflows becomes 5e-324, never 0.

    log_p (ndarray, shape (n_pairs,)): Natural logarithms of p-values, at most 0.
    kind, error (ndarray, shape (n_pairs,)): Passed through.
    """
    return TailColumns(
        p_from_log(log_p), log_p / LOG_10, np.asarray(kind, dtype=np.int8), np.asarray(error, float)
    )
