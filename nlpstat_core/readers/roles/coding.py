"""Distinct names as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import IntArray


def codes(names: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    """Distinct names in order of appearance, and the position of each name among them.

    Parameters
    ----------
    names : sequence of str

    Returns
    -------
    tuple of (tuple of str) and int array

    Examples
    --------
    >>> codes(["b", "a", "b"])
    (('b', 'a'), array([0, 1, 0]))
    """
    places: dict[str, int] = {}
    found = [places.setdefault(name, len(places)) for name in names]
    return tuple(places), np.array(found, dtype=np.int64)
