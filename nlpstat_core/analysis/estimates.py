"""How long the pairs of a board will take on this machine, from a few of them."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.board.pairs.columns import all_columns, by_wins, work_of
from nlpstat_core.board.preparation import baseline_column, prepared_units
from nlpstat_core.board.settled import settled
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import RECOMMENDED, AnalysisConfig
from nlpstat_core.engine.columns.pairing import binary_columns, pairs_between
from nlpstat_core.methods.significance.documents import as_run
from nlpstat_core.scores.matrix import ScoreMatrix

# Of the pairs, so many are computed to see; a board with fewer numbers than that is not worth a look.
FEWEST_SEEN, MOST_SEEN, ONE_IN = 8, 512, 64
SMALL = 40_000
# Seconds from which what a look takes says more than how often the machine looked away.
LONG_ENOUGH = 0.1
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

    Some pairs are computed, then twice as many others, until they take long enough to tell: what the last
    look took more than the one before is the pairs', the rest is spent once for all.
    """
    rng, seen = np.random.default_rng(0), min(max(FEWEST_SEEN, n_pairs // ONE_IN), MOST_SEEN)
    before, last = _seconds(units, config, seen, rng, clock), _seconds(units, config, 2 * seen, rng, clock)
    seen *= 2
    while last < LONG_ENOUGH and 2 * seen <= n_pairs // ONE_IN:
        seen *= 2
        before, last = last, _seconds(units, config, seen, rng, clock)
    each = max(0.0, last - before) / (seen / 2)
    return max(last + each * (n_pairs - seen), last)


def _seconds(
    units: ScoreMatrix, config: AnalysisConfig, number: int, rng: np.random.Generator, clock: Clock
) -> float:
    """How long so many pairs take: random ones, or the next ones where pairs are computed by their counts."""
    n_systems = units.n_systems
    if by_wins(config) and bool(binary_columns(units).all()):
        start = int(rng.integers(0, max(1, n_systems * (n_systems - 1) // 2 - number)))
        first, second = pairs_between(start, start + number, n_systems)
    else:
        first = rng.integers(0, n_systems, number)
        second = (first + rng.integers(1, n_systems, number)) % n_systems
    begun = clock()
    all_columns(work_of(units, config, first, second), config, number, effect_intervals=False)
    return clock() - begun
