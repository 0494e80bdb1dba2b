"""The studentised bootstrap test of the mean, with the interval that agrees with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.batch import PairBatch
from nlpstat_core.catalogue import Method
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.distributions import one_sided
from nlpstat_core.outcomes import MONTE_CARLO, Outcomes, SignificanceRun, outcomes, undefined_outcomes
from nlpstat_core.resampling import monte_carlo_p, one_blas_thread, reached, standard_error
from nlpstat_core.resampling.monte_carlo import critical_values
from nlpstat_core.resampling.studentised import (
    MOST_FLAT,
    ObservedT,
    observed_t,
    pair_parts,
    resampled_t,
    tail_values,
)

Tails = Literal["symmetric", "equal"]
# How large values of t* are extreme: both signs, positive, negative.
_SIDES = {"two-sided": (0,), "greater": (1,), "less": (-1,), "equal": (1, -1)}


def bootstrap_mean(batch: PairBatch, config: AnalysisConfig, *, tails: Tails = "symmetric") -> Outcomes:
    """Studentised bootstrap test of the mean difference.

    Null hypothesis: the mean of u − v is δ.

    Parameters
    ----------
    batch : PairBatch
        Pairs with their shared units; below two units undefined (note "too-few-units").
    config : AnalysisConfig
        `alternative`, `level`, `resamples`, `seed`; δ is in the batch.
    tails : {"symmetric", "equal"}
        How two sides share the error: by |t*|, or half of it each by t*.

    Returns
    -------
    Outcomes
        The mean difference, its Monte Carlo p-value and the bootstrap-t interval, which excludes δ exactly
        when p ≤ 1 − level. A difference without spread has p = 1 where it equals δ and is undefined
        elsewhere (note "no-spread"). A resample without spread counts as extreme in every tail; over 1 % of
        them bring the note "flat-resamples".

    Notes
    -----
    t* = (z̄* − z̄)/(s*/√n), t = z̄/(s/√n), z = u − v − δ. Symmetric: p = (1 + #{|t*| ≥ |t|})/(B + 1), interval
    z̄ ± q·s/√n with q the ⌈level·(B + 1)⌉-th smallest |t*|. Equal: p = 2·min of the one-sided p-values,
    interval [z̄ − q_u·s/√n, z̄ + q_l·s/√n]. Cost O(B·n) per pair: one matrix product for all pairs.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 12 and 16; Hall (1988),
    doi:10.1214/aos/1176350933.
    """
    if batch.n_units < 2:
        return undefined_outcomes(batch.n_pairs, "too-few-units")
    equal = tails == "equal" and config.alternative == "two-sided"
    sides = _SIDES["equal" if equal else config.alternative]
    mass = (1 + config.level) / 2 if equal else config.level
    observed = observed_t(batch)
    extreme = np.zeros((len(sides), batch.n_pairs), dtype=np.int64)
    critical = np.empty((len(sides), batch.n_pairs))
    flat = np.zeros(batch.n_pairs, dtype=np.int64)
    with one_blas_thread():
        for part in pair_parts(batch.n_pairs, batch.n_units, config.resamples):
            t_star = _all_resamples(batch.take(np.arange(part.start, part.stop)), config)
            flat[part] = np.count_nonzero(np.isnan(t_star), axis=1)
            for row, side in enumerate(sides):
                own = tail_values(observed.t[part], side)
                values = tail_values(t_star, side)
                values[np.isnan(values)] = np.inf
                extreme[row, part] = np.count_nonzero(reached(values, own, observed.tolerance[part]), axis=1)
                critical[row, part] = critical_values(values, mass)
    p_value = np.minimum(monte_carlo_p(extreme, config.resamples).min(axis=0) * len(sides), 1.0)
    interval = _interval(batch, observed, critical, config)
    return _outcomes(batch, config, observed, p_value, interval, flat)


def _all_resamples(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """t* of all resamples, shape (n_pairs, resamples)."""
    t_star = np.empty((batch.n_pairs, config.resamples))
    for which, t in resampled_t(batch, config.resamples, config.seed):
        t_star[:, which] = t
    return t_star


def _interval(
    batch: PairBatch, observed: ObservedT, critical: FloatArray, config: AnalysisConfig
) -> FloatArray:
    """Bootstrap-t interval of the mean of u − v from the critical values of its one or two sides."""
    spread = observed.standard_error > 0
    # Without spread an interval is the point itself where that point is the null value, else undefined.
    margin = np.where(spread, critical * np.where(spread, observed.standard_error, 1.0), observed.t)
    return one_sided(batch.mean - margin[0], batch.mean + margin[-1], config.alternative)


def _outcomes(
    batch: PairBatch,
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
        batch.mean,
        np.log(p_value),
        observed.t,
        kind=MONTE_CARLO,
        error=standard_error(p_value, config.resamples),
        interval=interval,
        notes={"no-spread": undefined, "flat-resamples": spread & (flat > MOST_FLAT * config.resamples)},
    )
    return replace(result, p_value=p_value)


METHOD: Method[SignificanceRun] = Method(
    key="bootstrap-mean",
    label="Bootstrap test of the mean",
    summary="Resamples the units and compares the mean difference, in standard errors, with its resamples.",
    run=bootstrap_mean,
    hypothesis="mean",
    null="the mean difference is {delta}",
    assumptions=(
        "units are independent",
        "there are enough units to stand for those that could have been tested (bootstrap)",
    ),
    formula=r"p = \frac{1 + \#\{|t^*| \ge |t|\}}{B + 1},\quad t^* = \frac{\bar z^* - \bar z}{s^*/\sqrt n}",
    references=("efron1993", "hall1988"),
    design="paired",
    about_means=True,
)
