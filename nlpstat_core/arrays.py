"""The array types that signatures of the core name."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int8]
BoolArray = NDArray[np.bool_]
ObjectArray = NDArray[Any]
# Rounding of scores and of their sums leaves of equal means at most so much of the largest score.
ROUNDING = 4 * float(np.finfo(np.float64).eps)
# Bytes just below the 32 MB up to which glibc learns.
_KEPT = 31 * 2**20


def names_of(codes: CodeArray | IntArray, names: tuple[str, ...]) -> ObjectArray:
    """Array of names for an array of codes; −1 stands for no name (None).

    codes (integers, shape (n,)): Positions in `names`, −1 for none.
    Returns object array of shape (n,).
    """
    table = np.array([*names, None], dtype=object)
    return table[codes]


@cache
def keep_freed_memory() -> None:
    """Let the allocator keep freed arrays for the next ones, once for the whole process.

    glibc gives an array of some 100 KB back to the system when it is freed and has the next one filled with
    zeros page by page, which may take longer than computing it, until it has seen a larger array freed. The
    one freed here is never touched, so it takes neither time nor memory.
    """
    np.empty(_KEPT, dtype=np.uint8)
