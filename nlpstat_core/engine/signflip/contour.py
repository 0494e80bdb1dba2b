"""The tail by one contour integral along the saddlepoint, all pairs together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.left_out import (
    PROVED,
    ROUNDING_ERROR,
    Found,
    left_to_chance,
    widen_for_returns,
)
from nlpstat_core.engine.signflip.line import SLACK, contour_line
from nlpstat_core.engine.signflip.outcome import LOG_2
from nlpstat_core.engine.signflip.power_sums import FARTHEST, FARTHEST_TILT, ORDERS, PowerSums
from nlpstat_core.engine.signflip.products import characteristic_products
from nlpstat_core.engine.signflip.reach import PartSums, proven_stretch
from nlpstat_core.engine.signflip.rows import counted, rows_of
from nlpstat_core.engine.signflip.screening import nodes_that_count
from nlpstat_core.engine.signflip.tilting import (
    PULL_BESIDE_POLE,
    WeightCumulants,
    gaussian_tilted,
    tilt,
)
from nlpstat_core.engine.signflip.trapezoid import trapezoidal_sum
from nlpstat_core.engine.signflip.vanishing import left_to_the_period
from nlpstat_core.stopping import stop_if_asked

SMALL_SAMPLE = 100
SMALL_SAMPLE_ERROR = 1e-6
SMALL_SAMPLE_FACTOR = 3.0
# Of an angle φ is turned by at the end of its usual stretch, one standard deviation long.
ANGLE_ROUNDING = 36.0 * 2.0**-52
MOST_NODES = 4096
# So many nodes are evaluated however many the weights.
CHEAP_NODES = 128
# Standard deviations of what is left to chance that are part of the error.
DEVIATIONS = 2.0
# So many nodes are screened for the cost of one evaluated.
SCREENED_COST = 10.0
# Where all nodes that count cost too much: minus log of what doesn't count then, and what all that may add.
SLACK_OF_COSTLY, LEFT_OUT_OF_COSTLY = 12.5, 2e-5
# With so many weights that turn φ each its own way its mean is below 1e-40.
ENOUGH_TURNING = 400
ELEMENTS_AT_ONCE = 1 << 15
# What share of the weights may be too large for the power sums: the cheapest is tried first.
ATTEMPTS = (1 / 128, 1 / 32, 1 / 8, 1 / 4, 1 / 2, 1 / 2)
# How much farther than guessed from the Gaussian tilt power sums have to serve, at first; then as much as an
# attempt has shown, and a little more, but only so much at once: where they don't serve their tilt is wrong.
FARTHER_THAN_GUESSED, A_LITTLE, MOST_AT_ONCE = 1.1, 1.01, 1.6
MANY_WEIGHTS = 200
# Power sums pay where at most so many of the weights are left to be multiplied.
MOST_KEPT = 0.75
# Largest share of P(T = t) in P(T ≥ t) that is subtracted for P(T > t): then it is off by twice as much.
MOST_ATOM = 0.5
MOST_ROWS = 256


@dataclass(frozen=True)
class ContourTails:
    """Tails of many pairs; all arrays have shape (n_pairs,).

    log_tail: log P(T ≥ t).
    error: Estimated relative error; infinite where the contour can't serve.
    exact: Where weights on a lattice allowed a proof that nothing was left out.
    log_strict: log P(T > t), off by no more than P(T ≥ t); NaN where that would be a large part of it.
    """

    log_tail: FloatArray
    error: FloatArray
    exact: BoolArray
    log_strict: FloatArray


def log_tails_by_contour(
    weights: FloatArray,
    t: FloatArray,
    step: FloatArray,
    most_factors: float = np.inf,
    farther: float = 1.0,
    proved_only: BoolArray | None = None,
) -> ContourTails:
    """log P(T ≥ t) of many pairs by the contour integral, with honest error estimates.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row (zeros stand for absent
        weights); whole numbers where `step` is 2.
    t (ndarray, shape (n_pairs,)): Observed sums, 0 or more and below the sum of the weights.
    step (ndarray, shape (n_pairs,)): 2 for whole-number weights with greatest common divisor 1, whose sums
        lie 2 apart; 0 without lattice.
    most_factors: Of φ, nodes times weights, beyond which a pair is not followed at all unless few nodes do.
    farther: How many times as far as usual φ is followed: where a few weights dominate, its vanishing is left
        to the small ones.
    proved_only (ndarray of bool, shape (n_pairs,)): Pairs of no use unless their error is proved: else
        no returns of φ are looked for, and it is infinite.

    P(T ≥ t) = (1/2πi)∫ exp(K(s) − st)·kernel(s) ds along s = τ + iy with kernel step/(1 − e^(−step·s)),
    in the limit 1/s without a lattice (there it is the mid-p of an atom at t). The trapezoidal rule runs to
    Y = 36/sd of the tilted sum or farther (see `reach.wanted_reach`), without the nodes at which φ is proved
    negligible. On a lattice the error is mostly a proved bound of what lies beyond Y (see `vanishing`).
    Otherwise it is the largest of 10·|I(Y) − I(Y/2)|/I, max|φ| over [Y/2, Y]/(πI), the same for |φ| where it
    may come back beyond Y (see `returns`), twice the root mean square of what weights add there that turn φ
    each its own way, and 1e-6 below 100 weights.

    Cost: 30 power sums of the weights and nothing dearer for pairs with many weights of similar size,
    otherwise O(n_weights · nodes) complex products per pair, for 30 to 120 nodes.
    """
    found = Found.nothing(t.size)
    n = counted(weights)
    # Rounded up, so that no piece of one or two pairs is left of those that come here together.
    rows = -(-ELEMENTS_AT_ONCE * 8 // weights.shape[1])
    parts = PartSums.joined(
        [PartSums.of(rows_of(weights, some)) for some in _pieces(np.arange(t.size), rows)]
    )
    margin = np.where(n >= MANY_WEIGHTS, FARTHER_THAN_GUESSED, np.inf)
    for share in ATTEMPTS if farther == 1.0 else ():
        for some in _pieces(np.flatnonzero(np.isinf(found.error) & np.isfinite(margin)), rows):
            own = parts.of_rows(some)
            _by_power_sums(rows_of(weights, some), own, t[some], step[some], share, margin, some, found)
    for some in _pieces(np.flatnonzero(np.isinf(found.error)), rows):
        chosen = rows_of(weights, some), parts.of_rows(some), t[some], step[some]
        _by_products(*chosen, most_factors, farther, some, found)
    if proved_only is not None:
        dropped = np.flatnonzero(proved_only & ~found.proved)
        found.error[dropped], found.over_peak[dropped] = np.inf, 0.0
    chance = np.zeros(t.shape)
    # sech² x ≥ 1 − x²: so many weights that turn φ each its own way leave nothing to chance.
    turning = n - found.tau**2 * parts.second[0]
    left = np.flatnonzero(~found.proved & (found.over_peak > 0.0) & (turning < ENOUGH_TURNING))
    for some in _pieces(left, rows):
        chance[some] = left_to_chance(rows_of(weights, some), some, found)
    widen_for_returns(weights, step, chance, found)
    # Without a lattice t itself is an atom of at least 2^(−n), of which the integral counts half.
    half_atom = np.where(step > 0.0, -np.inf, -n * LOG_2 - found.log_tail) - LOG_2
    error = found.error + np.exp(np.minimum(half_atom, 0.0))
    few = (n < SMALL_SAMPLE) & ~found.proved
    error = np.where(few, np.maximum(SMALL_SAMPLE_FACTOR * error, SMALL_SAMPLE_ERROR), error)
    # Weights much larger than all others together turn φ by angles that leave few digits.
    with np.errstate(divide="ignore", invalid="ignore"):
        rounding = np.where(found.sd > 0.0, ANGLE_ROUNDING * weights[:, -1] / found.sd, 0.0)
    exact = found.exact & (rounding <= ROUNDING_ERROR)
    above = np.log1p(-np.where(found.atom <= MOST_ATOM, found.atom, np.nan))
    return ContourTails(
        found.log_tail,
        np.maximum(error, np.maximum(DEVIATIONS * chance, rounding)),
        exact,
        found.log_tail + above,
    )


def _pieces(pairs: NDArray[np.intp], size: int) -> Iterator[NDArray[np.intp]]:
    """So many pairs at a time."""
    for start in range(0, pairs.size, size):
        stop_if_asked()
        yield pairs[start : start + size]


def _by_power_sums(
    weights: FloatArray,
    parts: PartSums,
    t: FloatArray,
    step: FloatArray,
    share: float,
    margin: FloatArray,
    place: NDArray[np.intp],
    found: Found,
) -> None:
    """Settle the pairs whose sums are nearly Gaussian and whose φ is proved to stay away.

    margin (ndarray): How much farther than guessed the power sums of all pairs have to serve; where those of
        a pair didn't, in place, how much farther they should have. Infinite where that would not help.
    """
    spread = parts.second[0]
    guess = gaussian_tilted(spread, t, PULL_BESIDE_POLE)
    begin, _ = proven_stretch(parts, guess, SLACK)
    cut = np.minimum(FARTHEST / np.hypot(guess.tau, begin), FARTHEST_TILT / guess.tau)
    cut /= margin[place]
    large = min(1 << (math.ceil(weights.shape[1] * share) - 1).bit_length(), weights.shape[1] - 1)
    rows = np.flatnonzero((cut > 0.0) & (weights[:, weights.shape[1] - 1 - large] <= cut))
    weights, t, step, cut, place = rows_of(weights, rows), t[rows], step[rows], cut[rows], place[rows]
    sums = PowerSums.of(weights, cut, large)
    tilted = tilt(sums, spread[rows], t, PULL_BESIDE_POLE)
    line = contour_line(weights, parts.of_rows(rows), t, step, tilted)
    too_far = cut * np.maximum(np.hypot(tilted.tau, line.begin) / FARTHEST, tilted.tau / FARTHEST_TILT)
    margin[place] *= np.clip(too_far * A_LITTLE, 1.0, MOST_AT_ONCE)
    served = (line.begin < line.end) & (too_far <= 1.0)
    served &= (line.begin <= MOST_NODES * line.spacing) & (line.begin <= line.reach)
    served &= (line.end >= line.reach) | (step > 0.0)
    margin[place[~served & (too_far <= 1.0)]] = np.inf
    rows = np.flatnonzero(served)
    if rows.size == 0:
        return
    line, sums, t, step, place = line.of(rows), sums.of_rows(rows), t[rows], step[rows], place[rows]
    nodes = int(np.max(np.floor(line.begin / line.spacing))) + 1
    y = np.minimum(np.arange(nodes)[:, None] * line.spacing, line.begin)
    phi = np.exp(sums.log_ratio(line.tilted.tau, y) - 1j * y * t)
    phi *= characteristic_products(sums.large, line.tilted.tau, line.spacing, nodes)
    rest = np.expm1(sums.rest(np.hypot(line.tilted.tau, y)))
    log_tail, error, over_peak, left_out, atom = trapezoidal_sum(
        phi, line, step, np.minimum(line.begin, line.reach), rest
    )
    # What the terms leave out rises with that power of the largest weight.
    too_far = (left_out / ROUNDING_ERROR) ** (1.0 / (2.0 * ORDERS + 2.0))
    margin[place] *= np.clip(too_far * A_LITTLE, 1.0, MOST_AT_ONCE)
    lattice = np.flatnonzero((step > 0.0) & (over_peak > 0.0))
    beyond = np.full(rows.size, np.inf)
    beyond[lattice] = left_to_the_period(
        weights[rows[lattice]], line.tilted.tau[lattice], line.end[lattice], np.log(over_peak[lattice])
    )
    followed = (beyond <= PROVED) | (line.end >= line.reach)
    margin[place[~followed]] = np.inf
    done = followed & (left_out <= ROUNDING_ERROR)
    tails = log_tail[done], error[done], over_peak[done], atom[done]
    found.enter(place[done], line.of(np.flatnonzero(done)), *tails)
    found.prove(place[done], beyond[done])


def _round_numbers(numbers: NDArray[np.intp]) -> NDArray[np.int64]:
    """The smallest of 1 to 8, 10, 12, 14, 16, 20 … not below: so the order of factors is a pair's own."""
    step = 1 << np.maximum(np.floor(np.log2(np.maximum(numbers - 1, 1))).astype(np.int64) - 2, 0)
    rounded: NDArray[np.int64] = np.maximum(-(-numbers // step) * step, 1)
    return rounded


def _by_products(
    weights: FloatArray,
    parts: PartSums,
    t: FloatArray,
    step: FloatArray,
    most_factors: float,
    farther: float,
    place: NDArray[np.intp],
    found: Found,
) -> None:
    """Settle the other pairs, multiplying factors of φ at every node that is not proved negligible.

    Power sums stand for the weights small enough for the last of these nodes, if that is most of them.
    """
    columns, n = weights.shape[1], counted(weights)
    # Of very many weights even the fewest random signs cost more than some nodes.
    budget = np.maximum(most_factors, CHEAP_NODES * n)
    cumulants = WeightCumulants(weights, np.ones(columns))
    tilted = tilt(cumulants, parts.second[0], t, fourth=parts.fourth[0])
    line = contour_line(weights, parts, t, step, tilted, farther)
    followed = line.nodes <= np.minimum(MOST_NODES, SCREENED_COST * budget / n)
    nodes = nodes_that_count(weights, tilted, line.spacing, np.where(followed, line.nodes, 0.0), SLACK)
    costly = np.flatnonzero(followed & (nodes * n > budget))
    nodes[costly] = nodes_that_count(
        rows_of(weights, costly), tilted.of(costly), line.spacing[costly], nodes[costly], SLACK_OF_COSTLY
    )
    last = np.minimum(line.last, (nodes - 0.5) * line.spacing)
    cut = np.minimum(FARTHEST / np.hypot(tilted.tau, last), FARTHEST_TILT / tilted.tau)
    large = np.count_nonzero(weights > cut[:, None], axis=1)
    kept = np.where(large <= MOST_KEPT * n, _round_numbers(large), columns)
    kept = np.minimum(kept, columns)
    followed &= nodes * np.where(kept < columns, kept + ORDERS, n) <= budget
    # Those whose series leaves too much out join the last, of which every weight is a factor.
    for size in sorted({*kept[followed].tolist(), columns}):
        order = np.flatnonzero(followed & (kept == size))
        order = order[np.argsort(nodes[order], kind="stable")]
        rows = min(MOST_ROWS, max(1, ELEMENTS_AT_ONCE // size))
        for start in range(0, order.size, rows):
            stop_if_asked()
            part = order[start : start + rows]
            own = line.of(part)
            doubt: FloatArray | float = 0.0
            most = int(nodes[part].max())
            y = np.minimum(np.arange(most)[:, None] * own.spacing, last[part])
            phi = np.exp(-1j * y * t[part])
            factors = weights[part]
            if size < columns:
                sums = PowerSums.of(factors, cut[part], size)
                factors = sums.large
                phi *= np.exp(sums.log_ratio(own.tilted.tau, y))
                doubt = np.expm1(sums.rest(np.hypot(own.tilted.tau, y)))
            phi *= characteristic_products(factors, own.tilted.tau, own.spacing, most)
            log_tail, error, over_peak, left_out, atom = trapezoidal_sum(
                phi, own, step[part], last[part], doubt
            )
            done = left_out <= ROUNDING_ERROR
            kept[part[~done]] = columns
            tails = log_tail[done], error[done], over_peak[done], atom[done]
            found.enter(place[part[done]], own.of(np.flatnonzero(done)), *tails)
    found.error[place[costly]] += LEFT_OUT_OF_COSTLY
    followed[costly] = False
    lattice = np.flatnonzero(followed & (step > 0.0) & (found.over_peak[place] > 0.0))
    there = place[lattice]
    beyond = left_to_the_period(
        rows_of(weights, lattice), found.tau[there], found.beyond[there], np.log(found.over_peak[there])
    )
    found.prove(there, beyond)
