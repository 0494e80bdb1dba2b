"""Power of a pair over items, for any number of training runs a system."""

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.errors import AnalysisError, ConfigError, shown
from nlpstat_core.power.crossed import crossed_power, design_of, random_draws, sized
from nlpstat_core.power.crossed_planning import MOST_RUNS
from nlpstat_core.power.results import Points
from nlpstat_core.power.simulation import Progress
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable


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

    batch: One pair, with `units.runs`.
    config: With the test that is run.
    target: True difference to assume.
    n_runs: Runs of each system; None takes those that each has.
    iterations: Draws of the variances at every size.
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
