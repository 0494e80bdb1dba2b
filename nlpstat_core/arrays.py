"""The array types that signatures of the core name."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int8]
BoolArray = NDArray[np.bool_]
ObjectArray = NDArray[Any]


def names_of(codes: CodeArray | IntArray, names: tuple[str, ...]) -> ObjectArray:
    """Array of names for an array of codes; −1 stands for no name (None).

    Parameters
    ----------
    codes : integers, shape (n,)
        Positions in `names`, −1 for none.
    names : tuple of str

    Returns
    -------
    object array of shape (n,)
    """
    table = np.array([*names, None], dtype=object)
    return table[codes]
