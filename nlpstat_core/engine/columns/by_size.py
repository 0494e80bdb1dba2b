"""Differences in the order of their sizes, with their signs: where signed ranks and sign flips begin."""

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.columns.differences import PairDifferences, on_grid
from nlpstat_core.scores.grid import MOST_DECIMALS, parts_of

Keys = NDArray[np.uint32] | NDArray[np.uint64]
# Scores of so many steps, at most, become short whole numbers.
MOST_STEPS = 2.0**28


def sorted_keys(batch: PairDifferences, differences: FloatArray) -> Keys:
    """Sorted keys of some pairs: one row per pair, |z| above its sign bit (1 for negative).

    differences (float array, shape (pairs, n_units)): u − v of pairs of this batch.

    Scores with few decimals become short whole numbers, which sort twice as fast. Otherwise the bit pattern
    of a float, which rises with its size, is turned left by one bit, so that the sign is the lowest bit.
    Differences are on the scores' grid if there is one (`has_grid`); else they are as they are.
    """
    keys: Keys
    if steps := short_steps(batch):
        whole = np.rint(differences * steps)
        keys = (np.abs(whole).astype(np.uint32) << np.uint32(1)) | (whole < 0)
    else:
        if has_grid(batch):
            differences = on_grid(differences, batch.units.decimals, batch.delta)
        bits = differences.view(np.uint64)
        keys = (bits << np.uint64(1)) | (bits >> np.uint64(63))
    keys.sort(axis=1)
    return keys


def has_grid(batch: PairDifferences) -> bool:
    """Whether sizes tie as sorted; else where they are equal once rounded (`rounded_keys`)."""
    decimals = batch.units.decimals
    return batch.delta != 0.0 or decimals < MOST_DECIMALS or parts_of(decimals) > 0


def rounded_keys(keys: Keys, decimals: int) -> Keys:
    """Sorted keys of differences once these are rounded: again sorted."""
    bits = np.round((keys >> np.uint64(1)).view(np.float64), decimals).view(np.uint64)
    rounded = (bits << np.uint64(1)) | np.where(bits == 0, np.uint64(0), keys & np.uint64(1))
    # Sizes that rounding made the same stand in the order of what was rounded away.
    mixed = np.flatnonzero((rounded[:, 1:] < rounded[:, :-1]).any(axis=1))
    rounded[mixed] = np.sort(rounded[mixed], axis=1)
    return rounded


def signed(keys: Keys) -> FloatArray:
    """The differences, as they stand in the keys; short ones in whole steps of the grid."""
    if keys.dtype == np.uint32:
        size, turned = (keys >> np.uint32(1)).view(np.int32), -(keys & np.uint32(1)).view(np.int32)
        return ((size ^ turned) - turned).astype(np.float64)
    return ((keys >> np.uint64(1)) | (keys << np.uint64(63))).view(np.float64)


def short_steps(batch: PairDifferences) -> float:
    """Steps of the grid in a unit, where differences are short whole numbers of them; else 0."""
    if batch.delta != 0.0 or not has_grid(batch):
        return 0.0
    steps = float(parts_of(batch.units.decimals)) or 10.0**batch.units.decimals
    return steps if batch.units.largest * steps < MOST_STEPS else 0.0
