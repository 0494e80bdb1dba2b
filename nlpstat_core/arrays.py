"""The array types that signatures of the core name."""

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.signedinteger[Any]]
CodeArray = NDArray[np.int8]
BoolArray = NDArray[np.bool_]
ObjectArray = NDArray[Any]
# Rounding of scores and of their sums leaves of equal means at most so much of the largest score.
ROUNDING = 4 * float(np.finfo(np.float64).eps)
# glibc's M_MMAP_THRESHOLD and M_TRIM_THRESHOLD, and the most bytes up to which it learns by itself.
_OWN_PAGES_FROM, _GIVEN_BACK_FROM = -3, -1
_KEPT = 32 * 2**20


def names_of(codes: CodeArray | IntArray, names: tuple[str, ...]) -> ObjectArray:
    """Array of names for an array of codes; −1 stands for no name (None).

    codes (integers, shape (n,)): Positions in `names`, −1 for none.
    Returns object array of shape (n,).
    """
    table = np.array([*names, None], dtype=object)
    return table[codes]


def distinct(keys: IntArray, most: int) -> tuple[IntArray, IntArray]:
    """Where each distinct key stands once, and the place of every key among these, by size.

    keys (int array, shape (n,)): From 0 to below `most`.

    >>> distinct(np.array([7, 2, 7]), 10)
    (array([1, 2]), array([1, 0, 1]))
    """
    if most > 4 * keys.size:
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        return first, place
    table = np.full(most, -1)  # faster than sorting where it isn't much longer than the keys
    table[keys] = np.arange(keys.size)
    found = np.flatnonzero(table >= 0)
    one_of_each = table[found]
    table[found] = np.arange(found.size)
    return one_of_each, table[keys]


@cache
def keep_freed_memory() -> None:
    """Let the allocator keep freed arrays for the next ones, once for the whole process.

    glibc gives an array of some 100 KB back to the system when it is freed and has the next one filled with
    zeros page by page, which may take longer than computing it. It learns better from larger arrays that are
    freed, though not where a threshold is set from outside, as Dask does for its workers. Other C libraries
    have nothing to set.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if set_option is not None:
        set_option(_OWN_PAGES_FROM, _KEPT)
        set_option(_GIVEN_BACK_FROM, 2 * _KEPT)
