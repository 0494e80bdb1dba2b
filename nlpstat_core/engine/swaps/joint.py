"""Joint null distribution of all pairs in a measure: one sign for every unit, shared by all pairs."""

from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.streams import CHUNK, signs_of_chunk
from nlpstat_core.engine.resampling.studentised import tail_values
from nlpstat_core.engine.swaps.counted import TIE
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.engine.swaps.values import Items, Sums
from nlpstat_core.stopping import stop_if_asked

# Flips that give every pair its scale.
SCALE_FLIPS = 1_024
_STREAM, _SCALE_STREAM = "swap-joint", "swap-scale"
# Numbers of one table of sums of pairs (4 MB).
_MOST_CELLS = 2**19


def joint_step_down(
    units: MeasuredUnits,
    left: IntArray,
    right: IntArray,
    side: int,
    resamples: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> StepDown:
    """Step-down maxima of Δ(s)/σ under shared signs.

    units: Those that all systems have.
    side: 0 for two sides, +1 for a above b, −1 for a below b.
    Returns: Pairs whose measure can't change are outside the maximum.

    σ, a pair's root mean square of Δ(s) over 1,024 flips of their own, puts quiet and noisy pairs on one
    scale; but for its error it is the same whatever outputs are exchanged.
    """
    observed = flipped_differences(units, left, right, np.ones((units.n_groups, 1)))[:, 0]
    scale = np.zeros(left.shape[0])
    for _, flipped in _flips(units, left, right, SCALE_FLIPS, seed, _SCALE_STREAM):
        scale += (flipped**2).sum(axis=1)
    scale = np.sqrt(scale / SCALE_FLIPS)
    included = (scale > TIE) & ~np.isnan(observed)
    unit = np.where(included, scale, 1.0)
    t = tail_values(np.where(included, observed, 0.0) / unit, side)
    steps = StepDown(t, TIE / unit, resamples, included)
    order = steps.order
    whole = slice(0, order.size)
    for which, flipped in _flips(units, left[order], right[order], resamples, seed, _STREAM):
        steps.add(whole, which, tail_values(flipped / unit[order, None], side))
        if progress is not None:
            progress(which.stop, resamples)
    return steps


def _flips(
    units: MeasuredUnits, left: IntArray, right: IntArray, resamples: int, seed: int, stream: str
) -> Iterator[tuple[slice, FloatArray]]:
    """Δ of every pair in every flip, chunk by chunk; 0 where it is undefined."""
    for start in range(0, resamples, CHUNK):
        which = slice(start, min(start + CHUNK, resamples))
        signs = np.concatenate([part for _, part in signs_of_chunk(which, units.n_groups, seed, stream)])
        yield which, np.nan_to_num(flipped_differences(units, left, right, signs))


def flipped_differences(
    units: MeasuredUnits, left: IntArray, right: IntArray, signs: FloatArray
) -> FloatArray:
    """Δ of every pair under signs of units (documents).

    signs (float array, shape (n_groups, B)).
    Returns float array, shape (n_pairs, B): NaN where undefined.
    """
    measure = units.exchangeable
    if isinstance(measure, Items):
        pairs = (units.pair(int(a), int(b)) for a, b in zip(left, right, strict=True))
        found = [pair.differences(signs[pair.moved]) for pair in pairs]
        return np.stack(found) if found else np.empty((0, signs.shape[1]))
    return _of_sums(measure, units.groups, left, right, signs)


def _of_sums(
    measure: Sums, groups: IntArray, left: IntArray, right: IntArray, signs: FloatArray
) -> FloatArray:
    flipped = measure.by_system(measure.outputs @ signs[groups]) / 2
    total = measure.by_system(measure.outputs @ np.ones((groups.size, 1))) / 2
    gold = measure.gold.sum(axis=1)[:, None, None]
    found = np.empty((left.shape[0], signs.shape[1]))
    step = max(1, _MOST_CELLS // (measure.k * signs.shape[1]))
    for start in range(0, left.shape[0], step):
        stop_if_asked()
        a, b = left[start : start + step], right[start : start + step]
        middle, shift = total[:, a] + total[:, b], flipped[:, a] - flipped[:, b]
        with np.errstate(divide="ignore", invalid="ignore"):
            found[start : start + step] = measure.value(gold, middle + shift) - measure.value(
                gold, middle - shift
            )
    return found
