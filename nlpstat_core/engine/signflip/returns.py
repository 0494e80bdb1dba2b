"""Where φ may come back far out on the contour: at spans that scores are likely to share, or nearby."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.moduli import squared_sech
from nlpstat_core.engine.signflip.rows import counted
from nlpstat_core.engine.signflip.span import DENOMINATORS, MOST_DECIMALS

# So many weights, spread over the half that moves φ most, are asked first: the fewest at all turns, then so
# many more at a time where |φ| may still be large.
SCREENED_WEIGHTS = 64
SCREENED_FIRST, SCREENED_NEXT = 12, 4
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
# Among so many of all weights it is looked for where that half begins.
SAMPLED = 256
# What log|φ|² of the weights asked may be where others aren't; and how many times as large a share they count
# as in the logarithm of what is negligible, for they stand for all.
SCREENED_OUT, STANDS_FOR = np.float32(2.0 * np.log(0.1)), 2.5
# Of the area that is negligible for a pair: a single turn with less is not looked at.
NEGLIGIBLE_TURN = 10.0
ABOVE_ONE = np.float32(1.0 + 2.0**-22)
# Then so many more, and twice as many, at the returns left; at last all weights.
DECISIVE = 96
# Of so many turns of a pair some are asked of all its weights, to ask those first that tell the most.
MANY_TURNS, ASKED_OF_ALL = 256, 8
# Of the area of a pair's likeliest return: below it a bound of another will do, too.
SHARE_OF_LIKELIEST = 1e-3
# A peak of φ at y has area √(2π)/(sd·y); the factor also covers its repetitions at multiples of y, where
# these aren't looked at themselves.
PEAK_AREA = 10.0

_DECIMAL = np.outer(10.0 ** np.arange(-3, MOST_DECIMALS + 1), DENOMINATORS).ravel()
# Least common multiples of the whole numbers up to 5, 7, 8, 10, 12 and 15: shares of small counts.
_SHARES = np.array([60.0, 420.0, 840.0, 2520.0, 27720.0, 360360.0])
STEPS_PER_UNIT = np.concatenate([_DECIMAL, _SHARES])
# Among whole numbers with common divisor 1, y/π at which halves, thirds, fifths, sevenths and others
# rounded to decimals nearly turn whole: multiples of q·10^(−d), not only the first, since a shift shared by
# all differences lets some line up and not others. The line ends at ½, the return of span 2.
MULTIPLES = 128
_TURNS = np.multiply.outer(
    10.0 ** -np.arange(1.0, MOST_DECIMALS + 1.0),
    np.outer([1.0, 1.6, 3.0, 7.0, 11.0, 13.0], np.arange(1, MULTIPLES + 1)),
).ravel()
# A shift of all scores by such a part of their step: the differences are whole steps, and that more or less.
_PARTS = np.array([*range(2, 17), 24, 32, 48, 64])
_SHIFTED = np.concatenate([np.arange(1, parts // 2 + 1) / parts for parts in _PARTS.tolist()])
_ALL_TURNS = np.unique(np.concatenate([_TURNS, _SHIFTED]).round(12))
TURNS_OF_MULTIPLES = _ALL_TURNS[(_ALL_TURNS > 0.0) & (_ALL_TURNS <= 0.5)]
# Each of these is a return of its own: √(2π), and as much again for returns beside those that are looked for.
ONE_PEAK = 6.0
SCREENED_AT_ONCE = 1 << 16
TINY = 1e-300


def likely_return(
    weights: FloatArray,
    tau: FloatArray,
    sd: FloatArray,
    beyond: FloatArray,
    negligible: FloatArray,
    hopeless: FloatArray,
    whole: bool,
) -> FloatArray:
    """Share of the integral that returns of φ may hold, at the spans of lattices most weights may share.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tau, sd, beyond (ndarray, shape (n_pairs,)): Tilts, tilted standard deviations, and up to where φ was
        followed: returns before that don't count.
    negligible, hopeless (ndarray, shape (n_pairs,)): A bound from some of the weights will do for a return
        with less area than the former, and for all where the likeliest has more than the latter.
    whole: Whether the weights are whole numbers with greatest common divisor 1: the line then ends at π/2.
    Returns ndarray, shape (n_pairs,): Bound of ∫|φ|/y dy over the returns found.

    Weights that are multiples of a, up to a few strays, bring φ back at y = π/a, and no nodes near 0 tell.
    Scores written with decimals, or shares of small counts, suggest the spans; a few weights spread over
    each row screen them out before all weights are asked. Of whole numbers every multiple of a rounded
    fraction is a turn of its own, and the areas of all returns add up; of other weights the worst counts.
    """
    area = np.zeros(tau.shape)
    turns = TURNS_OF_MULTIPLES if whole else STEPS_PER_UNIT
    turns = turns[np.pi * turns > beyond.min()]
    size = max(1, SCREENED_AT_ONCE // max(1, turns.size))
    for start in range(0, tau.size, size):
        some = slice(start, start + size)
        factor = (ONE_PEAK if whole else PEAK_AREA) / (np.pi * sd[some])
        own = _Asked.of(weights[some], tau[some])
        found = _screened(own, beyond[some], turns, _log_least(factor, negligible[some], turns))
        # Most boards leave none, and nothing is asked of all their weights.
        rows, places = np.unique(found.rows, return_inverse=True)
        peak = np.minimum(factor[found.rows] / found.turns, 1.0)
        found = _Turns(places, found.turns, found.square)
        limits = negligible[some][rows], hopeless[some][rows]
        modulus = _followed_up(own.all_weights(rows), found, peak, *limits)
        (np.add if whole else np.maximum).at(area[some], rows[places], modulus * peak)
    return area


@dataclass(frozen=True)
class _Asked:
    """The weights asked first: some of the half that moves φ most.

    Small weights hardly move it, and large ones are tilted too far: the half lies side by side. Those asked
    first are spread over it, for neighbours may be multiples of the same.

    weights (ndarray, shape (n_pairs, n_weights)): All, ascending in each row.
    tau (ndarray, shape (n_pairs,)): Tilts.
    spread (ndarray of int, shape (n_pairs, n_asked)): Which are asked first.
    """

    weights: FloatArray
    tau: FloatArray
    spread: NDArray[np.intp]

    @classmethod
    def of(cls, weights: FloatArray, tau: FloatArray) -> _Asked:
        """Of some pairs; where the half begins is looked for among some of many weights."""
        n = weights.shape[1]
        half = (n + 1) // 2
        stride = max(1, n // SAMPLED)
        sample = weights[:, ::stride]
        moves, window = squared_sech(tau, sample) * sample, (sample.shape[1] + 1) // 2
        later = moves[:, : sample.shape[1] - window] < moves[:, window:]
        begin = np.minimum(stride * np.count_nonzero(later, axis=1), n - half)
        spread = np.linspace(0, half - 1, min(SCREENED_WEIGHTS, half)).astype(np.intp)
        # The first few of them are spread, too.
        spread = spread[np.argsort(np.arange(spread.size) * GOLDEN % 1.0)]
        return cls(weights, tau, begin[:, None] + spread)

    def first(self) -> tuple[FloatArray, FloatArray]:
        """Weights asked first, and their shares; shape (n_pairs, n_asked)."""
        units = np.take_along_axis(self.weights, self.spread, axis=1)
        return units, squared_sech(self.tau, units)

    def all_weights(self, rows: NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
        """All weights of some pairs, those asked first and their half before others, and their shares."""
        n, begin = self.weights.shape[1], self.spread.min(axis=1)[:, None]
        first = self.spread[0] - begin[0]
        order = np.concatenate([first, np.delete(np.arange(n), first)])
        order = (begin[rows] + order) % n
        weights = np.take_along_axis(self.weights[rows], order, axis=1)
        return weights, squared_sech(self.tau[rows], weights)


def _log_least(factor: FloatArray, negligible: FloatArray, turns: FloatArray) -> NDArray[np.float32]:
    """log of |φ|² down to which a single turn is looked at; shape (n_pairs, n_turns)."""
    peak = np.minimum(factor[:, None] / turns, 1.0)
    least = 2.0 * np.log(np.clip(NEGLIGIBLE_TURN * negligible[:, None] / peak, TINY, 1.0))
    return np.asarray(least, dtype=np.float32)


class _Turns(NamedTuple):
    """Turns of some rows, ascending by row, and a bound of |φ|² there; all of shape (n_turns,)."""

    rows: NDArray[np.intp]
    turns: FloatArray
    square: NDArray[np.float32]

    def of(self, some: BoolArray) -> _Turns:
        """Some of the turns."""
        return _Turns(self.rows[some], self.turns[some], self.square[some])


def _screened(own: _Asked, beyond: FloatArray, turns: FloatArray, log_least: NDArray[np.float32]) -> _Turns:
    """Where the first weights allow |φ| above the least that counts.

    Many weights all follow a lattice where a return matters, and so do a few of them. Of few weights those
    that aren't asked may leave as much of φ as there is: nearly all must be asked before a turn is dropped.
    """
    weights, sech2 = own.first()
    # How much of what is negligible the weights asked so far stand for, in the logarithm.
    asked = (weights > 0.0).cumsum(axis=1) / np.maximum(counted(own.weights), 1)[:, None]
    share = np.ascontiguousarray(np.minimum(STANDS_FOR * asked, 1.0).T.astype(np.float32))
    units, parts = np.ascontiguousarray(weights.T), np.ascontiguousarray(sech2.T.astype(np.float32))
    first = min(SCREENED_FIRST, units.shape[0])
    square = np.ones(log_least.shape, dtype=np.float32)
    phases, spare = np.empty(square.shape), np.empty(square.shape)
    for unit, part in zip(units[:first], parts[:first], strict=True):
        np.multiply(unit[:, None], turns, out=phases)
        square *= _factors(phases, part[:, None], spare)
    above = square > np.exp(np.minimum(share[first - 1, :, None] * log_least, SCREENED_OUT))
    rows, which = np.nonzero(above & (np.pi * turns > beyond[:, None]))
    found, least = _Turns(rows, turns[which], square[rows, which]), log_least[rows, which]
    for start in range(first, units.shape[0], SCREENED_NEXT):
        for unit, part in zip(units[start:][:SCREENED_NEXT], parts[start:][:SCREENED_NEXT], strict=True):
            phases = unit.take(found.rows) * found.turns
            found.square[:] *= _factors(phases, part.take(found.rows))
        now = min(start + SCREENED_NEXT, units.shape[0]) - 1
        left = found.square > np.exp(np.minimum(share[now].take(found.rows) * least, SCREENED_OUT))
        found, least = found.of(left), least[left]
    return found


def _followed_up(
    weights_and_shares: tuple[FloatArray, FloatArray],
    found: _Turns,
    peak: FloatArray,
    negligible: FloatArray,
    hopeless: FloatArray,
) -> FloatArray:
    """|φ| at the turns of some rows, or a bound of it where that adds hardly any area."""
    weights, sech2 = weights_and_shares
    rows, turns = found.rows, found.turns
    modulus = np.sqrt(found.square.astype(np.float64))
    left, areas, shares = np.arange(rows.size), modulus * peak, sech2.astype(np.float32)
    likeliest = np.array([part[areas[part].argmax()] for _, part in _row_by_row(rows, left, left.size)], int)
    own = rows[likeliest]
    area = np.zeros(negligible.shape)
    area[own] = _modulus(weights[own].T, shares[own].T, turns[likeliest]) * peak[likeliest]
    enough = np.maximum(negligible[rows], SHARE_OF_LIKELIEST * area[rows]) / peak
    enough[(area > hopeless)[rows]] = np.inf
    start, number = min(SCREENED_WEIGHTS, (weights.shape[1] + 1) // 2), DECISIVE
    for row, part in _row_by_row(rows, left[modulus > enough], left.size):
        if part.size >= MANY_TURNS:
            sample = turns[part[:: part.size // ASKED_OF_ALL]]
            order = start + _most_telling(weights[row, start:], shares[row, start:], sample)
            weights[row, start:], shares[row, start:] = weights[row, order], shares[row, order]
    while start < weights.shape[1]:
        left = left[modulus[left] > enough[left]]
        some = slice(start, start + number)
        for row, part in _row_by_row(rows, left, max(1, SCREENED_AT_ONCE // number)):
            phases = np.multiply.outer(weights[row, some], turns[part])
            factors = _factors(phases, shares[row, some, None])
            modulus[part] *= np.sqrt(factors.prod(axis=0, dtype=np.float64))
        start += number
        number *= 2
    left = left[modulus[left] > enough[left]]
    for row, part in _row_by_row(rows, left, max(1, SCREENED_AT_ONCE // weights.shape[1])):
        modulus[part] = _modulus(weights[row, :, None], shares[row, :, None], turns[part])
    return modulus


def _most_telling(weights: FloatArray, shares: NDArray[np.float32], turns: FloatArray) -> NDArray[np.intp]:
    """Order of the weights of a pair, those first whose factors of |φ|² are the least at some turns.

    Where most weights follow a lattice, the few that don't are asked before them.
    """
    factors = _factors(np.multiply.outer(weights, turns), shares[:, None])
    return np.argsort(np.log(factors).sum(axis=1), kind="stable")


def _row_by_row(
    rows: NDArray[np.intp], left: NDArray[np.intp], most: int
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Each row that is left, and which of its turns are, at most so many at a time."""
    own = rows[left]
    begins = np.append(np.flatnonzero(np.diff(own, prepend=-1)), own.size)
    for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        for start in range(begin, end, most):
            yield int(own[begin]), left[start : min(start + most, end)]


