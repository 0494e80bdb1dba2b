"""Resamples of a pair's own units or whole documents, as batches that a test can run on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import Blocks
from nlpstat_core.engine.columns.differences import on_grid
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.power.draws import coins, drawn_counts
from nlpstat_core.power.resampled import resampled_batch
from nlpstat_core.power.source import source_of
from nlpstat_core.scores.counts import Counts
from nlpstat_core.scores.grid import MOST_DECIMALS


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """What one pair's units are drawn from.

    columns (float array, shape (n, 1) or (n, 2)): The differences a − b, or the 0/1 scores of a and b, or the
        units' scores of counts.
    binary: Whether the two columns hold 0 and 1.
    delta: Hypothesised difference of the test.
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
    Yields: One pair per resample.
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
    Returns: Of one column of differences.
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
