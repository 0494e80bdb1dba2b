"""Resamples of units, of whole documents or of independent samples, and normal differences, as batches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import Blocks
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.errors import AnalysisError
from nlpstat_core.power.draws import coins, drawn_counts, generators
from nlpstat_core.power.resampled import resampled_batch, source_of
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """What one pair's units are drawn from.

    columns (float array, shape (n, 1) or (n, 2)): The differences a − b, or the 0/1 scores of a and b, or the
        units' scores of counts.
    binary: Whether the two columns hold 0 and 1.
    counts: Counts behind the two columns, shape (n, 2).
    blocks: Documents, drawn whole.
    weights (float array, shape (n,), or None): Probabilities of the units.
    swap (float array, shape (n,) or (n_blocks,), or None): Probability of each unit (of each document) to
        have its two systems swapped.
    """

    columns: FloatArray
    decimals: int
    binary: bool
    delta: float
    counts: Counts | None = None
    blocks: Blocks | None = None
    weights: FloatArray | None = None
    swap: FloatArray | None = None


def bootstrap_batches(sample: Sample, size: int, iterations: int, seed: int) -> Iterator[PairBatch]:
    """Resamples of the pair's units, or whole documents, as batches.

    size: Units to draw; with blocks the number of documents.
    """
    if sample.blocks is not None:
        yield from _documents(sample, sample.blocks, size, iterations, seed)
    elif sample.counts is None and sample.swap is None:
        source = source_of(sample.columns, sample.decimals, sample.delta, sample.weights)
        for drawn in drawn_counts(source.grid.shape[0], size, iterations, seed, source.weights):
            yield resampled_batch(source, drawn, size)
    else:
        n = sample.columns.shape[0]
        coin = bit_generator(seed, f"power swaps {size}", 0)
        for drawn in drawn_counts(n, size, iterations, seed, sample.weights):
            every = np.repeat(np.tile(np.arange(n), drawn.shape[0]), drawn.ravel())
            chosen = every.reshape(drawn.shape[0], size)
            yield _batch(sample, chosen, _swapped(sample, chosen, coin), None)


def _documents(sample: Sample, blocks: Blocks, size: int, iterations: int, seed: int) -> Iterator[PairBatch]:
    """Documents drawn whole; resamples share a batch when all documents have the same length."""
    lengths = blocks.sizes.astype(np.int64)
    members = np.split(blocks.order, blocks.starts[1:])
    coin = bit_generator(seed, f"power swaps {size}", 0)
    equal = bool(np.all(lengths == lengths[0]))
    for drawn in drawn_counts(blocks.n_blocks, size, iterations, seed):
        chosen = np.repeat(np.tile(np.arange(blocks.n_blocks), drawn.shape[0]), drawn.ravel())
        documents = chosen.reshape(drawn.shape[0], size)
        if equal:
            units = np.stack(members)[documents].reshape(drawn.shape[0], -1)
            swapped = np.repeat(_swapped(sample, documents, coin), lengths[0], axis=1)
            yield _batch(sample, units, swapped, np.repeat(np.arange(size), lengths[0]))
            continue
        for row in documents:
            own = np.concatenate([members[document] for document in row])[None, :]
            swapped = np.repeat(_swapped(sample, row[None, :], coin), lengths[row], axis=1)
            yield _batch(sample, own, swapped, np.repeat(np.arange(size), lengths[row]))


def _batch(sample: Sample, units: IntArray, swapped: BoolArray, block_ids: IntArray | None) -> PairBatch:
    """Resamples given by the units they hold and where the two systems are swapped, shape (k, size)."""
    k, size = units.shape
    a, b, swapped = sample.columns[units, 0].T, sample.columns[units, -1].T, swapped.T
    if sample.columns.shape[1] == 1:
        differences = np.where(swapped, 2 * sample.delta - a, a)
        units_block = UnitBlock(
            np.hstack([differences, np.zeros((size, 1))]),
            sample.decimals,
            np.zeros(k + 1, bool),
            block_ids=block_ids,
        )
        return PairBatch(units_block, np.arange(k), np.full(k, k), sample.delta)
    tables = [np.where(swapped, b, a), np.where(swapped, a, b)]
    counts = None
    if sample.counts is not None:
        counts = Counts(
            kind=sample.counts.kind,
            hits=_exchanged(sample.counts.hits, units, swapped),
            misses=_exchanged(sample.counts.misses, units, swapped),
        )
    values = np.hstack(tables) if counts is None else counts.unit_scores()
    made = UnitBlock(
        values, sample.decimals, np.full(2 * k, sample.binary), block_ids=block_ids, counts=counts
    )
    return PairBatch(made, np.arange(k), np.arange(k, 2 * k), sample.delta)


def _swapped(sample: Sample, drawn: IntArray, coin: PCG64) -> BoolArray:
    """Where the two systems are swapped: one coin per unit, or document, that was drawn."""
    if sample.swap is None:
        return np.zeros(drawn.shape, dtype=bool)
    return coins(coin, drawn.shape) < sample.swap[drawn]


def _exchanged(table: FloatArray, units: IntArray, swapped: BoolArray) -> FloatArray:
    a, b = table[units, 0].T, table[units, 1].T
    return np.hstack([np.where(swapped, b, a), np.where(swapped, a, b)])


def shifted(sample: Sample, amount: FloatArray) -> Sample:
    """The sample with its differences moved, on a grid fine enough that ties stay ties.

    amount (float array, shape (n,) or (1,)): Metric points.
    """
    moved = only_differences(sample)
    return replace(moved, columns=moved.columns + amount[:, None], decimals=MOST_DECIMALS)


def only_differences(sample: Sample) -> Sample:
    """The sample as differences alone, without what they are made of; of one column."""
    differences = sample.columns[:, :1] - (sample.columns[:, 1:] if sample.columns.shape[1] == 2 else 0.0)
    return replace(sample, columns=differences, binary=False, counts=None)


def sums_of_documents(sample: Sample, blocks: Blocks) -> Sample:
    """Documents as units: the sums of z = a − b − δ over each, with either sign where documents are swapped.

    sample: Not of counts.
    Returns: Of one column, for a test with δ = 0.
    """
    own = only_differences(sample)
    z = on_grid(own.columns[:, 0], own.decimals, own.delta)
    decimals = own.decimals if not own.delta else MOST_DECIMALS
    sums, weights = np.round(blocks.sums(z[None, :])[0], decimals) + 0.0, None
    if own.swap is not None:
        weights = np.concatenate([1 - own.swap, own.swap]) / blocks.n_blocks
        sums = np.concatenate([sums, -sums])
    return replace(
        own, columns=sums[:, None], decimals=decimals, delta=0.0, blocks=None, weights=weights, swap=None
    )


Makes = Callable[[int, int, int], Iterator[PairBatch]]


def two_sides(units: ScoreMatrix, pair: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Every score of two systems, shared or not.

    Raises AnalysisError: A system with fewer than two scores.
    """
    x, y = (np.sort(column[~np.isnan(column)]) for column in (units.values[:, units.index(n)] for n in pair))
    if min(x.size, y.size) < 2:
        raise AnalysisError("Each system needs at least two scores for a power curve.")
    return x, y


