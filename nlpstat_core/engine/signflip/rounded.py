"""Tails of sums of weights of any size: rounded to a fine grid, on which subsets are counted."""

from __future__ import annotations

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.counting import log_at_most_counted


def log_tail_rounded(weights: FloatArray, tau: float, cells: int) -> float:
    """log P(Σ ±|w| ≥ Σ w), Σ w > 0, with the weights rounded to whole cells.

    weights (ndarray, shape (n_weights,)): Of either sign, at least one below 0.
    tau: The tilt under which Σ ±|w| is expected to be Σ w.
    cells: How many make up the sum that may be flipped.

    Subsets B of the sizes |w| are counted that sum to no more than Σ|w| over the negative weights. Rounding
    moves the sums at the limit by Σ_B of what was added to each size, in the mean as the tilt has it: by so
    much the limit is moved along, the rest cancels. With 65,536 cells that is right to some 1e-5 of the
    probability from 27 weights on (fewer have so few subsets that the cells show).
    """
    sizes = np.abs(weights)
    exact = sizes * (cells / -weights[weights < 0.0].sum())
    # Sizes beyond the limit are never flipped; smaller than this they would only make numbers too large.
    exact = np.minimum(exact, 2.0 * cells)
    rounded = np.rint(exact)
    flipped = np.exp(-np.logaddexp(0.0, 2.0 * tau * sizes))
    # Counts up to a whole number stand for a continuous sum up to half a cell more.
    limit = cells + float((flipped * (rounded - exact))[exact <= cells].sum()) - 0.5
    below = math.floor(limit)
    lower, upper = log_at_most_counted(rounded, np.array([below, below + 1]))
    return float(lower + (limit - below) * (upper - lower))
