"""Tails of sums of weights of any size: rounded to a fine grid, on which subsets are counted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.counting import Subsets
from nlpstat_core.engine.signflip.outcome import LOG_2
from nlpstat_core.engine.signflip.tilting import flip_chances, flip_tilt
from nlpstat_core.stopping import stop_if_asked

# So many of the largest weights keep their sizes: each of their subsets looks up what it leaves to others.
KEPT = 8
# How far rounding may move a sum, in standard deviations of that, and in cells, squared, what comes besides.
FARTHEST, VARIANCE_BESIDES = 5.0, 0.25
# Of that, where the counts are looked at; how far off a mean may be, as a share of what they grow by, and
# as a multiple of how unevenly they grow: rounding smooths a jump, half of which may be missed. At most, all
# that they grow by, and a little more, for rounding may have made it smaller.
NEARBY, OF_SLOPE, OF_BEND, OF_ALL = np.linspace(-1.0, 1.0, 17), 0.2, 6.0, 1.1
# Whole numbers of cells for the most frequent weight that are tried, other weights that they should suit,
# and what rounding may leave then of what it adds, squared.
MULTIPLES, FREQUENT, ALIGNED = 2048, 64, 0.25
# Of so many of the largest rounded weights the chances say little: these may all be flipped, or none.
LARGEST = 32
# Of a probability, by sums that rounding moves farther, and by the rest of the arithmetic.
LEAST_ERROR = 1e-6
# Weights between two looks whether numbers of subsets grow too large, and by what they are divided then.
AT_ONCE, LARGE = 400, 600


class Rounded(NamedTuple):
    """log P(flipped sum ≤ limit), what its relative error may be, and log P(flipped sum ≤ limit − step)."""

    log_p: float
    error: float
    log_below: float


NOTHING = Rounded(-math.inf, math.inf, math.nan)


def log_at_most_rounded(
    sizes: FloatArray,
    limit: float,
    cells: int,
    *,
    tau: float | None = None,
    step: float = 0.0,
    useful: float = math.inf,
) -> Rounded:
    """log P(Σ b_i w_i ≤ limit) for fair coins b_i, with all but the largest weights rounded to whole cells.

    sizes (ndarray, shape (n_weights,)): Weights w, 0 or more, ascending.
    limit: Above 0, and not below the smallest weight.
    cells: How many make up the limit, or the sum of the weights that are rounded if that is smaller.
    tau: The tilt under which the flipped sum is expected to be the limit, if that is known.
    step: See `Rounded.log_below`.
    useful: Nothing is counted where the error is likely to be larger: then it is infinite.

    Rounding moves a sum by Σ b_i·(what was added to w_i). In the mean, with the chances b_i have beside a sum
    at the limit, the limit is moved along; the rest is random like the coins, with a standard deviation of
    some √n/7 cells. So the error is at most what lies within five of these of the limit, which the counts
    tell, and mostly far less: of smooth sums it cancels. Many sizes below a cell make way for coins of one
    cell with the same mean and variance. The largest, whose subsets leave gaps that would be rounded away,
    aren't rounded at all. Cost O(n · cells) additions.
    """
    tau = flip_tilt(sizes, limit) if tau is None else tau
    possible = sizes[: np.searchsorted(sizes, limit, side="right")]
    kept = min(KEPT, possible.size // 2)
    rest, sums = possible[: possible.size - kept], np.zeros(1)
    for weight in possible[possible.size - kept :]:
        sums = np.concatenate([sums, sums + weight])
    total = float(rest.sum())
    cell = _cell(rest, min(limit, total) / cells)
    exact = rest / cell
    chance = flip_chances(tau, rest)
    rounded = np.rint(exact)
    # Of the smallest weights, by so many coins of one cell.
    small = int(np.searchsorted(exact, 1.0))
    coins = round(float((exact[:small] ** 2).sum()))
    rounded[:small] = np.where(np.arange(small) < small - coins, 0.0, 1.0)
    added = rounded - exact
    moved = float((chance * added)[small:].sum()) - float((chance * exact)[:small].sum())
    moved += coins * float(flip_chances(tau, np.array([cell]))[0])
    variance = (chance * (1.0 - chance))[small:]
    variance[-LARGEST:] = 0.25
    apart = FARTHEST * math.sqrt(float((variance * added[small:] ** 2).sum()) + VARIANCE_BESIDES)
    if OF_SLOPE * 2.0 * tau * cell * apart > useful:
        return NOTHING
    top = math.ceil(min(limit / cell + moved + apart, float(rounded.sum()))) + 1
    counts = _Counts.of(rounded[rounded > 0.0], max(top, 0))
    left = (limit - sums) / cell + moved
    here = counts.up_to(left)
    if here <= 0.0:
        return NOTHING
    nearby = np.array([counts.up_to(left + by * apart) for by in NEARBY])
    slope = (nearby[-1] - nearby[0]) / 2.0
    bent = float(np.abs(nearby - here - slope * NEARBY).max())
    most = OF_ALL * max(nearby[-1] - here, here - nearby[0])
    error = float(min(most, OF_BEND * bent + OF_SLOPE * slope)) / here + LEAST_ERROR
    below = counts.up_to(left - step / cell)
    log_scale = counts.log_scale - LOG_2 * float(np.count_nonzero(rounded) + sizes.size - rest.size)
    log_below = math.log(below) + log_scale if below > 0.0 else -math.inf
    return Rounded(math.log(here) + log_scale, error, log_below)


def _cell(sizes: FloatArray, most: float) -> float:
    """A cell of half this size or more, of which frequent weights are whole multiples, or nearly so."""
    values, often = np.unique(sizes, return_counts=True)
    frequent = np.argsort(-often * values, kind="stable")[:FREQUENT]
    values, often = values[frequent], often[frequent]
    first = math.ceil(values[0] / most)
    multiples = first + np.arange(min(max(first, 1), MULTIPLES))
    exact = np.multiply.outer(multiples / values[0], values)
    exact -= np.rint(exact)
    added = np.square(exact, out=exact) @ often.astype(np.float64)
    best = int(np.argmin(added))
    return float(values[0] / multiples[best]) if added[best] < ALIGNED * added[0] else most


@dataclass(frozen=True)
class _Counts:
    """Numbers of subsets by their sum, in cells, divided by e^log_scale.

    table, up (ndarray, shape (top + 1,)): How many have each sum, and how many at most that.
    """

    table: FloatArray
    up: FloatArray
    log_scale: float

    @classmethod
    def of(cls, weights: FloatArray, top: int) -> _Counts:
        """Of ascending whole numbers, up to a sum."""
        subsets, log_scale = Subsets.none(top), 0.0
        for start in range(0, weights.size, AT_ONCE):
            stop_if_asked()
            subsets = subsets.with_more(weights[start : start + AT_ONCE])
            if float(subsets.table.max()) > 2.0**LARGE:
                np.ldexp(subsets.table, -LARGE, out=subsets.table)
                log_scale += LARGE * LOG_2
        return cls(subsets.table, np.cumsum(subsets.table), log_scale)

    def up_to(self, limits: FloatArray) -> float:
        """How many sums there are up to each of several limits, all together.

        Counts up to a whole number stand for a continuous sum up to half a cell more.
        """
        last = self.table.size - 1
        free = np.clip(limits - 0.5, -1.0, last)
        below = np.floor(free).astype(np.int64)
        up = np.where(below >= 0, self.up[np.maximum(below, 0)], 0.0)
        more = np.where(below < last, self.table[np.minimum(below + 1, last)], 0.0)
        return float((up + (free - below) * more).sum())
