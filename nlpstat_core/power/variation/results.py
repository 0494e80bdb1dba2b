"""What varies: components of variance, what a standard error is made of, designs."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.columns.runs import UnitRuns
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.power.crossed import CrossedDesign, crossed_power, even_draws
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.runs import Runs

MOST_RUNS, MOST_UNITS = 200, 10_000_000
_DRAWS = 1024  # of its variances, for the power of a design


@dataclass(frozen=True)
class Design:
    """A number of items and of runs a system, and what they give.

    error: Standard error of the difference, metric points.
    cost: n_units·cost_unit + n_runs·cost_run.
    """

    n_units: int
    n_runs: int
    error: float
    cost: float


@dataclass(frozen=True, eq=False, kw_only=True)
class PairVariation:
    """What the standard error of one difference is made of; variances in squared metric points.

    a, b: Both empty for the average pair of the board.
    interaction: Variance of the true differences of single items.
    runs, residual: Sums over both systems: variance between runs, and of a single score in a single run.
    n_runs: Runs a system, the harmonic mean of both.
    """

    a: str
    b: str
    interaction: float
    runs: float
    residual: float
    n_units: int
    n_runs: float

    def error(self, n_units: float | FloatArray, n_runs: float | FloatArray) -> FloatArray:
        """Standard error of the difference of another design.

        Returns: √(interaction/n′ + runs/R′ + residual/(n′R′)), metric points.
        """
        units, runs = np.asarray(n_units, dtype=float), np.asarray(n_runs, dtype=float)
        result: FloatArray = np.sqrt(
            self.interaction / units + self.runs / runs + self.residual / (units * runs)
        )
        return result

    @property
    def now(self) -> float:
        """Standard error with the present design."""
        return float(self.error(self.n_units, self.n_runs))

    @property
    def twice_units(self) -> float:
        """Standard error with twice the items."""
        return float(self.error(2 * self.n_units, self.n_runs))

    @property
    def twice_runs(self) -> float:
        """Standard error with twice the runs."""
        return float(self.error(self.n_units, 2 * self.n_runs))

    def cheapest(
        self,
        difference: float,
        *,
        cost_unit: float = 1.0,
        cost_run: float = 1.0,
        power: float = 0.8,
        alpha: float = 0.05,
    ) -> Design | None:
        """The cheapest design that finds a difference.

        difference: Metric points, above 0.
        cost_unit, cost_run: Of an item, and of a run of every system.
        power, alpha: Of a two-sided comparison by the t test over items and runs.
        Returns: None where no design with at most 200 runs finds it.
        Raises ConfigError: A difference or a cost that is not above 0, a power or alpha outside (0, 1).
        """
        for name, value in (("difference", difference), ("cost_unit", cost_unit), ("cost_run", cost_run)):
            if not (math.isfinite(value) and value > 0):
                raise ConfigError(f"{name} must be a number above 0, not {value:g}.")
        for name, value in (("power", power), ("alpha", alpha)):
            if not 0 < value < 1:
                raise ConfigError(f"{name} must be above 0 and below 1, not {value:g}.")
        normal = NormalDist()
        wanted = difference / (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power))
        best: Design | None = None
        for n_runs in range(2, MOST_RUNS + 1):
            room = wanted**2 - self.runs / n_runs
            if not room > 0:
                continue
            # Were the variances known, so many items would be enough; as they are estimated it takes more.
            fewest = max(2, math.ceil((self.interaction + self.residual / n_runs) / room - 1e-9))
            most = MOST_UNITS
            if best is not None:
                most = min(most, math.ceil((best.cost - n_runs * cost_run) / cost_unit) - 1)
            if fewest > most:
                continue
            n_units = self._enough(fewest, most, n_runs, difference, power, alpha)
            if n_units is not None:
                cost = n_units * cost_unit + n_runs * cost_run
                best = Design(n_units, n_runs, float(self.error(n_units, n_runs)), cost)
        return best

    def _enough(
        self, fewest: int, most: int, n_runs: int, difference: float, power: float, alpha: float
    ) -> int | None:
        """Items from `fewest` to `most` that find a difference with so many runs; None where none do."""

        def found(n_units: int) -> bool:
            design = CrossedDesign(
                interaction=self.interaction,
                runs=(self.runs / 2, self.runs / 2),
                residual=(self.residual / 2, self.residual / 2),
                n_units=n_units,
                n_runs=(n_runs, n_runs),
            )
            draws = even_draws()[:, :_DRAWS]
            return crossed_power(design, difference, alpha, "two-sided", draws)[0] >= power

        # Beyond some number more items may cost power: they leave the few runs the only degrees of freedom.
        low, step = fewest - 1, max(1, fewest // 8)
        while not found(high := min(low + step, most)):
            if high >= most:
                return None
            low, step = high, 2 * step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if found(middle) else (middle, high)
        return high


@dataclass(frozen=True, eq=False, kw_only=True)
class Variation:
    """Components of variance of a board, by the estimators of the analysis of variance.

    n_units, n_runs (int arrays, shape (n_systems,)): Of every system.
    system_items, system_runs, system_residual (float arrays, shape (n_systems,)): Variances of a system
        alone; NaN where it has one run.
    items, items_systems, runs, residual: Of the board. Interactions with items from the units that all
        systems have.
    negative: Components of the board whose estimate was below 0 and stands as 0.
    run_means: Mean of every run, by system.
    run_pairs, run_pairs_different (int arrays, shape (n_systems,)): Pairs of runs of one system, and how many
        of them a t test over items calls different at alpha: runs of one system against each other.
    """

    systems: tuple[str, ...]
    n_units: IntArray
    n_runs: IntArray
    system_items: FloatArray
    system_runs: FloatArray
    system_residual: FloatArray
    items: float
    items_systems: float
    runs: float
    residual: float
    negative: tuple[str, ...]
    run_means: tuple[FloatArray, ...]
    run_pairs: IntArray
    run_pairs_different: IntArray
    _units: ScoreMatrix

    def pair(self, a: str = "", b: str = "") -> PairVariation:
        """What the standard error of a difference is made of.

        a, b: Two systems; without them the average pair of the board.
        Raises ConfigError: No such system, or the same twice.
        """
        if not a and not b:
            harmonic = float(1 / np.mean(1 / self.n_runs))
            return PairVariation(
                a="",
                b="",
                interaction=2 * self.items_systems,
                runs=2 * self.runs,
                residual=2 * self.residual,
                n_units=self._units.n_units,
                n_runs=harmonic,
            )
        for name in (a, b):
            if name not in self.systems:
                raise ConfigError(unknown("system", name, self.systems))
        if a == b:
            raise ConfigError(f"A difference needs two systems, not {shown(a)} twice.")
        i, j = self.systems.index(a), self.systems.index(b)
        shared = np.flatnonzero(self._units.present[:, i] & self._units.present[:, j])
        of = UnitRuns(known_runs(self._units), shared)
        one, other = of.spread(i), of.spread(j)
        differences = self._units.values[shared, i] - self._units.values[shared, j]
        variance = float(np.var(differences, ddof=1)) if shared.size > 1 else np.nan
        residuals = [
            self.residual if np.isnan(spread.residual) else spread.residual for spread in (one, other)
        ]
        components = [
            self.runs if np.isnan(spread.component) else spread.component for spread in (one, other)
        ]
        noise = residuals[0] / max(one.n_runs, 1) + residuals[1] / max(other.n_runs, 1)
        return PairVariation(
            a=a,
            b=b,
            interaction=max(0.0, variance - noise),
            runs=sum(components),
            residual=sum(residuals),
            n_units=int(shared.size),
            n_runs=2 / (1 / max(one.n_runs, 1) + 1 / max(other.n_runs, 1)),
        )


def known_runs(units: ScoreMatrix) -> Runs:
    """Runs of units that are known to have some; raises AnalysisError."""
    if units.runs is None:
        raise AnalysisError("These scores have one run per system.")
    return units.runs
