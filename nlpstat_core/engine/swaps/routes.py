"""The swap test of one pair, by the route that suits the measure."""

import math
from collections.abc import Generator, Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.signflip import sign_flip_columns
from nlpstat_core.engine.signflip.outcome import EXACT
from nlpstat_core.engine.swaps.counted import (
    MOST_COUNTED,
    TIE,
    SwapTail,
    counted_tail,
    follows_its_slope,
    plain_tail,
)
from nlpstat_core.engine.swaps.linear import linear_tails
from nlpstat_core.engine.swaps.pair import Swapped, SwappedItems, SwappedSums, swapped_pair
from nlpstat_core.engine.swaps.tails import tilted_draws
from nlpstat_core.engine.swaps.values import exchanged_of, values_of
from nlpstat_core.scores.measured import Measured
from nlpstat_core.stopping import stop_if_asked

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
    smooth = is_smooth(measured)
    return pair_tail(pair, is_linear(measured), alternative, seed=seed, draws=draws, smooth=smooth)


def pair_tail(
    pair: Swapped, linear: bool, alternative: str, *, seed: int, draws: int, smooth: bool = True
) -> SwapTail:
    """p of one pair; see `pair_tails`."""
    return pair_tails([pair], linear, alternative, seed=seed, draws=draws, smooth=smooth)[0]


def pair_tails(
    pairs: Sequence[Swapped],
    linear: bool,
    alternative: str,
    *,
    seed: int,
    draws: int,
    enough: float = 0.0,
    smooth: bool = True,
    plain_draws: int = 0,
) -> list[SwapTail]:
    """p of pairs: exact where the measure is linear or few items differ, else from tilted or plain draws.

    linear: Whether exchanged outputs change the measure linearly.
    draws: At most.
    enough: Relative standard error at which drawing ends.
    smooth: Whether the measure has no steps or kinks; of one that may, draws are only aimed at a pair whose Δ
        follows its slope.
    plain_draws: Of other pairs; `draws` where that is more.
    """
    observed = [pair.observed for pair in pairs]
    drawn = [
        place
        for place, (pair, seen) in enumerate(zip(pairs, observed, strict=True))
        if not linear
        and abs(seen) > TIE
        and pair.moved.size > MOST_COUNTED
        and (smooth or follows_its_slope(pair, pair.moved, seed))
    ]
    lines = linear_tails([math.copysign(1.0, observed[place]) * pairs[place].pulls for place in drawn])
    beside = dict(zip(drawn, lines, strict=True))

    def one(place: int) -> SwapTail | Generator[None, None, SwapTail]:
        pair, seen = pairs[place], observed[place]
        if math.isnan(seen):
            return SwapTail(math.nan, EXACT)
        if pair.moved.size == 0:
            return SwapTail(0.0, EXACT)
        if linear and isinstance(pair, SwappedSums):
            tails = sign_flip_columns(steps(pair)[:, None], alternative, seed=seed, resamples=draws)
            log_p = float(tails.log10_p[0]) * math.log(10.0)
            return SwapTail(log_p, int(tails.kind[0]), float(tails.error[0]))
        if pair.moved.size <= MOST_COUNTED:
            return counted_tail(pair, seen, alternative)
        if place not in beside and abs(seen) > TIE:
            most = max(draws, plain_draws)
            return plain_tail(pair, seen, alternative, seed=seed, draws=most, units=pair.moved)
        most = min(draws, MOST_DRAWS_OF_ITEMS) if isinstance(pair, SwappedItems) else draws
        return tilted_draws(
            pair,
            seen,
            alternative,
            seed=seed,
            draws=most,
            units=pair.moved,
            linear=beside.get(place),
            enough=enough,
            plain_draws=plain_draws,
        )

    found: dict[int, SwapTail] = {}
    waiting: dict[int, Generator[None, None, SwapTail]] = {}
    for place in range(len(pairs)):
        stop_if_asked()
        begun = one(place)
        if isinstance(begun, SwapTail):
            found[place] = begun
        else:
            waiting[place] = begun
    while waiting:
        stop_if_asked()
        for place, pieces in list(waiting.items()):
            try:
                next(pieces)
            except StopIteration as end:
                found[place] = end.value
                del waiting[place]
    return [found[place] for place in range(len(pairs))]


def is_linear(measured: Measured) -> bool:
    """Whether exchanged outputs change the measure linearly."""
    law = measured.law if measured.law.exchange is None else measured.law.exchange
    return law.linear


def is_smooth(measured: Measured) -> bool:
    """Whether the measure of exchanged outputs has no steps or kinks."""
    law = measured.law if measured.law.exchange is None else measured.law.exchange
    return law.smooth


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
