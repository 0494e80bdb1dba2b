"""Standard errors over items and runs: the variance of the crossed t test and its degrees of freedom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_errors
from nlpstat_core.engine.columns.runs import SpreadColumns
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass


@dataclass(frozen=True, eq=False)
class CrossedErrors:
    """Standard errors of pairs of systems with several runs; arrays have shape (n_pairs,).

    Attributes
    ----------
    error : float array
        √V; NaN where a system's runs say nothing about other runs, or below two units (blocks).
    freedom : float array
        Satterthwaite's degrees of freedom; n − 1 where nothing varies.
    spreads : SpreadColumns
        By system.
    """

    error: FloatArray
    freedom: FloatArray
    spreads: SpreadColumns


def crossed_errors(batch: PairBatch) -> CrossedErrors:
    """Standard error of every pair's difference over items and runs.

    Parameters
    ----------
    batch : PairBatch
        With `units.runs`.

    Returns
    -------
    CrossedErrors

    Notes
    -----
    V = V_items + Σ_s max(0, v_s − E_s/n)/R_s, V_items = var(D)/n, cluster-robust where blocks are named;
    degrees of freedom V²/[V_items²/(n − 1) + Σ_s (v_s/R_s)²/(R_s − 1)] with the whole v_s: with the part of
    it that V holds the test is too liberal for two runs.
    """
    runs = batch.units.runs
    if runs is None:
        raise ValueError("The batch has no runs.")
    blocks = batch.units.blocks
    spreads = runs.columns(np.concatenate([batch.left, batch.right]))
    n = batch.n_units if blocks is None else blocks.n_blocks
    items = batch.score_error**2 if blocks is None else clustered_errors(batch) ** 2
    if n < 2:
        items = np.full(batch.n_pairs, np.nan)
    error, freedom = combined(items, float(n - 1), spreads, (batch.left, batch.right))
    return CrossedErrors(error, freedom, spreads)


def combined(
    items: FloatArray, item_freedom: FloatArray | float, spreads: SpreadColumns, sides: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Standard error and degrees of freedom from the variance over items and the runs of some systems.

    Parameters
    ----------
    items : float array, shape (k,)
        Squared standard errors over items.
    item_freedom : float or float array, shape (k,)
        Their degrees of freedom.
    spreads : SpreadColumns
    sides : tuple of int arrays, shape (k,)
        Systems whose runs add to the variance: both of a pair, or one for its own score.

    Returns
    -------
    error, freedom : float arrays, shape (k,)
    """
    n_runs = [np.maximum(spreads.n_runs[side], 1).astype(float) for side in sides]
    total = items.copy()
    for side, number in zip(sides, n_runs, strict=True):
        total += spreads.component[side] / number
    scale = np.where(total > 0, total, 1.0)  # shares of V, whose squares neither over- nor underflow
    below = (items / scale) ** 2 / np.maximum(item_freedom, 1.0)
    with np.errstate(divide="ignore", over="ignore"):
        for side, number in zip(sides, n_runs, strict=True):
            parts = spreads.variance[side] / number / scale
            below += parts**2 / np.maximum(spreads.freedom[side], 1.0)
        freedom = np.where(below > 0, 1.0 / below, item_freedom)
    return np.sqrt(total), np.where(np.isfinite(freedom) & (freedom > 0), freedom, np.nan)


def crossed_interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Interval of every pair's difference over items and runs.

    Parameters
    ----------
    batch : PairBatch
        With `units.runs`.
    config : AnalysisConfig
        Confidence level and `alternative`.

    Returns
    -------
    float array, shape (n_pairs, 2)
        Differences of shares of 0/1 runs are cut at −1 and 1.
    """
    found = crossed_errors(batch)
    ends = t_interval(batch.difference, found.error, found.freedom, config.level, config.alternative)
    shares = found.spreads.shares[batch.left] & found.spreads.shares[batch.right]
    cut = np.where(np.isfinite(ends), np.clip(ends, -1.0, 1.0), ends)
    return np.where(shares[:, None], cut, ends)


def t_interval(
    value: FloatArray, error: FloatArray, freedom: FloatArray, level: float, alternative: Alternative
) -> FloatArray:
    """Student's t interval with degrees of freedom of each value's own.

    Parameters
    ----------
    value, error, freedom : float arrays, shape (k,)
    level : float
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float array, shape (k, 2)
    """
    from scipy import special

    defined = ~np.isnan(error) & ~np.isnan(freedom)
    quantile = special.stdtrit(np.where(defined, freedom, 1.0), 1 - two_sided_mass(level, alternative))
    margin = np.where(defined, quantile * error, np.nan)
    return one_sided(value - margin, value + margin, alternative)
