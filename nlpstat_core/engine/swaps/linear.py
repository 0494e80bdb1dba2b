"""The tail of a linearised difference, Σ s·L, by the exact engine: draws then count what is left of Δ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.contour import log_tails_by_contour

# Larger errors of the contour (few signs, or pulls on a lattice) are worse than draws alone.
_MOST_ERROR = 1e-3
# Of φ's factors along one pair's contour: a millisecond or two.
_MOST_FACTORS = 3e5
# Pairs whose numbers of signs round up to the same one share a contour; eight steps an octave.
_STEPS = 8


@dataclass(frozen=True)
class LinearTail:
    """P(Σ s·L ≥ Σ L) of fair signs.

    log_p: Natural logarithm.
    error: Relative error.
    """

    log_p: float
    error: float


def linear_tails(pulls: Sequence[FloatArray]) -> list[LinearTail | None]:
    """The tail of every pair beyond its own sum; None where the contour doesn't serve.

    pulls: L of each pair, in the direction of its observed difference. Its tail depends on its own alone.
    """
    found: list[LinearTail | None] = [None] * len(pulls)
    largest = np.array([np.abs(own).max(initial=0.0) for own in pulls])
    reached = np.array([own.sum() for own in pulls]) / np.where(largest > 0, largest, 1.0)
    total = np.array([np.abs(own).sum() for own in pulls]) / np.where(largest > 0, largest, 1.0)
    served = (reached > 0) & (reached < total * (1 - 1e-9))
    widths = np.array([_rounded(own.size) for own in pulls])
    for width in np.unique(widths[served]):
        rows = np.flatnonzero(served & (widths == width))
        table = np.zeros((rows.size, width))
        for line, row in zip(table, rows.tolist(), strict=True):
            line[width - pulls[row].size :] = np.sort(np.abs(pulls[row])) / largest[row]
        tails = log_tails_by_contour(table, reached[rows], np.zeros(rows.size), _MOST_FACTORS)
        for place, row in enumerate(rows.tolist()):
            if tails.error[place] <= _MOST_ERROR:
                found[row] = LinearTail(float(tails.log_tail[place]), float(tails.error[place]))
    return found


def _rounded(n: int) -> int:
    """The next of eight numbers an octave."""
    step = max(1, (1 << max(n - 1, 1).bit_length()) // (2 * _STEPS))
    return -(-n // step) * step
