"""How much the runs of a system differ: run means, their variance, the residual mean square."""

from dataclasses import dataclass, field

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.scores.runs import Runs, means_over_runs

# Below this share of the largest score a deviation is rounding.
_DUST = 1e-14
# Fewer say little about how much runs differ; it matters where another system has more.
FEW_RUNS = 3
# A run that lacks more than this share of the items is said to.
MOST_LACKING = 0.1


@dataclass(frozen=True)
class RunSpread:
    """What one system's runs say on some units.

    n_runs: Runs that have any of the units, R.
    variance: Variance of the run means (ddof 1), v; NaN below two runs.
    residual: Residual mean square of the table units × runs, E; NaN where it has no degrees of freedom.
    component: max(0, v − E/n): the part of v that runs add; NaN below two runs.
    lacking: Largest share of the units that a run lacks.
    shares: Whether every score is 0 or 1.
    means (float array, shape (n_runs,)): Run means over the units that are there.
    """

    n_runs: int
    variance: float
    residual: float
    component: float
    lacking: float
    shares: bool
    means: FloatArray


def run_spread(table: FloatArray) -> RunSpread:
    """The spread of one system's runs.

    table (float array, shape (n_units, R)): NaN where a run lacks a unit; units that no run has don't count.

    m_r is the mean over the units that run r has, v = Σ(m_r − m̄)²/(R − 1). E = Σ(y_ir − ȳ_i − m_r + ȳ)²/ν
    over the cells that are there, ν = cells − units − runs + 1, which is (n − 1)(R − 1) where none is
    missing. Without degrees of freedom nothing is taken off v. Cost O(n·R).
    """
    there = ~np.isnan(table)
    used, had = there.any(axis=0), there.any(axis=1)
    if not (used.all() and had.all()):
        table, there = table[had][:, used], there[had][:, used]
    n_units, n_runs = table.shape
    if n_runs == 0 or n_units == 0:
        return RunSpread(0, np.nan, np.nan, np.nan, 0.0, True, np.zeros(0))
    complete = bool(there.all())
    filled = table if complete else np.where(there, table, 0.0)
    by_run = there.sum(axis=0)
    means = filled.sum(axis=0) / by_run
    lacking = float(1 - by_run.min() / n_units)
    shares = bool(np.all((filled == 0) | (filled == 1)))
    if n_runs < 2:
        return RunSpread(n_runs, np.nan, np.nan, np.nan, lacking, shares, means)
    dust = (_DUST * float(np.abs(filled).max())) ** 2
    variance = float(np.var(means, ddof=1))
    by_unit = filled.mean(axis=1) if complete else means_over_runs(table)
    grand = float(filled.sum() / by_run.sum())
    rest = filled - by_unit[:, None] - (means - grand)
    if not complete:
        rest = np.where(there, rest, 0.0)
    freedom = int(by_run.sum()) - n_units - n_runs + 1
    residual = float(np.vdot(rest, rest)) / freedom if freedom > 0 else np.nan
    variance = 0.0 if variance <= dust else variance
    residual = 0.0 if residual <= dust else residual
    component = max(0.0, variance - (0.0 if np.isnan(residual) else residual / n_units))
    return RunSpread(n_runs, variance, residual, component, lacking, shares, means)


@dataclass(frozen=True, eq=False)
class SpreadColumns:
    """`RunSpread` of several systems as arrays of shape (n_systems,).

    shares, pooled: `pooled` marks systems of one run whose variance is that of the other systems.
    freedom: Degrees of freedom of the variance: R − 1, or those of the systems it was pooled over.
    """

    n_runs: IntArray
    variance: FloatArray
    component: FloatArray
    lacking: FloatArray
    shares: BoolArray
    pooled: BoolArray
    freedom: FloatArray


@dataclass(frozen=True, eq=False)
class UnitRuns:
    """The runs behind the units of one batch; the spread of a system is computed when it is asked for.

    runs: Of the whole board.
    rows (int array, shape (n_units,), or None): Rows of the batch's units; None for all of them.
    """

    runs: Runs
    rows: IntArray | None = None
    _known: dict[int, RunSpread] = field(default_factory=dict)

    def spread(self, system: int) -> RunSpread:
        """The spread of one system's runs on the units of the batch."""
        if system not in self._known:
            table = self.runs.values[system]
            self._known[system] = run_spread(table if self.rows is None else table[self.rows])
        return self._known[system]

    def columns(self, systems: IntArray) -> SpreadColumns:
        """The spreads of the systems named, at their positions; the rest of each array is undefined."""
        n_systems = len(self.runs.values)
        wanted = range(n_systems) if self.runs.pooled else np.unique(systems).tolist()
        n_runs, lacking = np.zeros(n_systems, dtype=np.int64), np.zeros(n_systems)
        variance, component = np.full(n_systems, np.nan), np.full(n_systems, np.nan)
        shares = np.zeros(n_systems, dtype=bool)
        for system in wanted:
            found = self.spread(system)
            n_runs[system], lacking[system], shares[system] = found.n_runs, found.lacking, found.shares
            variance[system], component[system] = found.variance, found.component
        freedom = np.maximum(n_runs - 1.0, 0.0)
        alone = (n_runs == 1) & self.runs.pooled & bool((freedom > 0).any())
        if alone.any():
            several = freedom > 0
            weight = freedom[several].sum()
            variance[alone] = (freedom[several] * variance[several]).sum() / weight
            component[alone] = (freedom[several] * component[several]).sum() / weight
            freedom[alone] = weight
        return SpreadColumns(n_runs, variance, component, lacking, shares, alone, freedom)
