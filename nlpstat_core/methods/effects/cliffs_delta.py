"""Cliff's delta: how much more often a score of one sample is the larger one than the smaller one."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EffectColumns
from nlpstat_core.engine.distributions.tails import normal_quantile, one_sided, two_sided_mass
from nlpstat_core.engine.samples.independent import too_few
from nlpstat_core.records import EffectSize


def cliffs_delta(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Share of pairs of units (one of a, one of b) in which a scores higher, minus the share in which b does.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not; scores are compared to their decimals.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        In [−1, 1]; undefined without units on a side, the interval below two ("too-few-own-units") and where
        the samples don't overlap ("no-overlap").

    Notes
    -----
    δ = 2U/(n_u·n_v) − 1. Variance: Cliff's unbiased estimate from the dominances of every unit, at least
    (1 − δ²)/(n_u·n_v − 1); the limits, asymmetric so as to stay in [−1, 1], are (δ − δ³ ± q·s·√((1 − δ²)² +
    q²s²))/(1 − δ² + q²s²). Cost O(n·log n) per pair.
    """
    value, low, high = (np.full(batch.n_pairs, np.nan) for _ in range(3))
    quantile = normal_quantile(1 - two_sided_mass(config.level, config.alternative))
    decimals = batch.units.decimals
    for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
        u, v = (np.sort(np.round(batch.units.own.sample(system), decimals)) for system in (a, b))
        if u.size and v.size:
            of_u, of_v = _dominance(u, v), -_dominance(v, u)
            value[pair] = of_u.mean()
            if min(u.size, v.size) > 1 and abs(value[pair]) < 1:
                variance = _variance(u, v, of_u, of_v)
                low[pair], high[pair] = _limits(float(value[pair]), quantile**2 * variance)
    interval = one_sided(low, high, config.alternative, -1.0, 1.0) if with_interval else None
    notes = {"too-few-own-units": too_few(batch, 2)["too-few-own-units"], "no-overlap": np.abs(value) == 1}
    return EffectColumns(value=value, interval=interval, notes=notes)


def win_share(batch: PairBatch, config: AnalysisConfig, with_interval: bool) -> EffectColumns:
    """Share of pairs of units (one of a, one of b) in which a scores higher, ties counted half.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    EffectColumns
        (1 + Cliff's delta)/2 and its interval.

    Notes
    -----
    U/(n_u·n_v). Cost O(n·log n) per pair.
    """
    delta = cliffs_delta(batch, config, with_interval)
    interval = None if delta.interval is None else (1 + delta.interval) / 2
    return EffectColumns(value=(1 + delta.value) / 2, interval=interval, notes=delta.notes)


def _dominance(own: FloatArray, others: FloatArray) -> FloatArray:
    """For every own score: share of the sorted others below it minus share above it."""
    below = np.searchsorted(others, own, side="left")
    above = others.size - np.searchsorted(others, own, side="right")
    result: FloatArray = (below - above) / others.size
    return result


def _variance(u: FloatArray, v: FloatArray, of_u: FloatArray, of_v: FloatArray) -> float:
    """Cliff's estimate of the variance of δ."""
    n_u, n_v, delta = u.size, v.size, float(of_u.mean())
    ties = np.searchsorted(v, u, side="right") - np.searchsorted(v, u, side="left")
    spread_u, spread_v = float(np.sum((of_u - delta) ** 2)), float(np.sum((of_v - delta) ** 2))
    squares = float(n_u * n_v - ties.sum()) - n_u * n_v * delta**2
    variance = (n_v**2 * spread_u + n_u**2 * spread_v - squares) / (n_u * n_v * (n_u - 1) * (n_v - 1))
    return max(variance, (1 - delta**2) / (n_u * n_v - 1))


def _limits(delta: float, reach: float) -> tuple[float, float]:
    """Limits of δ from its squared quantile times variance."""
    middle, below = delta - delta**3, 1 - delta**2 + reach
    margin = math.sqrt(reach * ((1 - delta**2) ** 2 + reach))
    return (middle - margin) / below, (middle + margin) / below


METHOD = EffectSize(
    key="cliffs-delta",
    label="Cliff's delta (unpaired)",
    summary="How much more often a score of the first system is above one of the second than below it.",
    run=cliffs_delta,
    formula=r"\delta = \hat P(u_i > v_j) - \hat P(u_i < v_j)",
    references=("cliff1993", "feng2004"),
    design="unpaired",
    costly=True,
)
WIN_SHARE = EffectSize(
    key="common-language",
    label="Common-language effect size (unpaired)",
    summary="How often a score of the first system is above one of the second, ties counted half.",
    run=win_share,
    formula=r"\hat P(u_i > v_j) + \tfrac12 \hat P(u_i = v_j)",
    references=("mcgraw1992", "cliff1993"),
    design="unpaired",
    swapping="complement",
)