def average_simulator(x: FloatArray, y: FloatArray, config: AnalysisConfig, target: float) -> Makes:
    """What makes the test sets of Collings and Hamilton's average.

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
                yield _padded(mixed[:, :size].T + target, mixed[:, size:].T, config.delta)

    return makes


def _padded(a: FloatArray, b: FloatArray, delta: float) -> PairBatch:
    """Columns of a and of b; the shorter ones are filled up with missing scores."""
    k, longest = a.shape[1], max(a.shape[0], b.shape[0])
    values = np.full((longest, 2 * k), np.nan)
    values[: a.shape[0], :k], values[: b.shape[0], k:] = a, b
    units = UnitBlock(values, MOST_DECIMALS, np.zeros(2 * k, dtype=bool))
    return PairBatch(units, np.arange(k), np.arange(k, 2 * k), delta)


# Scores of one batch (16 MB). Fixed; results don't depend on it.
_MOST_CELLS = 2**21


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalShape:
    """Normal differences to simulate from.

    mean: Metric points.
    between, within: Standard deviations of documents and of units in a document; `between` is 0 without
        documents.
    lengths (int array, shape (n_blocks,), or None): Units of the documents to draw lengths from.
    """

    mean: float
    between: float
    within: float
    lengths: IntArray | None
    delta: float


def normal_shape(sample: Sample, mean: float, error: float) -> NormalShape:
    """Normal differences with the spread of the pair's own, and with their likeness within documents.

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
