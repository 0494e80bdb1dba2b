"""Tails of sums of weights of any size: rounded to a fine grid, on which subsets are counted."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.counting import MOST_WEIGHTS, subsets_by_sum

# Of the sum of sizes below a cell, in cells: where it is no longer taken for its mean.
LEAST_SPREAD = 0.3


def log_tail_rounded(weights: FloatArray, tau: float, cells: int) -> float:
    """log P(Σ ±|w| ≥ Σ w), Σ w > 0, with the weights rounded to whole cells.

    weights (ndarray, shape (n_weights,)): Of either sign, at least one below 0.
    tau: The tilt under which Σ ±|w| is expected to be Σ w.
    cells: How many make up the sum that may be flipped.

    Subsets B of the sizes |w| are counted that sum to no more than Σ|w| over the negative weights. Rounding
    moves the sums at the limit by Σ_B of what was added to each size, in the mean as the tilt has it: by so
    much the limit is moved along, the rest cancels. Many sizes below a cell are taken together, as a normal
    sum. With 65,536 cells that is right to some 1e-5 of the probability from 27 weights on; fewer have so few
    subsets that the cells show.
    """
    from scipy import special

    sizes = np.abs(weights)
    # Sizes beyond the limit are never flipped.
    exact = np.minimum(sizes * (cells / -weights[weights < 0.0].sum()), 2.0 * cells)
    small = exact < 1.0
    spread = math.sqrt(float((exact[small] ** 2).sum())) / 2.0
    rounded = np.rint(exact)
    if spread > LEAST_SPREAD:
        rounded[small] = 0.0
    else:
        small[:] = False
    flipped = np.exp(-np.logaddexp(0.0, 2.0 * tau * sizes))
    limit = cells + float((flipped * (rounded - exact))[(exact <= cells) & ~small].sum())
    if small.any():
        shares = _shares(rounded, math.floor(limit))
        free = limit - float(exact[small].sum()) / 2.0 - np.arange(shares.size)
        share = float(shares @ special.ndtr(free / spread))
    else:
        # Counts up to a whole number stand for a continuous sum up to half a cell more.
        below = math.floor(limit - 0.5)
        shares = _shares(rounded, below + 1)
        share = float(shares[:-1].sum() + (limit - 0.5 - below) * shares[-1])
    return math.log(share) if share > 0.0 else -math.inf


def _shares(weights: FloatArray, top: int) -> FloatArray:
    """P(flipped sum = s) for every s up to a limit, of whole-number weights flipped by fair coins."""
    beyond = int(np.count_nonzero(weights > top))
    counted = np.sort(weights[(weights > 0.0) & (weights <= top)])
    shares = np.ldexp(subsets_by_sum(counted[:MOST_WEIGHTS], top), -min(counted.size, MOST_WEIGHTS) - beyond)
    for weight in counted[MOST_WEIGHTS:].astype(np.int64).tolist():
        shares *= 0.5
        shares[weight:] += shares[: top + 1 - weight].copy()
    return shares
