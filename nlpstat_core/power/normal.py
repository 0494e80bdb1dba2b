"""Normal differences to simulate from, alike within documents where there are any."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.power.draws import generators
from nlpstat_core.power.sampling import Sample
from nlpstat_core.scores.grid import MOST_DECIMALS

# Scores of one batch (16 MB). Fixed; results don't depend on it.
_MOST_CELLS = 2**21


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalShape:
    """Normal differences to simulate from.

    mean: Metric points.
    between, within: Standard deviations of documents and of units in a document; `between` is 0 without
        documents.
    lengths (int array, shape (n_blocks,), or None): Units of the documents to draw lengths from.
    delta: Hypothesised difference of the test.
    """

    mean: float
    between: float
    within: float
    lengths: IntArray | None
    delta: float


def normal_shape(sample: Sample, mean: float, error: float) -> NormalShape:
    """Normal differences with the spread of the pair's own, and with their likeness within documents.

    sample: Of differences.
    error: Standard error of the mean as the test has it.

    Without documents `within` is the standard deviation (ddof 1). With G documents the variance between them
    is (MSB − MSW)/n₀, at least 0, from the one-way analysis of variance, n₀ = (N − ΣL²/N)/(G − 1); both
    parts are then scaled so that the mean of these documents has the error that was observed.

    Source: Searle, Casella and McCulloch (1992), Variance Components, section 3.6.
    """
    z = sample.columns[:, 0] - (sample.columns[:, 1] if sample.columns.shape[1] == 2 else 0.0)
    blocks = sample.blocks
    if blocks is None or blocks.n_blocks < 2 or blocks.n_blocks == z.shape[0]:
        lengths = None if blocks is None else blocks.sizes.astype(np.int64)
        return NormalShape(
            mean=mean, between=0.0, within=float(z.std(ddof=1)), lengths=lengths, delta=sample.delta
        )
    n, groups = z.shape[0], blocks.n_blocks
    means = blocks.sums(z[None, :])[0] / blocks.sizes
    between = float(np.sum(blocks.sizes * (means - z.mean()) ** 2))
    within = float(np.sum((z - z.mean()) ** 2)) - between
    mean_within = within / (n - groups)
    typical = (n - np.sum(blocks.sizes**2) / n) / (groups - 1)
    variance = max(0.0, (between / (groups - 1) - mean_within) / typical)
    spread = float(np.sqrt(max(mean_within, 0.0) / n + variance * np.sum(blocks.sizes**2) / n**2))
    scale = error / spread if spread > 0 else 1.0
    return NormalShape(
        mean=mean,
        between=float(np.sqrt(variance)) * scale,
        within=float(np.sqrt(max(mean_within, 0.0))) * scale,
        lengths=blocks.sizes.astype(np.int64),
        delta=sample.delta,
    )


def normal_batches(shape: NormalShape, size: int, iterations: int, seed: int) -> Iterator[PairBatch]:
    """Samples of normal differences as batches.

    size: Units; with documents their number.
    Yields: One pair per sample.
    """
    for start, end, bits in generators(size, iterations, seed):
        normal = np.random.Generator(bits)
        step = max(1, _MOST_CELLS // size) if shape.lengths is None else 1
        for first in range(start, end, step):
            k = min(step, end - first)
            if shape.lengths is None:
                z, ids = normal.standard_normal((k, size)).T * shape.within, None
            else:
                lengths = shape.lengths[normal.integers(0, shape.lengths.shape[0], size)]
                ids = np.repeat(np.arange(size), lengths)
                z = normal.standard_normal((ids.shape[0], 1)) * shape.within
                z = z + np.repeat(normal.standard_normal(size), lengths)[:, None] * shape.between
            values = np.hstack([z + shape.mean, np.zeros((z.shape[0], 1))])
            units = UnitBlock(values, MOST_DECIMALS, np.zeros(k + 1, bool), block_ids=ids)
            yield PairBatch(units, np.arange(k), np.full(k, k), shape.delta)
