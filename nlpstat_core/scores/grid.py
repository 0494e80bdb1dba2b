"""The grid that scores were written on: so many decimals, or fractions of one denominator printed to them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Self

import numpy as np

from nlpstat_core.arrays import FloatArray

MOST_DECIMALS = 10
# With fewer decimals a fraction can't be told from a decimal number.
FEWEST_PRINTED = 3
# A decimal step as narrow as this many steps of float32 would be met by chance.
_SINGLE_STEPS = 8
# Decimals with which a float64 of the size of a score may still have been printed.
_MOST_PRINTED = 15
_MOST_PARTS = 10_000
# A denominator times the print precision: how often a number of no grid falls on it by chance.
_LARGEST_CHANCE = 0.05
# Chance with which all the scores of a file may fall on the grid.
_ACCEPTED = math.log(1e-6)
_PROBED = 24
_ROUNDS = 40
# A mean of whole numbers is off by a few steps of float64.
_STEPS = 4.0


class Grid(int):
    """Decimals that scores were written with; for printed fractions also their common denominator.

    It is the number of decimals, so that whatever rounds to decimals goes on doing so.

    parts: Scores are multiples of 1/parts, up to the rounding of print; 0 where decimals are all there is.

    >>> Grid(6, 30), Grid(6, 30).parts, Grid(6, 30).snapped(np.array([0.033333, -0.133334])).tolist()
    (6, 30, [0.03333333333333333, -0.13333333333333333])
    """

    parts: int

    def __new__(cls, decimals: int, parts: int = 0) -> Self:
        """Decimals and denominator."""
        made = super().__new__(cls, decimals)
        made.parts = parts
        return made

    def __reduce__(self) -> tuple[type[Grid], tuple[int, int]]:
        """What a copy in another process is made of."""
        return type(self), (int(self), self.parts)

    def steps(self, scores: FloatArray) -> FloatArray:
        """Scores or differences in whole multiples of 1/parts, without −0.0."""
        return np.asarray(np.rint(scores * self.parts) + 0.0, dtype=np.float64)

    def snapped(self, scores: FloatArray) -> FloatArray:
        """The multiples of 1/parts that were printed."""
        return self.steps(scores) / self.parts


def grid_of(scores: FloatArray) -> Grid:
    """The grid that scores were written on; see `ScoreMatrix.decimals`."""
    decimals = _decimals(scores)
    parts = common_denominator(scores, decimals, MOST_DECIMALS) if decimals >= FEWEST_PRINTED else 0
    return Grid(decimals, parts)


def _decimals(values: FloatArray) -> int:
    """Decimals the scores were written with, at most 10."""
    open_values = values
    for places in range(MOST_DECIMALS):
        open_values = open_values[np.round(open_values, places) != open_values]
        if not open_values.size:
            return places
    return _decimals_in_single_precision(values)


def _decimals_in_single_precision(values: FloatArray) -> int:
    """Decimals of scores rounded to float32, as long as a decimal step is several float32 steps wide."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if np.array_equal(single, values):
        widest = float(np.spacing(np.abs(single).max()))
        for places in range(MOST_DECIMALS):
            if 10.0**-places < _SINGLE_STEPS * widest:
                break
            if np.array_equal(np.round(values, places).astype(np.float32), single):
                return places
    return MOST_DECIMALS


def parts_of(decimals: int) -> int:
    """Denominator of the scores' grid, 0 where decimals are all there is."""
    return decimals.parts if isinstance(decimals, Grid) else 0


def common_denominator(scores: FloatArray, decimals: int, most_decimals: int) -> int:
    """The whole number q for which all scores are k/q, up to the rounding of print; 0 where there is none.

    decimals: Decimals they were written with; `most_decimals` where more or none fit.
    Returns: 0 also where decimals say the same, as of eighths with three decimals.

    Within the rounding of print, half of the last decimal, each score suggests the fraction of smallest
    denominator, and the least common multiple of a few is tried on all. With d decimals q is at most
    10^(d/2), so that two fractions can't be meant by one number, at most 5 % of 10^d, so that few numbers
    fall on the grid by chance, and so small for the number of different scores that all doing so by chance
    is out of the question. No two different printed scores then share a multiple of 1/q.
    """
    half = _half_steps(scores, decimals, most_decimals)
    if half is None or not scores.size:
        return 0
    precision = 2.0 * float(half.max())
    most = min(_MOST_PARTS, math.isqrt(int(1.0 / precision)), int(_LARGEST_CHANCE / precision))
    parts, open_scores = 1, np.flatnonzero(scores != np.rint(scores))
    for _ in range(_ROUNDS):
        places = np.linspace(0, open_scores.size - 1, min(_PROBED, open_scores.size))
        some = open_scores[places.astype(np.intp)]
        for score, width in set(zip(scores[some].tolist(), half[some].tolist(), strict=True)):
            parts = math.lcm(parts, _simplest(abs(score), width))
            if parts > most:
                return 0
        off = np.abs(scores[open_scores] * parts - np.rint(scores[open_scores] * parts))
        open_scores = open_scores[off > parts * half[open_scores]]
        if not open_scores.size:
            break
    else:
        return 0
    if decimals < most_decimals and 10**decimals % parts == 0:
        return 0
    different = np.unique(np.rint(scores * parts) % parts).size - 1
    by_chance = different * math.log(parts * precision) + math.log(parts)
    return parts if by_chance <= _ACCEPTED else 0


def _half_steps(scores: FloatArray, decimals: int, most_decimals: int) -> FloatArray | None:
    """How far each score may be from what it was printed from; None where nothing can be said."""
    if decimals < most_decimals:
        # Float64 adds its own rounding to that of print.
        return np.full(scores.shape, 0.5 * 10.0**-decimals * (1.0 + 1e-6))
    for printed in range(most_decimals, _MOST_PRINTED):
        with np.errstate(over="ignore", invalid="ignore"):
            fits = all(np.array_equal(np.round(some, printed), some) for some in (scores[:_PROBED], scores))
        if fits:
            return np.full(scores.shape, 0.5 * 10.0**-printed * (1.0 + 1e-3))
    size = np.maximum(np.abs(scores), 1.0)
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    if np.array_equal(single, scores):
        return np.asarray(size * float(np.finfo(np.float32).eps), dtype=np.float64)
    return np.asarray(_STEPS * size * np.finfo(np.float64).eps, dtype=np.float64)


def _simplest(score: float, width: float) -> int:
    """Smallest denominator of a fraction within `width` of a score, by continued fractions."""
    low, high = Fraction(score) - Fraction(width), Fraction(score) + Fraction(width)
    # Denominators of the convergents that both ends share.
    before, now = 1, 0
    while math.ceil(low) > high:
        floor = math.floor(low)
        before, now = now, floor * now + before
        low, high = 1 / (high - floor), 1 / (low - floor)
    return math.ceil(low) * now + before
