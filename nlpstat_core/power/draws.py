"""Random draws of power curves, in fixed chunks: they depend on the seed, the size and the resample only."""

from collections.abc import Iterator

import numpy as np
from numpy.random import PCG64
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK, bit_generator

# Numbers of one table of counts (0.5 MB): it stays in the processor's cache. Fixed, like the chunk.
_MOST_CELLS = 65_536
# Draws that are counted together.
_MOST_DRAWS = 16_384
_HALF, _LOW_HALF = np.uint64(32), np.uint64(2**32 - 1)


def generators(size: int, iterations: int, seed: int) -> Iterator[tuple[int, int, PCG64]]:
    """A generator for every chunk of resamples of one size.

    size: Units (or documents) of a resample; sizes have streams of their own, so points of a curve are
        independent and don't depend on which other points are asked for.
    """
    for chunk, start in enumerate(range(0, iterations, CHUNK)):
        yield start, min(start + CHUNK, iterations), bit_generator(seed, f"power {size}", chunk)


def drawn_counts(
    n: int, size: int, iterations: int, seed: int, weights: FloatArray | None = None
) -> Iterator[IntArray]:
    """How often each of n units is drawn in resamples of a size, some resamples at a time.

    size: Draws of a resample; smaller or larger than n.
    weights (float array, shape (n,), or None): Probabilities of the units; None means equal ones.
    Yields int array, shape (resamples, n): Every row sums to `size`.

    A draw is ⌊n·w/2³²⌋ for a 32-bit random word w. Cost O(iterations·(size + n)).
    """
    step = max(1, _MOST_CELLS // max(n, size))
    for start, end, generator in generators(size, iterations, seed):
        for first in range(start, end, step):
            counts = np.empty((min(step, end - first), n), dtype=np.int64)
            group = max(1, _MOST_DRAWS // max(n, size))
            for row in range(0, counts.shape[0], group):
                part = counts[row : row + group]
                words = _words(generator, part.shape[0], size)
                part[:] = _tallied(words, n) if weights is None else _weighted(words, weights)
            yield counts


def _words(generator: PCG64, n_resamples: int, size: int) -> NDArray[np.uint64]:
    """32-bit random words, shape (n_resamples, size); each raw word gives two."""
    half, each = size // 2, -(-size // 2)
    raw = generator.random_raw(n_resamples * each).reshape(n_resamples, each)
    words = np.empty((n_resamples, size), dtype=np.uint64)
    np.bitwise_and(raw, _LOW_HALF, out=words[:, :each])
    np.right_shift(raw[:, :half], _HALF, out=words[:, each:])
    return words


def _tallied(words: NDArray[np.uint64], n: int) -> IntArray:
    """How often each of n units is drawn by each row of words, which are overwritten."""
    words *= np.uint64(n)
    words >>= _HALF
    words += (np.arange(words.shape[0], dtype=np.uint64) * np.uint64(n))[:, None]
    counts = np.bincount(words.view(np.int64).ravel(), minlength=words.shape[0] * n)
    return counts.reshape(words.shape[0], n)


def _weighted(words: NDArray[np.uint64], weights: FloatArray) -> IntArray:
    """The same for units with unequal probabilities."""
    edges = np.cumsum(weights)[:-1]
    draws = np.searchsorted(edges, (words + 0.5) / 2.0**32, side="right")
    return np.stack([np.bincount(row, minlength=weights.shape[0]) for row in draws])


def coins(generator: PCG64, shape: tuple[int, ...]) -> FloatArray:
    """Independent uniform numbers, to be compared with probabilities; in (0, 1), with 32 random bits."""
    total = int(np.prod(shape))
    words = generator.random_raw(-(-total // 2)).astype("<u8", copy=False).view(np.uint32)[:total]
    uniform = (words.astype(np.float64) + 0.5) / 2.0**32
    return uniform.reshape(shape)
