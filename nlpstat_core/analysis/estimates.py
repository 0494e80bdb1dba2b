"""How long the pairs of a board will take on this machine, from a few of them."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.board.pairs.columns import all_columns
from nlpstat_core.board.preparation import baseline_column, prepared_units
from nlpstat_core.board.settled import settled
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix

# Of the pairs, so many are computed to see; a board with fewer numbers than that is not worth a look.
FEWEST_SEEN, MOST_SEEN, ONE_IN = 8, 512, 64
SMALL = 40_000
Clock = Callable[[], float]


def seconds_of_analysis(scores: ScoreMatrix, config: AnalysisConfig, clock: Clock) -> float | None:
    """About how long `analyse` will take by one thread; None where looking would take a good part of it
    or says nothing.

    Correction and leaderboard are not in it, nor is a correction that resamples.
    """
    if scores.measured is not None:
        return None
    config = settled(scores, config)
    run = as_run(config, runs=scores.runs is not None and config.runs == "training")
    units = prepared_units(scores, run)
    many = units.n_systems - 1
    pairs = many if baseline_column(units, config) is not None else many * units.n_systems // 2
    resampled = config.test != RECOMMENDED and TESTS[config.test].resampled
    if pairs < ONE_IN or pairs * units.n_units < SMALL or (resampled and pairs < ONE_IN * ONE_IN):
        return None
    return seconds_of_pairs(units, run, pairs, clock)


def seconds_of_pairs(units: ScoreMatrix, config: AnalysisConfig, n_pairs: int, clock: Clock) -> float:
    """About how long so many pairs of these units take by one thread.

    Some pairs are computed, then twice as many others: what the second look took more is the pairs', the rest
    is spent once for all.
    """
    seen = min(max(FEWEST_SEEN, n_pairs // ONE_IN), MOST_SEEN)
    rng = np.random.default_rng(0)
    taken = []
    for number in (seen, 2 * seen):
        first = rng.integers(0, units.n_systems, number)
        second = (first + rng.integers(1, units.n_systems, number)) % units.n_systems
        begun = clock()
        work = chunks(
            units, first, second, delta=config.delta, block_ids=block_ids(units, config), together=True
        )
        all_columns(work, config, number, effect_intervals=False)
        taken.append(clock() - begun)
    each = max(0.0, taken[1] - taken[0]) / seen
    return max(taken[1] + each * (n_pairs - 2 * seen), taken[1])
