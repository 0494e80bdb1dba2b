"""Systems that don't look like systems: of another size of numbers, or one the negative of another."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import shown

# Share of rows in which one of a few columns is another with its sign turned round.
MIRRORED, FEWEST_MIRRORED, FEW_SYSTEMS = 0.9, 3, 5
UNLIKE = 20.0  # times by which the middles of two systems' scores don't differ


def unlike_systems(values: np.ndarray, systems: Sequence[str]) -> str | None:
    """Why two columns can't be two systems' scores of one metric, None where they may be.

    >>> unlike_systems(np.array([[0.5, 1200], [0.25, 900], [0.75, 1100]]), ["acc", "chars"])
    "'acc' (0.25 to 0.75) and 'chars' (900 to 1200) don't look like scores of one metric"
    >>> unlike_systems(np.array([[0.5, 0.7], [0.25, 0.9]]), ["A", "B"])
    """
    if len(systems) != 2 or not np.isfinite(values).any(axis=0).all():
        return None
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    with np.errstate(over="ignore"):  # of scores near the largest number
        middle = np.abs(np.nanmedian(values, axis=0))
    small, large = int(np.argmin(middle)), int(np.argmax(middle))
    whole = values[:, large][np.isfinite(values[:, large])]
    apart = high[small] < low[large] and middle[large] > UNLIKE * max(float(middle[small]), 0.05)
    if not (apart and high[small] <= 1 and low[small] >= 0 and np.all(whole == np.round(whole))):
        return None
    spans = [f"{shown(name)} ({low[i]:g} to {high[i]:g})" for i, name in enumerate(systems)]
    return f"{' and '.join(spans)} don't look like scores of one metric"


def mirrored_systems(values: FloatArray, systems: Sequence[str]) -> str | None:
    """Why two of a few columns can't be two systems: one is the other with its sign turned round.

    >>> mirrored_systems(np.array([[-90.0, 90], [-83, 83], [-101, 101]]), ["reward", "length"])
    "'reward' is the negative of 'length', so they don't look like systems"
    """
    for i, j in combinations(range(len(systems)), 2) if len(systems) <= FEW_SYSTEMS else ():
        one, other = values[:, i], values[:, j]
        there = np.isfinite(one) & np.isfinite(other)
        turned = (one == -other)[there]
        if one[there].any() and there.sum() >= FEWEST_MIRRORED and turned.mean() >= MIRRORED:
            return (
                f"{shown(systems[i])} is the negative of {shown(systems[j])}, so they don't look like systems"
            )
    return None
