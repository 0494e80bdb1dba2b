"""Resamples of two samples that share no units, as batches for the unpaired tests of the catalogue."""

from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.errors import AnalysisError
from nlpstat_core.power.draws import drawn_counts
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix

Makes = Callable[[int, int, int], Iterator[PairBatch]]


def two_sides(units: ScoreMatrix, pair: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Every score of two systems, shared or not.

    Returns float arrays, shapes (n,) and (m,).
    Raises AnalysisError: A system with fewer than two scores.
    """
    x, y = (np.sort(column[~np.isnan(column)]) for column in (units.values[:, units.index(n)] for n in pair))
    if min(x.size, y.size) < 2:
        raise AnalysisError("Each system needs at least two scores for a power curve.")
    return x, y


def average_simulator(x: FloatArray, y: FloatArray, config: AnalysisConfig, target: float) -> Makes:
    """What makes the test sets of Collings and Hamilton's average.

    x, y (float arrays, shapes (n,) and (m,)).
    config: δ of the test.
    target: Shift of the first sample against the second, metric points.
    Returns callable (size, iterations, seed) → iterator of PairBatch: `size` is that of the first sample; the
        second keeps its proportion.

    Both samples are drawn from x in n/(n + m) of the test sets and both from y in the others, so that the
    share of rejections is (n·power_x + m·power_y)/(n + m).

    Source: Collings and Hamilton (1988), Biometrics 44(3), 847–860.
    """

    def makes(size: int, iterations: int, seed: int) -> Iterator[PairBatch]:
        other = max(2, round(size * y.size / x.size))
        from_x = round(iterations * x.size / (x.size + y.size))
        for which, (source, times) in enumerate(((x, from_x), (y, iterations - from_x))):
            order = np.random.default_rng([seed, size, which])
            for drawn in drawn_counts(source.size, size + other, times, seed + which):
                both = np.repeat(np.tile(source, drawn.shape[0]), drawn.ravel())
                mixed = order.permuted(both.reshape(drawn.shape[0], -1), axis=1)  # they stand sorted
                yield _batch(mixed[:, :size].T + target, mixed[:, size:].T, config.delta)

    return makes


def _batch(a: FloatArray, b: FloatArray, delta: float) -> PairBatch:
    """Columns of a and of b; the shorter ones are filled up with missing scores."""
    k, longest = a.shape[1], max(a.shape[0], b.shape[0])
    values = np.full((longest, 2 * k), np.nan)
    values[: a.shape[0], :k], values[: b.shape[0], k:] = a, b
    units = UnitBlock(values, MOST_DECIMALS, np.zeros(2 * k, dtype=bool))
    return PairBatch(units, np.arange(k), np.arange(k, 2 * k), delta)
