"""The choice of route: which exact method, or which approximation, settles one flipped sum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.signflip.binomial import log_upper_tails
from nlpstat_core.signflip.contour import log_tails_by_contour
from nlpstat_core.signflip.counting import MOST_WEIGHTS, log_at_most_counted
from nlpstat_core.signflip.lattice import log_at_most_lattice
from nlpstat_core.signflip.meet import bits_to_try, log_at_most_enumerated
from nlpstat_core.signflip.outcome import CONTOUR, EXACT, LOG_2

TIE_TOLERANCE = 1e-12
EXACT_ROUNDING = 1e-13
CONTOUR_TOLERANCE = 1e-3
WELL_PROVED = 150
LONGEST_COUNT = 20_000_000
QUICK_COUNT = 100_000
STEPS_PER_SUBSET = 64


@dataclass(frozen=True)
class Effort:
    """How far the exact routes may go before the contour is preferred.

    Attributes
    ----------
    most_bits : float
        Base-2 logarithm of the most subsets enumerated (44 take about a second and 150 MB).
    most_products : float
        Largest product of distinct weights and nodes inverted on a lattice.
    contour : bool
        Whether one pair's own contour is worth trying.
    """

    most_bits: float = 44.0
    most_products: float = 2e7
    contour: bool = True


ONE_PAIR = Effort()
ALL_PAIRS = Effort(most_bits=36.0)
RANKS = Effort(most_bits=36.0, most_products=math.inf)


class Settled(NamedTuple):
    """A probability that needed no random numbers: its logarithm, position in KINDS, relative error."""

    log_p: float
    kind: int
    error: float


def grouped(weights: FloatArray, whole: bool) -> tuple[FloatArray, FloatArray]:
    """Distinct weights above 0, ascending, and how often each occurs.

    Parameters
    ----------
    weights : ndarray, shape (n_weights,)
        0 or more.
    whole : bool
        Whether they are whole numbers, for which a table is faster than sorting.

    Returns
    -------
    values, counts : ndarray of float64, shape (n_values,)
    """
    if whole and weights.size and weights.max() <= 4 * weights.size + 1024:
        table = np.bincount(weights.astype(np.int64))
        table[0] = 0
        values = np.flatnonzero(table)
        return values.astype(np.float64), table[values].astype(np.float64)
    distinct, counts = np.unique(weights[weights > 0.0], return_counts=True)
    return distinct, counts.astype(np.float64)


def log_at_most(
    values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort = ONE_PAIR
) -> Settled | None:
    """log P(Σ b_i w_i ≤ limit) for fair coins b_i: the flipped sum, since T = Σw − 2·Σ b_i w_i.

    Parameters
    ----------
    values, counts : ndarray, shape (n_values,)
        Weights above 0 and how often each occurs; whole numbers if `whole`.
    limit : float
        A value that no subset sum equals or is within rounding of: half-way between two whole numbers, or
        moved by the tie tolerance.
    whole : bool
        Whether the weights are whole numbers.
    effort : Effort
        How far to go.

    Returns
    -------
    Settled or None
        None when nothing within the effort settles it.

    Notes
    -----
    Two exact reductions come first and repeat until neither applies. A weight above the limit can't be
    flipped, which halves the probability (one giant weight, or t near its maximum). A limit beyond half the
    total is 1 minus the mirror image.
    """
    if limit < 0.0:
        return Settled(-math.inf, EXACT, 0.0)
    free = values <= limit
    held = 0.0
    if not free[-1] or not np.all(free):
        held = float(counts[~free].sum()) * LOG_2
        values, counts = values[free], counts[free]
    total = float(np.dot(values, counts))
    if total <= limit:
        return Settled(-held, EXACT, 0.0)
    if 2.0 * limit > total:
        inner = log_at_most(values, counts, total - limit, whole, effort)
        if inner is None:
            return None
        rest = math.log1p(-math.exp(inner.log_p))
        return Settled(rest - held, inner.kind, inner.error * math.exp(inner.log_p - rest))
    if whole:
        step = float(np.gcd.reduce(values.astype(np.int64)))
        values, limit = values / step, math.floor(limit / step) + 0.5
        settled = _on_lattice(values, counts, limit, effort)
    else:
        settled = _off_lattice(values, counts, limit, effort)
    return None if settled is None else Settled(settled.log_p - held, settled.kind, settled.error)


def _on_lattice(values: FloatArray, counts: FloatArray, limit: float, effort: Effort) -> Settled | None:
    """The cheapest of binomial, counting, inversion and enumeration; the contour where all cost too much."""
    n, last = int(counts.sum()), math.floor(limit)
    if values.size == 1:
        return Settled(_binomial(n, last), EXACT, EXACT_ROUNDING)
    bits = bits_to_try(counts)
    if bits <= effort.most_bits and n * last > STEPS_PER_SUBSET * 2.0 ** (bits / 2.0):
        return Settled(log_at_most_enumerated(values, counts, limit), EXACT, EXACT_ROUNDING)
    countable = n <= MOST_WEIGHTS and n * last <= LONGEST_COUNT
    if countable and (n <= WELL_PROVED or n * last <= QUICK_COUNT):
        return _counted(values, counts, last)
    by_nodes = log_at_most_lattice(values.astype(np.int64), counts, last, effort.most_products)
    if by_nodes is not None:
        return Settled(by_nodes[0], EXACT, max(by_nodes[1], EXACT_ROUNDING))
    if countable:
        return _counted(values, counts, last)
    return _by_contour(_spread(values, counts), float(last), 2.0) if effort.contour else None


def _off_lattice(values: FloatArray, counts: FloatArray, limit: float, effort: Effort) -> Settled | None:
    """Binomial or enumeration for few weights, else the contour."""
    if values[-1] - values[0] <= TIE_TOLERANCE * values[-1]:
        return Settled(_binomial(int(counts.sum()), math.floor(limit / values[-1])), EXACT, EXACT_ROUNDING)
    if bits_to_try(counts) <= effort.most_bits:
        return Settled(log_at_most_enumerated(values, counts, limit), EXACT, EXACT_ROUNDING)
    return _by_contour(_spread(values, counts), limit, 0.0) if effort.contour else None


def _binomial(n: int, most_flipped: int) -> float:
    return float(log_upper_tails(np.array([n]), np.array([n - most_flipped]))[0])


def _counted(values: FloatArray, counts: FloatArray, last: int) -> Settled:
    log_p = log_at_most_counted(_spread(values, counts), np.array([last]))
    return Settled(float(log_p[0]), EXACT, EXACT_ROUNDING)


def _by_contour(weights: FloatArray, limit: float, step: float) -> Settled | None:
    t = np.array([float(weights.sum()) - 2.0 * limit])
    tails = log_tails_by_contour(weights[None, :], t, np.array([step]))
    if not tails.error[0] <= CONTOUR_TOLERANCE:
        return None
    return Settled(float(tails.log_tail[0]), EXACT if tails.exact[0] else CONTOUR, float(tails.error[0]))


def _spread(values: FloatArray, counts: FloatArray) -> FloatArray:
    return np.repeat(values, counts.astype(np.int64))
