"""Which nodes of the contour count: a part of the weights proves φ negligible at the others."""

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.signflip.moduli import squared_moduli
from nlpstat_core.engine.signflip.tilting import Tilted

# One weight in so many is asked; fewer nodes than these are evaluated as they are.
SHARE = 4
FEWEST_WEIGHTS = 48
FEWEST_NODES = 40
WEIGHTS_AT_ONCE = 1 << 11


def nodes_that_count(
    weights: FloatArray, tilted: Tilted, spacing: FloatArray, nodes: FloatArray, slack: float
) -> FloatArray:
    """How many of the first nodes have to be evaluated, for all later ones are proved negligible.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tilted: Tilts of the pairs.
    spacing, nodes (ndarray, shape (n_pairs,)): Distance of neighbouring nodes, and how many there are.
    slack: Minus log of what is negligible relative to the probability.
    Returns ndarray, shape (n_pairs,): At most `nodes`.

    |φ(y)|² = Π(1 − sech²(τw)·sin²(yw)) has no factor above 1, so the product over every fourth weight bounds
    it: real numbers only, at a tenth of the cost of φ itself.
    """
    counted = nodes.copy()
    rows = np.flatnonzero((nodes > FEWEST_NODES) & np.isfinite(nodes))
    rows = rows[np.argsort(nodes[rows], kind="stable")]
    n = weights.shape[1]
    asked = min(n, max(FEWEST_WEIGHTS, n // SHARE))
    size = max(1, WEIGHTS_AT_ONCE // asked)
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        few = _some_weights(weights[part], asked)
        allowed = np.exp(-2.0 * (slack + tilted.loss[part]))
        counted[part] = _last_above(few, tilted.tau[part], spacing[part], nodes[part], allowed)
    return counted


def _some_weights(weights: FloatArray, asked: int) -> FloatArray:
    """So many of the weights of each row, evenly spread over those above 0."""
    present = np.count_nonzero(weights, axis=1)
    back = np.linspace(0.0, 1.0, asked) * np.maximum(present - 1, 0)[:, None]
    chosen = np.take_along_axis(weights, weights.shape[1] - 1 - np.rint(back).astype(np.intp), axis=1)
    # A weight asked twice counts once.
    chosen[:, 1:][np.diff(np.rint(back), axis=1) == 0.0] = 0.0
    return chosen


def _last_above(
    weights: FloatArray, tau: FloatArray, spacing: FloatArray, nodes: FloatArray, allowed: FloatArray
) -> IntArray:
    """One more than the last node at which the product of the squares is not below `allowed`."""
    last: NDArray[np.intp] = np.zeros(tau.size, dtype=np.intp)
    for first, square in squared_moduli(weights, tau, np.zeros(tau.shape), spacing, int(nodes.max())):
        k = first + np.arange(square.shape[0])[:, None]
        above = (square >= allowed) & (k < nodes)
        last = np.maximum(last, np.where(above, k + 1, 0).max(axis=0))
    return last
