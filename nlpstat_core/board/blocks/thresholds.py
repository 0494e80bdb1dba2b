"""Up to which p-value a corrected family is significant, of p-values that are never in memory together."""

from collections.abc import Callable, Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray

# Bits of a number in [0, 1] that don't tell its bin: 11 of the exponent and 12 of the fraction do.
_SHIFT = 40
N_BINS = (int(np.float64(1.0).view(np.int64)) >> _SHIFT) + 1
# So many p-values are looked at together, unless a single bin has more.
_AT_ONCE = 1 << 22

# The p-values in some bins: each once, ascending, and how often it occurs.
Look = Callable[[IntArray], tuple[FloatArray, IntArray]]


def bins_of(p_values: FloatArray) -> IntArray:
    """The bin of each p-value, 0 to N_BINS − 1: a bin's numbers differ by at most 1/4096 of themselves."""
    # Numbers from 0 on are ordered as their bits are; −0 becomes 0.
    bins: IntArray = (p_values + 0.0).view(np.int64) >> _SHIFT
    return bins


def largest_significant(correction: str, alpha: float, counts: IntArray, look: Look) -> float:
    """The number up to which p-values are significant: those that `adjust_family` and p ≤ α decide.

    counts (int array, shape (N_BINS,)): p-values in each bin.
    look: Asked for a few bins only, those between which the decision changes.
    Returns: −1 where none is.
    """
    m = int(counts.sum())
    if m == 0:
        return -1.0
    if correction == "none":
        return alpha
    if correction == "bonferroni":
        return _last_within(lambda p: p * float(m) <= alpha, alpha / m)
    return _holm(alpha, counts, m, look) if correction == "holm" else _step_up(alpha, counts, m, look)


def _last_within(within: Callable[[float], bool], near: float) -> float:
    """The largest float for which a product that rises stays within α, looked for near the quotient."""
    while within(near):
        near = float(np.nextafter(near, np.inf))
    while not within(near):
        near = float(np.nextafter(near, -np.inf))
    return near


def _ends(bins: IntArray) -> tuple[FloatArray, FloatArray]:
    """The smallest and the largest number of each bin."""
    low = (bins << _SHIFT).view(np.float64)
    high = (((bins + 1) << _SHIFT) - 1).view(np.float64)
    return low, np.minimum(high, 1.0)


def _holm(alpha: float, counts: IntArray, m: int, look: Look) -> float:
    """Below the smallest p with (m − rank + 1)·p > α; of equal ones the first rank counts."""
    bins = np.flatnonzero(counts)
    own, (low, high) = counts[bins], _ends(bins)
    before = np.cumsum(own) - own
    doubtful, certain = (m - before) * high > alpha, (m - before - own + 1) * low > alpha
    for some in _in_turn(bins, own, doubtful, certain):
        values, times = look(some)
        place = np.searchsorted(bins, bins_of(values))
        smaller = before[place] + _ranks_within(place, times)
        beyond = (m - smaller) * values > alpha
        if beyond.any():
            return float(np.nextafter(values[np.argmax(beyond)], -np.inf))
    return 1.0


def _step_up(alpha: float, counts: IntArray, m: int, look: Look) -> float:
    """The largest p with p/(rank/m) ≤ α; of equal ones the last rank counts."""
    bins = np.flatnonzero(counts)
    own, (low, high) = counts[bins], _ends(bins)
    upto = np.cumsum(own)
    doubtful, certain = low / (upto / m) <= alpha, high / (upto / m) <= alpha
    turned = slice(None, None, -1)
    for some in _in_turn(bins[turned], own[turned], doubtful[turned], certain[turned]):
        values, times = look(some)
        place = np.searchsorted(bins, bins_of(values))
        rank = (upto - own)[place] + _ranks_within(place, times) + times
        within = values / (rank / m) <= alpha
        if within.any():
            return float(values[np.flatnonzero(within)[-1]])
    return -1.0


def _in_turn(bins: IntArray, own: IntArray, doubtful: BoolArray, certain: BoolArray) -> Iterator[IntArray]:
    """Bins that may hold the p-value looked for, up to the first that is certain to, some at a time."""
    end = int(np.argmax(certain)) + 1 if certain.any() else bins.size
    left = np.flatnonzero(doubtful[:end])
    group = np.cumsum(own[left]) // _AT_ONCE
    for number in np.unique(group):
        yield np.sort(bins[left[group == number]])


def _ranks_within(place: IntArray, times: IntArray) -> IntArray:
    """How many p-values of the same bin are smaller."""
    upto = np.cumsum(times)
    first = np.searchsorted(place, place, side="left")
    smaller: IntArray = upto - times - (upto - times)[first]
    return smaller
