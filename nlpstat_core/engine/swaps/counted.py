"""p-values of the swap test of one pair by counting swaps: all of them, or plain random ones."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK
from nlpstat_core.engine.signflip.outcome import EXACT, MONTE_CARLO
from nlpstat_core.engine.swaps.draws import drawn
from nlpstat_core.engine.swaps.pair import Kept, Swapped

TIE = 1e-12
# Up to so many items with unlike outputs every swap is counted.
MOST_COUNTED = 16
# Correlation of Δ(s) with Σ s·L from which draws aimed along L find what counts, and the draws that tell.
_ALIKE = 0.98
_TRIED = 4 * CHUNK
_STREAM = "swap-plain"


@dataclass(frozen=True)
class SwapTail:
    """One p-value.

    log_p: Natural logarithm.
    kind: Position in `signflip.KINDS`.
    error: Relative standard error; 0 where exact.
    plain: Whether from plain random swaps, so that p can't be below 1/(B + 1).
    """

    log_p: float
    kind: int
    error: float = 0.0
    plain: bool = False


def counted_tail(pair: Swapped, observed: float, alternative: str) -> SwapTail:
    """p by counting all 2^m swaps of the m items with unlike outputs.

    observed: Δ of the outputs as they are.
    """
    m = pair.moved.size
    reached, places = 0, np.arange(m)[:, None]
    for start in range(0, 2**m, 4 * CHUNK):
        numbers = np.arange(start, min(start + 4 * CHUNK, 2**m), dtype=np.int64)
        signs: FloatArray = 1.0 - 2.0 * ((numbers >> places) & 1).astype(np.float64)
        reached += int(np.count_nonzero(reaches(pair.differences(signs), observed, alternative)))
    return SwapTail(math.log(reached / 2**m), EXACT)


def reaches(differences: FloatArray, observed: float, alternative: str) -> BoolArray:
    """Whether swapped differences are at least as extreme; undefined ones are not."""
    if alternative == "two-sided":
        found: BoolArray = np.abs(differences) >= abs(observed) - TIE
    elif alternative == "greater":
        found = differences >= observed - TIE
    else:
        found = differences <= observed + TIE
    return found


def plain_tail(
    pair: Swapped, observed: float, alternative: str, *, seed: int, draws: int, units: IntArray
) -> SwapTail:
    """p = (c + 1)/(B + 1), c of B random swaps at least as extreme: of measures that draws can't be aimed at.

    observed: Δ of the outputs as they are.
    draws: B.
    units (int array, shape (n_moved,)): Position of each sign's item in the canonical order.
    """
    reached = sum(
        int(np.count_nonzero(reaches(pair.of_kept(kept), observed, alternative)))
        for kept in _plain(units, draws, seed)
    )
    p = (reached + 1) / (draws + 1)
    return SwapTail(math.log(p), MONTE_CARLO, math.sqrt((1 - p) / (p * draws)), plain=True)


def follows_its_slope(pair: Swapped, units: IntArray, seed: int) -> bool:
    """Whether Δ(s) goes along with Σ s·L in plain swaps: not where the measure has steps or kinks nearby."""
    kept = np.concatenate(list(_plain(units, _TRIED, seed)), axis=1)
    differences, along = pair.of_kept(kept), pair.pulls @ kept
    if not np.isfinite(differences).all() or not differences.std() or not along.std():
        return False
    return bool(np.corrcoef(differences, along)[0, 1] >= _ALIKE)


def _plain(units: IntArray, draws: int, seed: int) -> Iterator[Kept]:
    return drawn(units, np.full(units.size, 0.5), draws, seed, _STREAM)
