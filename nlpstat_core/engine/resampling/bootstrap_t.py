"""From resampled t statistics to a bootstrap test and the interval that agrees with it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import MONTE_CARLO, Outcomes, outcomes
from nlpstat_core.engine.distributions.tails import one_sided
from nlpstat_core.engine.resampling import monte_carlo_p, one_blas_thread, reached, standard_error
from nlpstat_core.engine.resampling.monte_carlo import critical_values
from nlpstat_core.engine.resampling.studentised import MOST_FLAT, ObservedT, pair_parts, tail_values
from nlpstat_core.stopping import stop_if_asked

Tails = Literal["symmetric", "equal"]
ResampledT = Callable[[PairBatch, int, int], Iterator[tuple[slice, FloatArray]]]
# Statistics ordered and counted at a time (1 MB).
_CELLS = 131_072
# How large values of t* are extreme: both signs, positive, negative.
_SIDES = {"two-sided": (0,), "greater": (1,), "less": (-1,), "equal": (1, -1)}


def studentised_outcomes(
    batch: PairBatch,
    config: AnalysisConfig,
    estimate: FloatArray,
    observed: ObservedT,
    resampled: ResampledT,
    *,
    tails: Tails = "symmetric",
) -> Outcomes:
    """A studentised bootstrap test from its observed and resampled t statistics.

    batch: At least two units.
    config: `alternative`, `level`, `resamples`, `seed`.
    estimate (float array, shape (n_pairs,)): The difference that is tested, metric points.
    observed: Its t statistics.
    resampled (callable (batch, resamples, seed)): Yields (resamples, t* of shape (n_pairs, resamples)); NaN
        where a resample has no spread.
    tails: How two sides share the error: by |t*|, or half of it each by t*.
    Returns: With the bootstrap-t interval of `estimate`; notes "no-spread" and "flat-resamples".

    Symmetric: p = (1 + #{|t*| ≥ |t|})/(B + 1), interval d ± q·se with q the ⌈level·(B + 1)⌉-th smallest |t*|.
    Equal: p = 2·min of the one-sided p-values, interval [d − q_u·se, d + q_l·se].

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 12 and 16.
    """
    equal = tails == "equal" and config.alternative == "two-sided"
    sides = _SIDES["equal" if equal else config.alternative]
    mass = (1 + config.level) / 2 if equal else config.level
    extreme = np.zeros((len(sides), batch.n_pairs), dtype=np.int64)
    critical = np.empty((len(sides), batch.n_pairs))
    flat = np.zeros(batch.n_pairs, dtype=np.int64)
    with one_blas_thread():
        for part, t_star in _few_pairs(batch, config, resampled):
            flat[part] = np.count_nonzero(np.isnan(t_star), axis=1)
            for row, side in enumerate(sides):
                own = tail_values(observed.t[part], side)
                values = tail_values(t_star, side)
                values[np.isnan(values)] = np.inf
                extreme[row, part] = np.count_nonzero(reached(values, own, observed.tolerance[part]), axis=1)
                critical[row, part] = critical_values(values, mass)
    p_value = np.minimum(monte_carlo_p(extreme, config.resamples).min(axis=0) * len(sides), 1.0)
    interval = _interval(estimate, observed, critical, config)
    return _outcomes(estimate, config, observed, p_value, interval, flat)


def _few_pairs(
    batch: PairBatch, config: AnalysisConfig, resampled: ResampledT
) -> Iterator[tuple[slice, FloatArray]]:
    """All pairs, few enough at a time for the processor's cache: (pairs, t* in all resamples)."""
    step = max(1, _CELLS // config.resamples)
    for whole in pair_parts(batch.n_pairs, batch.n_units, config.resamples):
        t_star = _all_resamples(batch.take(np.arange(whole.start, whole.stop)), config, resampled)
        for first in range(0, t_star.shape[0], step):
            stop_if_asked()
            rows = t_star[first : first + step]
            yield slice(whole.start + first, whole.start + first + rows.shape[0]), rows


def _all_resamples(batch: PairBatch, config: AnalysisConfig, resampled: ResampledT) -> FloatArray:
    """t* of all resamples, shape (n_pairs, resamples)."""
    t_star = np.empty((batch.n_pairs, config.resamples))
    for which, t in resampled(batch, config.resamples, config.seed):
        t_star[:, which] = t
    return t_star


def _interval(
    estimate: FloatArray, observed: ObservedT, critical: FloatArray, config: AnalysisConfig
) -> FloatArray:
    """Bootstrap-t interval of the estimate from the critical values of its one or two sides."""
    spread = observed.standard_error > 0
    # Without spread an interval is the point itself where that point is the null value, else undefined.
    margin = np.where(spread, critical * np.where(spread, observed.standard_error, 1.0), observed.t)
    return one_sided(estimate - margin[0], estimate + margin[-1], config.alternative)


def _outcomes(
    estimate: FloatArray,
    config: AnalysisConfig,
    observed: ObservedT,
    p_value: FloatArray,
    interval: FloatArray,
    flat: IntArray,
) -> Outcomes:
    undefined = np.isnan(observed.t)
    p_value = np.where(undefined, np.nan, p_value)
    spread = observed.standard_error > 0
    result = outcomes(
        estimate,
        np.log(p_value),
        observed.t,
        kind=MONTE_CARLO,
        error=standard_error(p_value, config.resamples),
        interval=interval,
        notes={"no-spread": undefined, "flat-resamples": spread & (flat > MOST_FLAT * config.resamples)},
    )
    return replace(result, p_value=p_value)
