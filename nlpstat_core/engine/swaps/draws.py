"""Random swaps of one pair: words that all pairs of a board share, each sign by a chance of its own."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK, bit_generator
from nlpstat_core.engine.swaps.pair import Kept

# Chances are multiples of 2^-32, so that half a random word decides a sign.
CHANCES = 2.0**32
# Units whose words are kept for the next pair.
_MOST_SHARED = 8_192


def drawn(
    units: IntArray, chance: FloatArray, draws: int, seed: int, stream: str, size: int = CHUNK
) -> Iterator[Kept]:
    """What stays in pieces of draws, from numbers that depend on seed, position and draw only.

    units (int array, shape (n_moved,)): Positions.
    chance (float array, shape (n_moved,)): Multiples of 2^-32.
    size: Of a piece; a divisor of 256.
    Yields float32 array, shape (n_moved, draws of the piece): 1 where outputs stay, 0 where swapped.
    """
    limits = (chance * CHANCES).astype(np.uint32)[:, None]
    for start in range(0, draws, CHUNK):
        words = _words_of(units, start // CHUNK, seed, stream)
        last = min(CHUNK, draws - start)
        for first in range(0, last, size):
            yield (words[units, first : min(first + size, last)] < limits).astype(np.float32)


def _words_of(units: IntArray, chunk: int, seed: int, stream: str) -> NDArray[np.uint32]:
    """Random 32-bit words of one chunk for all positions up to the last of these units at least."""
    n_units = int(units.max(initial=-1)) + 1
    if n_units > _MOST_SHARED:
        return _words(n_units, chunk, seed, stream)
    return _shared_words(1 << (n_units - 1).bit_length(), chunk, seed, stream)


def _words(n_units: int, chunk: int, seed: int, stream: str) -> NDArray[np.uint32]:
    words = bit_generator(seed, stream, chunk).random_raw(n_units * CHUNK // 2)
    return words.astype("<u8", copy=False).view("<u4").reshape(n_units, CHUNK)


# All pairs of a board meet the same words; these are at most 8 × 8 MB.
_shared_words = lru_cache(maxsize=8)(_words)
