"""The swap test of one pair, by the route that suits the measure."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.signflip import sign_flip_columns
from nlpstat_core.engine.signflip.outcome import EXACT
from nlpstat_core.engine.swaps.pair import Swapped, SwappedItems, SwappedSums, swapped_pair
from nlpstat_core.engine.swaps.tails import MOST_COUNTED, SwapTail, counted_tail, tilted_tail
from nlpstat_core.engine.swaps.values import exchanged_of, values_of
from nlpstat_core.scores.measured import Measured

# Measures that see order take a sort or a table of all pairs of items for every draw.
MOST_DRAWS_OF_ITEMS = 10_240


def swap_tail(
    measured: Measured, groups: IntArray, alternative: str, *, seed: int, draws: int, a: int = 0, b: int = 1
) -> SwapTail:
    """p of the swap test of two systems.

    groups (int array, shape (n_items,)): Number of each item's sign: its own, or its document's.
    alternative: About a relative to b.
    draws: Of the tilted draws.
    """
    values = values_of(measured).weighted(np.ones((measured.n_items, 1)))[:, 0]
    if np.isnan(values[[a, b]]).any():
        return SwapTail(math.nan, EXACT)
    measure = exchanged_of(measured)
    pair = swapped_pair(measure, a, b, groups)
    return pair_tail(pair, is_linear(measured), alternative, seed=seed, draws=draws)


def pair_tail(pair: Swapped, linear: bool, alternative: str, *, seed: int, draws: int) -> SwapTail:
    """p of a pair: exact where the measure is linear or few items differ, else from tilted draws."""
    observed = observed_difference(pair)
    if math.isnan(observed):
        return SwapTail(math.nan, EXACT)
    if pair.moved.size == 0:
        return SwapTail(0.0, EXACT)
    if linear and isinstance(pair, SwappedSums):
        tails = sign_flip_columns(steps(pair)[:, None], alternative, seed=seed, resamples=draws)
        log_p = float(tails.log10_p[0]) * math.log(10.0)
        return SwapTail(log_p, int(tails.kind[0]), float(tails.error[0]))
    if pair.moved.size <= MOST_COUNTED:
        return counted_tail(pair, observed, alternative)
    if isinstance(pair, SwappedItems):
        draws = min(draws, MOST_DRAWS_OF_ITEMS)
    return tilted_tail(pair, observed, alternative, seed=seed, draws=draws, units=pair.moved)


def observed_difference(pair: Swapped) -> float:
    """Δ of the outputs as they are."""
    return float(pair.differences(np.ones((pair.moved.size, 1)))[0])


def is_linear(measured: Measured) -> bool:
    """Whether exchanged outputs change the measure linearly."""
    law = measured.law if measured.law.exchange is None else measured.law.exchange
    return law.linear


def steps(pair: SwappedSums) -> FloatArray:
    """What each sign adds to a linear Δ; whole numbers where one number of an item alone counts."""
    if pair.moves.shape[0] == 1:
        slope = float(pair.at(np.ones((1, 1)))[0])
        signed: FloatArray = 2 * pair.moves[0] * math.copysign(1.0, slope)
        return signed
    if pair.moves.shape[0] == 2 and not pair.moves[1].any():  # edits over a length that stays
        edits: FloatArray = 2 * pair.moves[0]
        return edits
    return pair.pulls
