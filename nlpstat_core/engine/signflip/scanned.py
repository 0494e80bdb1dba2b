"""Returns of φ of few weights: looked for on a grid, wherever they may be."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.moduli import squared_moduli

FEW_WEIGHTS = 200
MOST_CLASSES = 32
MOST_NODES = 4096
NODES_PER_SD = 2.0
# Weights of so many pairs at a time that those of some nodes stay in the processor's cache.
WEIGHTS_AT_ONCE = 1 << 11


def scanned_return(weights: FloatArray, tau: FloatArray, sd: FloatArray, beyond: FloatArray) -> FloatArray:
    """∫|φ|/y dy up to the return of a lattice with 32 classes, for pairs with few weights.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tau, sd, beyond (ndarray, shape (n_pairs,)): Tilts, tilted standard deviations, and where the scan begins.
    Returns ndarray, shape (n_pairs,): 0 for pairs with 200 weights or more: all of them would have to follow
        a lattice too closely for it to matter, and `likely_return` knows the spans for which scores do.

    Cost O(n_weights^1.5) per pair, at nodes half a standard deviation of φ apart.
    """
    area = np.zeros(tau.shape)
    n = np.count_nonzero(weights, axis=1)
    typical = weights[:, -1 - weights.shape[1] // 10]
    typical = np.where(typical > 0.0, typical, weights[:, -1])
    end = np.pi * np.minimum(n / 2.0, MOST_CLASSES) / typical
    spacing = 1.0 / (NODES_PER_SD * sd)
    nodes = np.minimum(np.ceil((end - beyond) / spacing), MOST_NODES)
    rows = np.flatnonzero((n < FEW_WEIGHTS) & (nodes > 0))
    rows = rows[np.argsort(nodes[rows], kind="stable")]
    size = max(1, WEIGHTS_AT_ONCE // weights.shape[1])
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        area[part] = _area_on_grid(weights[part], tau[part], beyond[part], spacing[part], nodes[part])
    return area


def _area_on_grid(
    weights: FloatArray, tau: FloatArray, begin: FloatArray, spacing: FloatArray, nodes: FloatArray
) -> FloatArray:
    """Σ |φ|·spacing/y at begin + k·spacing for each pair's number of nodes."""
    area = np.zeros(tau.shape)
    for first, square in squared_moduli(weights, tau, begin, spacing, int(nodes.max())):
        k = first + np.arange(square.shape[0])[:, None]
        terms = np.where(k < nodes, np.sqrt(square) * spacing / (begin + k * spacing), 0.0)
        # Running sums add node after node; plain sums group them differently for one pair and for many.
        area += np.cumsum(terms, axis=0)[-1]
    return area
