"""What procedures on columns return: one entry per pair, never an object per pair."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.signflip import TailColumns

P_KINDS = ("exact", "contour", "asymptotic", "monte-carlo")
EXACT, CONTOUR, ASYMPTOTIC, MONTE_CARLO = range(4)
SMALLEST_P = 5e-324


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcomes:
    """Result of one significance test on a batch of pairs; all arrays have shape (n_pairs,).

    p_value: In [5e-324, 1]; NaN where the test is undefined.
    p_kind: Positions in `P_KINDS`.
    direction: +1 where the test's own statistic favours larger scores of a, −1 of b, 0 neither.
    error: Relative error estimate of p (contour) or its Monte Carlo standard error; 0 when exact.
    interval (float array, shape (n_pairs, 2), or None): Interval for the mean difference that belongs to the
        test; None means Student's t.
    notes: Note codes and the pairs they concern.
    freedom: Degrees of freedom where every pair has its own.
    one_sided (float array, shape (n_pairs, 2), or None): Beside a two-sided p those of "greater" and "less",
        NaN where they did not come along.
    """

    statistic: FloatArray
    p_value: FloatArray
    log10_p: FloatArray
    p_kind: CodeArray
    direction: CodeArray
    error: FloatArray
    interval: FloatArray | None = None
    notes: dict[str, BoolArray] = field(default_factory=dict)
    freedom: FloatArray | None = None
    one_sided: FloatArray | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class EffectColumns:
    """One effect size for a batch of pairs.

    value (float array, shape (n_pairs,)): NaN where undefined.
    interval (float array, shape (n_pairs, 2), or None): None when it was not asked for.
    largest (float array, shape (n_pairs,), or None): Largest absolute value that data like these could reach,
        where that is below 1.
    """

    value: FloatArray
    interval: FloatArray | None = None
    notes: dict[str, BoolArray] = field(default_factory=dict)
    largest: FloatArray | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class EstimateColumns:
    """The quantity a test is about, with its interval, for a batch of pairs.

    of: What it estimates: "mean", "median", "pseudo-median" ….
    value (float array, shape (n_pairs,)).
    interval (float array, shape (n_pairs, 2)).
    achieved (float array, shape (n_pairs,), or None): Level really covered by an interval between order
        statistics; None where it is the level asked for.
    """

    of: str
    value: FloatArray
    interval: FloatArray
    notes: dict[str, BoolArray] = field(default_factory=dict)
    achieved: FloatArray | None = None


SignificanceRun = Callable[[PairBatch, AnalysisConfig], Outcomes]
IntervalRun = Callable[[PairBatch, AnalysisConfig, Outcomes], Outcomes]
EstimateRun = Callable[[PairBatch, AnalysisConfig], EstimateColumns]
EffectRun = Callable[[PairBatch, AnalysisConfig, bool], EffectColumns]


def outcomes(
    statistic: FloatArray,
    log_p: FloatArray,
    direction: FloatArray,
    *,
    kind: int | CodeArray = ASYMPTOTIC,
    error: FloatArray | None = None,
    interval: FloatArray | None = None,
    notes: dict[str, BoolArray] | None = None,
    freedom: FloatArray | None = None,
) -> Outcomes:
    """Outcomes from natural logarithms of p: caps p at 1 and at the smallest double above 0.

    statistic, log_p, direction (float arrays, shape (n_pairs,)): `direction` counts by its sign.
    kind: Position in `P_KINDS`.
    interval (float array, shape (n_pairs, 2), or None).
    freedom (float array, shape (n_pairs,), or None).
    """
    capped = np.minimum(log_p, 0.0)
    with np.errstate(under="ignore"):
        p_value = np.where(np.isnan(capped), np.nan, np.maximum(np.exp(capped), SMALLEST_P))
    n_pairs = statistic.shape[0]
    return Outcomes(
        statistic=statistic,
        p_value=p_value,
        log10_p=capped / np.log(10.0) + 0.0,
        p_kind=np.full(n_pairs, kind, dtype=np.int8) if isinstance(kind, int) else kind,
        direction=np.where(np.isnan(direction), 0, np.sign(direction)).astype(np.int8),
        error=np.zeros(n_pairs) if error is None else error,
        interval=interval,
        notes=notes or {},
        freedom=freedom,
    )


def outcomes_from_tails(
    statistic: FloatArray,
    tails: TailColumns,
    direction: FloatArray,
    notes: dict[str, BoolArray] | None = None,
) -> Outcomes:
    """Outcomes from the p-values of the sign-flip engine.

    statistic (float array, shape (n_pairs,)).
    direction (float array, shape (n_pairs,)): Counts by its sign.
    """
    return Outcomes(
        statistic=statistic,
        p_value=tails.p_value,
        log10_p=tails.log10_p + 0.0,
        p_kind=tails.kind.astype(np.int8),
        direction=np.where(np.isnan(direction), 0, np.sign(direction)).astype(np.int8),
        error=tails.error,
        notes=notes or {},
        one_sided=tails.one_sided,
    )


def undefined_outcomes(n_pairs: int, code: str, interval: FloatArray | None = None) -> Outcomes:
    """Outcomes of a test that is undefined for every pair.

    code: Note that says why.
    interval (float array, shape (n_pairs, 2), or None): For tests whose interval is not Student's t.
    """
    nothing = np.full(n_pairs, np.nan)
    notes = {code: np.ones(n_pairs, dtype=bool)}
    return outcomes(nothing, nothing, nothing, interval=interval, notes=notes)