def _modulus(weights: FloatArray, sech2: NDArray[np.float32], turns: FloatArray) -> FloatArray:
    """|φ| of weights, on the first axis, at y = π·turns, whole turns taken off before multiplying by π."""
    phases = weights * turns
    phases -= np.rint(phases)
    factor = np.sin(np.float32(np.pi) * phases.astype(np.float32))
    factor *= factor
    factor *= sech2
    np.subtract(ABOVE_ONE, factor, out=factor)
    return np.asarray(np.sqrt(factor.prod(axis=0, dtype=np.float64)), dtype=np.float64)


def _factors(
    phases: FloatArray, share: NDArray[np.float32], spare: FloatArray | None = None
) -> NDArray[np.float32]:
    """Bounds of the factors of |φ|², from phases that are overwritten, as is an array of their shape.

    x(3 − 4x²) is a little nearer to 0 than sin πx for x from −½ to ½, and ten times as fast. Once whole turns
    are taken off, single precision will do, if what is left of a factor isn't less than its rounding.
    """
    phases -= np.rint(phases, out=spare)
    square = phases.astype(np.float32)
    square *= square
    factor: NDArray[np.float32] = np.float32(-4.0) * square
    factor += np.float32(3.0)
    factor *= factor
    factor *= square
    factor *= share
    return np.subtract(ABOVE_ONE, factor, out=factor)
