"""The characteristic function as a product over the weights, node after node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray


def characteristic_products(
    weights: FloatArray, tau: FloatArray, spacing: FloatArray, nodes: int
) -> NDArray[np.complex128]:
    """φ at equally spaced nodes of each pair's contour.

    Parameters
    ----------
    weights : ndarray, shape (n_pairs, n_weights)
        0 or more.
    tau, spacing : ndarray, shape (n_pairs,)
        Tilts and distances of neighbouring nodes.
    nodes : int
        How many nodes, the first at 0.

    Returns
    -------
    ndarray of complex128, shape (nodes, n_pairs)

    Notes
    -----
    A factor is e^(iyw)·(stay + leave·e^(−2iyw)) with tilted probabilities stay and leave of each sign: the
    first parts multiply to one angle per pair, and from node to node leave·e^(−2iyw) only turns.
    """
    shrink = np.exp(-2.0 * tau[:, None] * weights)
    stay = 1.0 / (1.0 + shrink)
    turning = (shrink * stay).astype(np.complex128)
    turn = np.exp(-2j * spacing[:, None] * weights)
    phi = np.empty((nodes, tau.size), dtype=np.complex128)
    phi[0] = 1.0
    factor = np.empty_like(turning)
    for k in range(1, nodes):
        turning *= turn
        np.add(turning, stay, out=factor)
        phi[k] = _product(factor)
    phi *= np.exp(1j * np.outer(np.arange(nodes), spacing * weights.sum(axis=1)))
    return phi


def _product(factor: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Product along rows by halving, which multiplies whole arrays; overwrites its argument."""
    size = factor.shape[1]
    while size > 1:
        half = size // 2
        factor[:, :half] *= factor[:, size - half : size]
        size -= half
    return factor[:, 0].copy()
