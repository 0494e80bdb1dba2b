"""Standard errors over items and runs: the variance of the crossed t test and its degrees of freedom."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_errors, clustered_freedom
from nlpstat_core.engine.columns.runs import SpreadColumns
from nlpstat_core.engine.distributions.tails import t_interval


@dataclass(frozen=True, eq=False)
class CrossedErrors:
    """Standard errors of pairs of systems with several runs; arrays have shape (n_pairs,).

    error: √V; NaN where a system's runs say nothing about other runs, below two units, or where blocks leave
        fewer than three degrees of freedom.
    freedom: Satterthwaite's degrees of freedom; those over items where nothing varies.
    spreads: By system.
    """

    error: FloatArray
    freedom: FloatArray
    spreads: SpreadColumns


def crossed_errors(batch: PairBatch) -> CrossedErrors:
    """Standard error of every pair's difference over items and runs.

    batch: With `units.runs`.

    V = V_items + Σ_s max(0, v_s − E_s/n)/R_s, V_items = var(D)/n on ν = n − 1 degrees of freedom,
    cluster-robust with its own ν where blocks are named; degrees of freedom V²/[V_items²/ν + Σ_s
    (v_s/R_s)²/(R_s − 1)] with the whole v_s: with the part of it that V holds the test is too liberal for two
    runs.
    """
    runs = batch.units.runs
    if runs is None:
        raise ValueError("The batch has no runs.")
    blocks = batch.units.blocks
    spreads = runs.columns(np.concatenate([batch.left, batch.right]))
    if blocks is None:
        items, item_freedom = batch.score_error**2, np.full(batch.n_pairs, batch.n_units - 1.0)
    else:
        items, item_freedom = clustered_errors(batch) ** 2, clustered_freedom(batch)
    items = np.where(item_freedom > 0, items, np.nan)
    error, freedom = combined(items, item_freedom, spreads, (batch.left, batch.right))
    return CrossedErrors(error, freedom, spreads)


def combined(
    items: FloatArray, item_freedom: FloatArray | float, spreads: SpreadColumns, sides: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Standard error and degrees of freedom from the variance over items and the runs of some systems.

    items (float array, shape (k,)): Squared standard errors over items.
    item_freedom (float or float array, shape (k,)): Their degrees of freedom.
    sides (tuple of int arrays, shape (k,)): Systems whose runs add to the variance: both of a pair, or one
        for its own score.
    Returns float arrays, shape (k,).
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

    batch: With `units.runs`.
    config: Confidence level and `alternative`.
    Returns float array, shape (n_pairs, 2): Differences of shares of 0/1 runs are cut at −1 and 1.
    """
    found = crossed_errors(batch)
    ends = t_interval(batch.difference, found.error, found.freedom, config.level, config.alternative)
    shares = found.spreads.shares[batch.left] & found.spreads.shares[batch.right]
    cut = np.where(np.isfinite(ends), np.clip(ends, -1.0, 1.0), ends)
    return np.where(shares[:, None], cut, ends)
