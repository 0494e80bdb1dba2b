"""p-values of the swap test for many pairs of one block of units."""

import math
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import CodeArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.threads import in_order
from nlpstat_core.engine.signflip.outcome import EXACT
from nlpstat_core.engine.swaps.routes import observed_difference, pair_tail
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.stopping import stop_if_asked


@dataclass(frozen=True, eq=False, kw_only=True)
class SwapTails:
    """p-values of many pairs; all arrays have shape (n_pairs,).

    log_p: Natural logarithm; NaN where the measure is undefined.
    kind: Position in `signflip.KINDS`.
    error: Relative standard error; 0 where exact.
    observed: Difference of the outputs as they are, made comparable.
    n_moved: Items (documents) with unlike outputs.
    """

    log_p: FloatArray
    kind: CodeArray
    error: FloatArray
    observed: FloatArray
    n_moved: IntArray


def swap_tails(
    units: MeasuredUnits,
    left: IntArray,
    right: IntArray,
    alternative: str,
    *,
    seed: int,
    draws: int,
) -> SwapTails:
    """p of the swap test of every pair.

    alternative: About a relative to b.
    draws: Of the tilted draws of one pair.
    """
    linear, values = units.linear, units.by_unit[0]

    def one(row: int) -> tuple[float, int, float, float, int]:
        stop_if_asked()
        a, b = int(left[row]), int(right[row])
        if np.isnan(values[a]) or np.isnan(values[b]):  # sums of both sides would round to something
            return math.nan, EXACT, 0.0, math.nan, 0
        pair = units.pair(a, b)
        tail = pair_tail(pair, linear, alternative, seed=seed, draws=draws)
        return tail.log_p, tail.kind, tail.error, observed_difference(pair), pair.moved.size

    found = list(in_order(one, range(left.shape[0])))
    log_p, kind, error, observed, n_moved = zip(*found, strict=True) if found else ((),) * 5
    return SwapTails(
        log_p=np.array(log_p, dtype=np.float64),
        kind=np.array(kind, dtype=np.int8),
        error=np.array(error, dtype=np.float64),
        observed=np.array(observed, dtype=np.float64),
        n_moved=np.array(n_moved, dtype=np.int64),
    )
