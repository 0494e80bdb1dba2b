"""What varies: items, items × systems, runs and the rest; what more items or more runs would bring."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.preparation import prepared_units
from nlpstat_core.board.settled import settled
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.runs import RunSpread, UnitRuns
from nlpstat_core.errors import AnalysisError
from nlpstat_core.power.variation.results import Variation, known_runs
from nlpstat_core.scores.matrix import ScoreMatrix

MOST_COMPARED = 20  # runs of one system that are compared with each other


def variation(scores: ScoreMatrix, config: AnalysisConfig | None = None) -> Variation:
    """Components of variance of scores with several runs, whatever the runs count as in the tests.

    config: Evaluation units, the policy for missing scores, and alpha for runs compared with each other.

    Model y = μ_s + α_i + γ_si + β_sr + ε_sir. residual: pooled residual mean square E. runs: mean of
    v_s − E_s/n, weighted by R_s − 1. items_systems: mean square of the units × systems table of means after
    rows and columns, less E times the mean of 1/R_s. items: variance of the units' means, less that mean
    square over the number of systems. For balanced data with positive estimates these are the REML estimates.

    Source: Searle, Casella and McCulloch (1992), doi:10.1002/9780470316856.
    """
    if scores.runs is None:
        raise AnalysisError(
            "These scores have one run per system, so how much runs vary is unknown; give several runs "
            "(a column seed or run, or files named by their seed)."
        )
    config = settled(scores, config or AnalysisConfig())
    plain = replace(config, runs="training", test=RECOMMENDED, correction="none", delta=0.0)
    units = prepared_units(scores, plain)
    of = UnitRuns(known_runs(units))
    spreads = [of.spread(system) for system in range(units.n_systems)]
    known = np.array([spread.n_runs > 1 and not np.isnan(spread.residual) for spread in spreads])
    several = [spread for spread, one in zip(spreads, known, strict=True) if one]
    negative: list[str] = []

    def kept(name: str, value: float) -> float:
        if value < 0:
            negative.append(name)
        return max(0.0, value)

    weights = np.array([spread.n_runs - 1.0 for spread in several])
    sizes = np.count_nonzero(units.present, axis=0)
    own = sizes[known]
    freedoms = weights * np.maximum(own - 1, 1)
    residual = _weighted([spread.residual for spread in several], freedoms)
    raw = [spread.variance - spread.residual / n for spread, n in zip(several, own, strict=True)]
    runs = kept("runs", _weighted(raw, weights))
    n_runs = np.array([max(spread.n_runs, 1) for spread in spreads])
    items, interaction = _items(units, residual, n_runs)
    pairs, different = _run_against_run(units, config.alpha)
    return Variation(
        systems=units.systems,
        n_units=sizes,
        n_runs=n_runs,
        system_items=np.array([_own_items(units, system, spread) for system, spread in enumerate(spreads)]),
        system_runs=np.array([spread.component for spread in spreads]),
        system_residual=np.array([spread.residual for spread in spreads]),
        items=kept("items", items),
        items_systems=kept("items_systems", interaction),
        runs=runs,
        residual=residual,
        negative=tuple(negative),
        run_means=tuple(spread.means for spread in spreads),
        run_pairs=pairs,
        run_pairs_different=different,
        _units=units,
    )


def _weighted(values: Sequence[float], weights: FloatArray) -> float:
    """Weighted mean; NaN of nothing."""
    return float(np.average(values, weights=weights)) if len(values) else float("nan")


def _own_items(units: ScoreMatrix, system: int, spread: RunSpread) -> float:
    """Variance of a system's items, without the part of the residual in their means."""
    column = units.values[:, system]
    column = column[~np.isnan(column)]
    if column.size < 2 or np.isnan(spread.residual):
        return float("nan")
    return max(0.0, float(np.var(column, ddof=1)) - spread.residual / spread.n_runs)


def _items(units: ScoreMatrix, residual: float, n_runs: IntArray) -> tuple[float, float]:
    """Variances of items and of items × systems, from the units that all systems have; may be negative."""
    table = units.values[units.present.all(axis=1)]
    n, n_systems = table.shape
    if n < 2:
        return float("nan"), float("nan")
    means = table.mean(axis=1)
    rest = table - means[:, None] - table.mean(axis=0) + table.mean()
    square = float(np.vdot(rest, rest)) / ((n - 1) * (n_systems - 1))
    interaction = square - residual * float(np.mean(1 / n_runs))
    return float(np.var(means, ddof=1)) - square / n_systems, interaction


def _run_against_run(units: ScoreMatrix, alpha: float) -> tuple[IntArray, IntArray]:
    """Pairs of runs of every system, and those that a t test over items calls different."""
    from scipy import special

    pairs = np.zeros(units.n_systems, dtype=np.int64)
    different = np.zeros(units.n_systems, dtype=np.int64)
    for system, table in enumerate(known_runs(units).values):
        for a, b in combinations(range(min(table.shape[1], MOST_COMPARED)), 2):
            difference = table[:, a] - table[:, b]
            difference = difference[~np.isnan(difference)]
            if difference.size < 2:
                continue
            pairs[system] += 1
            error = float(difference.std(ddof=1)) / math.sqrt(difference.size)
            mean = abs(float(difference.mean()))
            p_value = 1.0 if mean == 0 else 0.0
            if error > 0:
                p_value = 2 * float(special.stdtr(difference.size - 1, -mean / error))
            different[system] += p_value <= alpha
    return pairs, different
