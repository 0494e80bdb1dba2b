"""All sums of a chunk of resamples by one matrix product per 32 columns."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.resampling.streams import CHUNK, signs_of_chunk
from nlpstat_core.engine.resampling.threads import in_order

# Columns of one product. Every product has the same shape, whatever the number of systems or pairs, because
# BLAS may add in another order for another shape: adding a system must not change another's last digit.
WIDTH = 32


def padded_rows(columns: FloatArray) -> FloatArray:
    """Columns as rows, filled up with zeros to whole products.

    columns (float array, shape (n_units, k)).
    Returns float array, shape (⌈k/WIDTH⌉, WIDTH, n_units).
    """
    n_units, k = columns.shape
    n_products = -(-k // WIDTH)
    rows = np.zeros((n_products * WIDTH, n_units))
    rows[:k] = columns.T
    return rows.reshape(n_products, WIDTH, n_units)


def sums(rows: FloatArray, weights: FloatArray, k: int) -> FloatArray:
    """Σ_i weight_i·x_i for every column and resample.

    rows (float array, shape (products, WIDTH, n_units)): From `padded_rows`.
    weights (float array, shape (n_units, resamples)): Signs or counts.
    k: Columns without the padding.
    Returns float array, shape (k, resamples).
    """
    result: FloatArray = (rows @ weights).reshape(-1, weights.shape[1])[:k]
    return result


def flipped_sums(
    columns: FloatArray, resamples: int, seed: int, stream: str = "signs", *, first: int = 0
) -> Iterator[tuple[slice, FloatArray]]:
    """Sums of columns under shared random signs, chunk by chunk.

    first: The first resample wanted, where a chunk begins.

    columns (float array, shape (n_units, k)).
    Yields which: Resamples of this chunk.
    Yields sums (float array, shape (k, resamples in which)): Σ_i ε_i x_i; exact when the columns hold whole
        numbers.

    Cost O(B·n·k) for all pairs of k systems, not B·n·k²: pairs are differences of these sums.
    """
    n_units, k = columns.shape
    rows = padded_rows(columns)

    def one(start: int) -> tuple[slice, FloatArray]:
        which = slice(start, min(start + CHUNK, resamples))
        total = np.zeros((k, which.stop - start))
        for units, signs in signs_of_chunk(which, n_units, seed, stream):
            total += sums(rows[:, :, units], signs, k)
        return which, total

    yield from in_order(one, range(first, resamples, CHUNK))
