"""p-values of the swap test for many pairs of one block of units."""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.threads import in_order
from nlpstat_core.engine.signflip.outcome import EXACT
from nlpstat_core.engine.swaps.counted import SwapTail
from nlpstat_core.engine.swaps.routes import pair_tails
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.stopping import stop_if_asked

# Pairs whose linear tails are found together, and numbers of what they move (64 MB).
_MOST_PAIRS = 128
_MOST_CELLS = 2**23


@dataclass(frozen=True, eq=False, kw_only=True)
class SwapTails:
    """p-values of many pairs; all arrays have shape (n_pairs,).

    log_p: Natural logarithm; NaN where the measure is undefined.
    kind: Position in `signflip.KINDS`.
    error: Relative standard error; 0 where exact.
    observed: Difference of the outputs as they are, made comparable.
    n_moved: Items (documents) with unlike outputs.
    plain: Whether from plain random swaps, so that p can't be below 1/(B + 1).
    """

    log_p: FloatArray
    kind: CodeArray
    error: FloatArray
    observed: FloatArray
    n_moved: IntArray
    plain: BoolArray


def swap_tails(
    units: MeasuredUnits,
    left: IntArray,
    right: IntArray,
    alternative: str,
    *,
    seed: int,
    draws: int,
    enough: float = 0.0,
    plain_draws: int = 0,
) -> SwapTails:
    """p of the swap test of every pair.

    alternative: About a relative to b.
    draws: Of the tilted draws of one pair, at most.
    enough: Relative standard error at which drawing ends.
    plain_draws: Of plain swaps, where draws can't be aimed; `draws` where that is more.
    """
    n_pairs = left.shape[0]
    found = SwapTails(
        log_p=np.full(n_pairs, np.nan),
        kind=np.full(n_pairs, EXACT, dtype=np.int8),
        error=np.zeros(n_pairs),
        observed=np.full(n_pairs, np.nan),
        n_moved=np.zeros(n_pairs, dtype=np.int64),
        plain=np.zeros(n_pairs, dtype=np.bool_),
    )
    undefined = np.isnan(units.by_unit[0])  # sums of both sides would round to something
    rows = np.flatnonzero(~(undefined[left] | undefined[right]))
    at_once = max(1, min(_MOST_PAIRS, _MOST_CELLS // max(1, units.measured.k * units.n_groups)))

    def some(start: int) -> list[tuple[SwapTail, float, int]]:
        pairs = [units.pair(int(left[row]), int(right[row])) for row in rows[start : start + at_once]]
        tails = pair_tails(
            pairs,
            units.linear,
            alternative,
            seed=seed,
            draws=draws,
            enough=enough,
            smooth=units.smooth,
            plain_draws=plain_draws,
        )
        return [(tail, pair.observed, pair.moved.size) for tail, pair in zip(tails, pairs, strict=True)]

    parts = in_order(
        some, range(0, rows.size, at_once), sent=units.measured.k * units.n_units * units.measured.n_systems
    )
    for row, (tail, observed, n_moved) in zip(rows, chain.from_iterable(parts), strict=True):
        stop_if_asked()
        found.log_p[row], found.kind[row], found.error[row] = tail.log_p, tail.kind, tail.error
        found.observed[row], found.n_moved[row], found.plain[row] = observed, n_moved, tail.plain
    return found
