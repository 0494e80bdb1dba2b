"""Power of the t test over items and runs, for any number of items and of runs a system, and curves of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative, AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_freedom
from nlpstat_core.engine.columns.runs import SpreadColumns
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.engine.samples.crossed import combined, crossed_errors
from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.power.results import Points
from nlpstat_core.power.simulation import Progress
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

MOST_RUNS = 1_000
# Sets of scores whose spread is drawn; where they lie evenly the power is right to about 0.002.
EVEN_DRAWS = 4096
_DRAWN = 5  # spreads of a set: items, and runs and residual of either system


@dataclass(frozen=True, kw_only=True)
class CrossedDesign:
    """What the scores of two systems are made of, and how many there are.

    interaction: Variance of the true differences of single items, squared metric points.
    runs, residual: Variances between the runs of either system, and of a single score in a single run.
    n_units: Items.
    n_runs: Of either system.
    item_freedom: Degrees of freedom of the items' variance; None takes those of independent items.
    n_documents: Documents that the items come in, where they are compared.
    run_freedom: Of the runs' variances; None takes one less than the runs.
    """

    interaction: float
    runs: tuple[float, float]
    residual: tuple[float, float]
    n_units: float
    n_runs: tuple[int, int]
    item_freedom: float | None = None
    n_documents: float | None = None
    run_freedom: tuple[float, float] | None = None

    @property
    def items(self) -> float:
        """Variance of the differences of single items between the means over runs."""
        return self.interaction + sum(e / n for e, n in zip(self.residual, self.n_runs, strict=True))

    @property
    def error(self) -> float:
        """True standard error of the difference, metric points."""
        runs = sum(v / n for v, n in zip(self.runs, self.n_runs, strict=True))
        return float(np.sqrt(self.items / self.n_units + runs))

    def with_runs(self, n_runs: int) -> CrossedDesign:
        """The same systems with as many runs each."""
        return replace(self, n_runs=(n_runs, n_runs), run_freedom=None)


def crossed_power(
    design: CrossedDesign, difference: float, level: float, alternative: Alternative, draws: FloatArray
) -> tuple[float, float]:
    """Probability that the t test over items and runs rejects, for normal items, runs and residuals.

    draws (float array, shape (5, k)): Numbers between 0 and 1: `even_draws()`, or random ones.
    Returns: The error is that of the mean over the draws, were they random.

    The variances of items, runs and residuals that the test estimates are multiples of chi-squares,
    independent of each other and of the difference. For every draw of them V and its degrees of freedom are
    the test's own, and the chance that the normal difference is beyond its limit is exact. Two-sided power
    counts rejections in the wrong direction too.
    """
    from scipy import special

    n = design.n_units
    freedom = design.run_freedom or tuple(runs - 1.0 for runs in design.n_runs)
    items_freedom = n - 1.0 if design.item_freedom is None else design.item_freedom
    k = draws.shape[1]

    def spread(place: int, df: float) -> FloatArray:
        """A chi-square over its degrees of freedom."""
        found: FloatArray = 2.0 * special.gammaincinv(df / 2.0, draws[place]) / df
        return found

    items = design.items / n * spread(0, items_freedom)
    variance, component = np.empty(2 * k), np.empty(2 * k)
    for side in range(2):
        own = slice(side * k, (side + 1) * k)
        residual = design.residual[side] / n
        variance[own] = (design.runs[side] + residual) * spread(1 + side, freedom[side])
        cells = max((n - 1.0) * (design.n_runs[side] - 1.0), 1.0)
        component[own] = np.maximum(0.0, variance[own] - residual * spread(3 + side, cells))
    repeated = np.repeat
    spreads = SpreadColumns(
        n_runs=repeated(np.array(design.n_runs), k),
        variance=variance,
        component=component,
        lacking=np.zeros(2 * k),
        shares=np.zeros(2 * k, dtype=bool),
        pooled=np.zeros(2 * k, dtype=bool),
        freedom=repeated(np.array(freedom, dtype=float), k),
    )
    error, df = combined(items, items_freedom, spreads, (np.arange(k), np.arange(k, 2 * k)))
    sides = 2 if alternative == "two-sided" else 1
    limit = -special.stdtrit(np.where(np.isnan(df), 1.0, df), level / sides) * error
    true = design.error
    towards = -difference if alternative == "less" else difference
    found = special.ndtr((towards - limit) / true)
    if alternative == "two-sided":
        found = found + special.ndtr((-towards - limit) / true)
    return float(found.mean()), float(found.std()) / np.sqrt(k)


@cache
def even_draws() -> FloatArray:
    """Points that lie evenly in the unit cube: fractional parts of multiples of the roots of primes.

    Returns float array, shape (5, 4096): Always the same; read-only.

    Source: Richtmyer (1951), The evaluation of definite integrals, and a quasi-Monte-Carlo method.
    """
    steps = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0, 11.0]))
    points: FloatArray = (steps[:, None] * (np.arange(EVEN_DRAWS) + 0.5)) % 1.0
    points = np.clip(points, 1e-12, 1 - 1e-12)
    points.setflags(write=False)
    return points


def random_draws(seed: int, place: int, many: int) -> FloatArray:
    """Random numbers between 0 and 1 for one point of a curve."""
    rng = np.random.default_rng([seed, place])
    return rng.uniform(1e-12, 1.0, (_DRAWN, many))


def design_of(batch: PairBatch) -> CrossedDesign:
    """What a pair's own scores are made of.

    Returns: With documents the variance and degrees of freedom of items are those over documents.
    Raises AnalysisError: A system of one run, unless the runs of the others stand for its own.
    """
    runs = batch.units.runs
    if runs is None:
        raise ValueError("The batch has no runs.")
    found, n = crossed_errors(batch), batch.n_units
    spreads, sides = found.spreads, (int(batch.left[0]), int(batch.right[0]))
    blocks, item_freedom = batch.units.blocks, float(clustered_freedom(batch)[0])
    if blocks is not None and np.isnan(item_freedom):
        raise AnalysisError(
            "The documents are so few or so unequal in size that they leave fewer than 3 degrees of freedom: "
            "no power is known for this pair."
        )
    if not found.error[0] >= 0:
        raise AnalysisError(
            "One of the two systems has a single run, and nothing says how much another run would differ: "
            "no power is known for this pair."
        )
    residual = [runs.spread(side).residual for side in sides]
    known = [value for value in residual if not np.isnan(value)]
    own = [float(np.mean(known)) if np.isnan(value) and known else value for value in residual]
    own = [0.0 if np.isnan(value) else value for value in own]
    numbers = [max(int(spreads.n_runs[side]), 1) for side in sides]
    component = [float(spreads.component[side]) for side in sides]
    of_runs = sum(v / r for v, r in zip(component, numbers, strict=True))
    items = max(0.0, float(found.error[0]) ** 2 - of_runs) * n
    return CrossedDesign(
        interaction=max(0.0, items - sum(e / r for e, r in zip(own, numbers, strict=True))),
        runs=(component[0], component[1]),
        residual=(own[0], own[1]),
        n_units=n,
        n_runs=(numbers[0], numbers[1]),
        item_freedom=None if blocks is None else item_freedom,
        n_documents=None if blocks is None else float(blocks.n_blocks),
        run_freedom=(float(spreads.freedom[sides[0]]), float(spreads.freedom[sides[1]])),
    )


def sized(design: CrossedDesign, n_units: float) -> CrossedDesign:
    """The same systems on another number of items, in as many documents an item."""
    freedom = design.item_freedom
    if freedom is not None:
        freedom = max(1.0, (freedom + 1) * n_units / design.n_units - 1)
    documents = None if design.n_documents is None else design.n_documents * n_units / design.n_units
    return replace(design, n_units=n_units, item_freedom=freedom, n_documents=documents)


def crossed_points(
    batch: PairBatch,
    config: AnalysisConfig,
    level: float,
    sizes: IntArray,
    target: float,
    n_runs: int | None,
    iterations: int,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Points:
    """Power of the t test over items and runs at several numbers of items.

    n_runs: Runs of each system; None takes those that each has.
    Returns: Its band is that of the mean over the draws.
    Raises ConfigError, AnalysisError: A number of runs out of range, or a pair of which nothing is known.

    Normal items, runs and residuals with the pair's own variances (`crossed_power`).
    """
    if n_runs is not None and (isinstance(n_runs, bool) or not 2 <= n_runs <= MOST_RUNS or n_runs % 1):
        raise ConfigError(f"n_runs must be a whole number from 2 to {MOST_RUNS:,}, not {shown(n_runs)}.")
    design = design_of(batch)
    if n_runs is not None:
        design = design.with_runs(int(n_runs))
    if design.error == 0:
        raise AnalysisError("Neither items nor runs of this pair vary, so there is nothing to simulate.")
    power, error = np.empty((2, sizes.size))
    with stoppable(should_stop):
        for place, size in enumerate(sizes.tolist()):
            stop_if_asked()
            draws = random_draws(config.seed, place, iterations)
            power[place], error[place] = crossed_power(
                sized(design, size), target - config.delta, level, config.alternative, draws
            )
            if progress is not None:
                progress((place + 1) * iterations, sizes.size * iterations)
    margin = normal_quantile(0.975) * error
    documents = None
    if design.n_documents is not None:
        documents = np.maximum(2, np.rint(design.n_documents * sizes / design.n_units)).astype(np.int64)
    return Points(
        power=power,
        lower=np.clip(power - margin, 0.0, 1.0),
        upper=np.clip(power + margin, 0.0, 1.0),
        undefined=np.zeros(sizes.size),
        documents=documents,
        method="normal",
        model="normal",
        n_runs=design.n_runs,
        notes=("items-and-runs",),
    )
