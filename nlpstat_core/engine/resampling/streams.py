"""Random signs and bootstrap counts in fixed chunks: the only place where resampling draws."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.threads import in_order
from nlpstat_core.stopping import stop_if_asked

# Resamples of a chunk. Fixed: never taken from memory or workers, so that results can't depend on them.
CHUNK = 256
# Chunks that go to a Dask cluster together: one takes a few milliseconds, like being sent.
CHUNKS_SENT = 16
# Numbers of one array of signs or counts (16 MB); also fixed.
_MOST_CELLS = 2**21
_WORDS_PER_UNIT = CHUNK // 64
# Draws counted at a time (1 MB): so many that threads seldom have to wait for the interpreter.
_MOST_DRAWS = 131_072
_HALF = np.uint64(32)
_Result = TypeVar("_Result")


def bit_generator(seed: int, stream: str, chunk: int) -> PCG64:
    """Generator of one chunk of one stream.

    seed: The user's seed, 0 or more.
    stream: What the numbers are for; streams of different names are independent.
    Returns: Its raw 64-bit words don't change between versions of NumPy.
    """
    stop_if_asked()
    return PCG64(SeedSequence([seed, int.from_bytes(stream.encode(), "little"), chunk]))


def sign_chunks(
    n_units: int, resamples: int, seed: int, stream: str = "signs"
) -> Iterator[tuple[slice, slice, FloatArray]]:
    """Shared random signs, piece by piece.

    Yields which: Resamples of this piece.
    Yields rows: Units of this piece.
    Yields signs (float array, shape (units in rows, resamples in which)): −1 or +1.

    In every chunk unit i takes bits 256·i to 256·i + 255, so its signs depend neither on the number of
    units nor on B. Cost: one random bit and one byte of unpacking per sign.
    """
    for start in range(0, resamples, CHUNK):
        which = slice(start, min(start + CHUNK, resamples))
        for rows, signs in signs_of_chunk(which, n_units, seed, stream):
            yield which, rows, signs


def signs_of_chunk(
    which: slice, n_units: int, seed: int, stream: str = "signs"
) -> Iterator[tuple[slice, FloatArray]]:
    """The signs of one chunk of resamples, piece by piece; see `sign_chunks`.

    which: Resamples of the chunk: at most 256, from a multiple of 256 on.
    Yields rows.
    Yields signs (float array, shape (units in rows, resamples in which)).
    """
    step = _MOST_CELLS // CHUNK
    generator = bit_generator(seed, stream, which.start // CHUNK)
    for first in range(0, n_units, step):
        stop_if_asked()
        rows = slice(first, min(first + step, n_units))
        yield rows, _signs(generator, rows.stop - first)[:, : which.stop - which.start]


def _signs(generator: PCG64, n_units: int) -> FloatArray:
    """The next units' signs of a chunk, shape (n_units, CHUNK)."""
    words: NDArray[np.uint64] = generator.random_raw(n_units * _WORDS_PER_UNIT)
    packed = words.astype("<u8", copy=False).view(np.uint8).reshape(n_units, CHUNK // 8)
    signs: FloatArray = 1.0 - 2.0 * np.unpackbits(packed, axis=1).astype(np.float64)
    return signs


def count_chunks(
    n_units: int, resamples: int, seed: int, stream: str = "bootstrap"
) -> Iterator[tuple[slice, FloatArray]]:
    """Bootstrap counts: how often each unit is drawn in samples of n_units with replacement.

    n_units: At least 1.
    Yields which: Resamples of this piece.
    Yields counts (float array, shape (resamples in which, n_units)): Whole numbers; every row sums to
        n_units.

    A draw is ⌊n·w/2³²⌋ for a 32-bit random word w: a unit's probability differs from 1/n by less than
    2⁻³². The draws of a resample depend on the seed, its number and n only. Cost O(B·n).
    """
    for start in range(0, resamples, CHUNK):
        yield from _counts_of_chunk(slice(start, min(start + CHUNK, resamples)), n_units, seed, stream)


def stratified_chunks(
    strata: IntArray, resamples: int, seed: int, stream: str = "bootstrap"
) -> Iterator[tuple[slice, FloatArray]]:
    """Counts as those of `count_chunks`, each stratum drawn by itself: its units sum to their number.

    strata (int array, shape (n_units,)): The stratum of every unit, from 0 on; one stratum is `count_chunks`.
    """
    groups = [np.flatnonzero(strata == number) for number in range(int(strata.max()) + 1)]
    if len(groups) == 1:
        yield from count_chunks(strata.size, resamples, seed, stream)
        return
    for start in range(0, resamples, CHUNK):
        whole = slice(start, min(start + CHUNK, resamples))
        counts = np.empty((whole.stop - whole.start, strata.size))
        for number, group in enumerate(groups):
            pieces = _counts_of_chunk(whole, group.size, seed, f"{stream}:{number}")
            counts[:, group] = np.concatenate([piece for _, piece in pieces])
        yield whole, counts


def from_counts(
    function: Callable[[FloatArray], _Result],
    n_units: int,
    resamples: int,
    seed: int,
    stream: str = "bootstrap",
    *,
    sent: int | None = None,
) -> Iterator[tuple[slice, _Result]]:
    """What a function makes of the counts of `count_chunks`, by as many threads as the work may use.

    function: From counts of shape (resamples in which, n_units); without side effects.
    sent: Numbers that it holds; see `in_order`.
    Yields which.
    Yields result.
    """

    def one(start: int) -> list[tuple[slice, _Result]]:
        whole = slice(start, min(start + CHUNK, resamples))
        pieces = _counts_of_chunk(whole, n_units, seed, stream)
        return [(which, function(counts)) for which, counts in pieces]

    for results in in_order(one, range(0, resamples, CHUNK), sent, CHUNKS_SENT):
        yield from results


def _counts_of_chunk(
    whole: slice, n_units: int, seed: int, stream: str
) -> Iterator[tuple[slice, FloatArray]]:
    """Counts of the resamples of one chunk, piece by piece."""
    step = max(1, min(CHUNK, _MOST_CELLS // n_units))
    generator = bit_generator(seed, stream, whole.start // CHUNK)
    for first in range(whole.start, whole.stop, step):
        stop_if_asked()
        which = slice(first, min(first + step, whole.stop))
        yield which, _counts(generator, n_units, which.stop - first)


def _counts(generator: PCG64, n_units: int, n_resamples: int) -> FloatArray:
    """The next resamples' counts of a chunk, shape (n_resamples, n_units)."""
    words_each = -(-n_units // 2)
    counts = np.empty((n_resamples, n_units))
    group = min(n_resamples, max(1, _MOST_DRAWS // n_units))
    first = (np.arange(group, dtype=np.uint64) * np.uint64(n_units))[:, np.newaxis]
    for start in range(0, n_resamples, group):
        part = counts[start : start + group]
        words = generator.random_raw(part.shape[0] * words_each).astype("<u8", copy=False)
        halves = words.view("<u4").reshape(part.shape[0], -1)[:, :n_units]  # one random word makes two draws
        draws = halves.astype(np.uint64)
        draws *= np.uint64(n_units)
        draws >>= _HALF
        draws += first[: part.shape[0]]
        part[:] = np.bincount(draws.view(np.int64).ravel(), minlength=part.size).reshape(part.shape)
    return counts
