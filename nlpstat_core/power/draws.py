"""Random draws of power curves, in fixed chunks: they depend on the seed, the size and the resample only."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.random import PCG64

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.resampling.streams import CHUNK, bit_generator

# Numbers of one table of counts (0.5 MB): it stays in the processor's cache. Fixed, like the chunk.
_MOST_CELLS = 65_536


def generators(size: int, iterations: int, seed: int) -> Iterator[tuple[int, int, PCG64]]:
    """A generator for every chunk of resamples of one size.

    Parameters
    ----------
    size : int
        Units (or documents) of a resample; sizes have streams of their own, so points of a curve are
        independent and don't depend on which other points are asked for.
    iterations : int
    seed : int

    Yields
    ------
    start, end : int
        Resamples of this chunk.
    generator : PCG64
    """
    for chunk, start in enumerate(range(0, iterations, CHUNK)):
        yield start, min(start + CHUNK, iterations), bit_generator(seed, f"power {size}", chunk)


def drawn_counts(
    n: int, size: int, iterations: int, seed: int, weights: FloatArray | None = None
) -> Iterator[FloatArray]:
    """How often each of n units is drawn in resamples of a size, some resamples at a time.

    Parameters
    ----------
    n : int
        Units to draw from.
    size : int
        Draws of a resample; smaller or larger than n.
    iterations : int
        Resamples in all.
    seed : int
    weights : float array, shape (n,), or None
        Probabilities of the units; None means equal ones.

    Yields
    ------
    float array, shape (resamples, n)
        Whole numbers; every row sums to `size`.

    Notes
    -----
    A draw is ⌊n·w/2³²⌋ for a 32-bit random word w. Cost O(iterations·(size + n)).
    """
    step = max(1, _MOST_CELLS // max(n, size))
    for start, end, generator in generators(size, iterations, seed):
        for first in range(start, end, step):
            counts = np.empty((min(step, end - first), n))
            for row in counts:
                row[:] = np.bincount(_draws(generator, n, size, weights), minlength=n)
            yield counts


def _draws(generator: PCG64, n: int, size: int, weights: FloatArray | None) -> IntArray:
    """Units of one resample."""
    words = generator.random_raw(-(-size // 2)).astype("<u8", copy=False).view(np.uint32)[:size]
    if weights is None:
        draws = np.multiply(words, np.uint64(n), dtype=np.uint64)
        draws >>= np.uint64(32)
        return draws.view(np.int64)
    edges = np.cumsum(weights)[:-1]
    return np.searchsorted(edges, (words + 0.5) / 2.0**32, side="right").astype(np.int64)


def coins(generator: PCG64, shape: tuple[int, ...], probability: float) -> FloatArray:
    """Independent 0/1 numbers.

    Parameters
    ----------
    generator : PCG64
    shape : tuple of int
    probability : float
        Of a 1.

    Returns
    -------
    float array
    """
    total = int(np.prod(shape))
    words = generator.random_raw(-(-total // 2)).astype("<u8", copy=False).view(np.uint32)[:total]
    return ((words + 0.5) / 2.0**32 < probability).astype(float).reshape(shape)
