"""How far the routes of a flipped sum may go, and what they return."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

PATIENCE = 2
USUAL_RESAMPLES = 10_000


class Settled(NamedTuple):
    """A probability: its logarithm, position in KINDS, relative error, and what came along.

    log_below: Logarithm of P(flipped sum ≤ limit − 1), on a lattice; NaN where a route doesn't know it.
    """

    log_p: float
    kind: int
    error: float
    log_below: float = math.nan


@dataclass(frozen=True)
class Effort:
    """How far the exact routes may go before the contour is preferred.

    most_bits: Base-2 logarithm of the most subsets enumerated (44 take about a second and 150 MB, 36 fifteen
        milliseconds).
    most_steps: Most steps of counting, or of inversion on a lattice worth as many (a tenth of a nanosecond).
    contour: Whether one pair's own contour is worth trying.
    most_factors: Most factors of φ multiplied along all contours of one pair (ten nanoseconds each).
    splits: How many of the largest weights may be fixed to either sign where the contour does not converge.
    error_before: Error of the contour before the last split.
    patience: How many splits in a row may fail to halve the error before splitting ends.
    most_listed: Longest list of the subsets of half of the weights.
    farther: How many times as far as usual one pair's contour may be followed.
    seed: Of the random signs drawn where nothing else comes within the tolerance; None draws none.
    resamples: Least number of these draws.
    most_signs: From so many random signs on, in proportion to `resamples`, a larger error will do.
    followed: What the contour gave already, if it was followed as far as usual.
    most_additions: Most additions of counting weights rounded to a grid (a third of a nanosecond each); 0
        rounds none.
    one_table: Whether pairs with the same few weights share one table of their subsets, as ranks without ties
        do; the cheapest way of counting depends on the pair otherwise.
    """

    most_bits: float = 44.0
    most_steps: float = 1e10
    contour: bool = True
    most_factors: float = 1e8
    splits: int = 8
    error_before: float = math.inf
    patience: int = PATIENCE
    most_listed: int = 1 << 22
    farther: tuple[float, ...] = (4.0, 16.0)
    seed: int | None = 0
    resamples: int = USUAL_RESAMPLES
    most_signs: float = float(1 << 28)
    followed: Settled | None = None
    most_additions: float = 4e8
    one_table: bool = False


ONE_PAIR = Effort()
# Some twenty milliseconds at most for a pair of a board.
ALL_PAIRS = Effort(
    most_bits=36.0,
    most_steps=8e7,
    most_factors=4.5e5,
    splits=0,
    most_listed=1 << 16,
    farther=(),
    most_signs=1.2e6,
    most_additions=1.2e7,
)
RANKS = replace(ALL_PAIRS, most_steps=math.inf, one_table=True)
