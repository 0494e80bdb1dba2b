"""The characteristic function as a product over the weights, node after node."""

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray

# Nodes multiplied at a time, a power of two. Fixed, since powers by doubling round differently for another.
NODES_AT_ONCE = 16
# Factors multiplied at a time: what is worked on stays in the processor's cache, and is long enough
# to leave the interpreter to other threads.
FACTORS_AT_ONCE = 1 << 16


def characteristic_products(
    weights: FloatArray, tau: FloatArray, spacing: FloatArray, nodes: int
) -> NDArray[np.complex128]:
    """φ at equally spaced nodes of each pair's contour.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more.
    tau, spacing (ndarray, shape (n_pairs,)): Tilts and distances of neighbouring nodes.
    nodes: How many nodes, the first at 0.
    Returns ndarray of complex128, shape (nodes, n_pairs).

    A factor is e^(iyw)·(stay + leave·e^(−2iyw)) with tilted probabilities stay and leave of each sign: the
    first parts multiply to one angle per pair, and from node to node leave·e^(−2iyw) only turns.
    """
    phi = np.empty((nodes, tau.size), dtype=np.complex128)
    weights = weights[:, _without_zeros(weights) :]
    pairs = max(1, FACTORS_AT_ONCE // (NODES_AT_ONCE * weights.shape[1]))
    for start in range(0, tau.size, pairs):
        part = slice(start, start + pairs)
        own = np.arange(tau.size)[part]
        # NumPy multiplies neighbours in memory another way than others: no pair stands alone.
        own = own if own.size > 1 else np.repeat(own, 2)
        phi[:, part] = _products(weights[own], tau[own], spacing[own], nodes)[:, : tau[part].size]
    return phi


def _products(
    weights: FloatArray, tau: FloatArray, spacing: FloatArray, nodes: int
) -> NDArray[np.complex128]:
    """Products of two pairs or more at all nodes."""
    phi = np.empty((nodes, tau.size), dtype=np.complex128)
    columns = np.ascontiguousarray(weights.T)
    shrink = np.exp(-2.0 * tau * columns)
    stay = 1.0 / (1.0 + shrink)
    turns = [np.exp(-2j * spacing * columns)]
    for _ in range(NODES_AT_ONCE.bit_length() - 1):
        turns.append(turns[-1] * turns[-1])
    turning = shrink * stay * turns[0]
    table = np.empty((min(NODES_AT_ONCE, nodes), *columns.shape), dtype=np.complex128)
    phi[0] = 1.0
    for start in range(1, nodes, NODES_AT_ONCE):
        part = phi[start : start + NODES_AT_ONCE]
        factor = table[: part.shape[0]]
        factor[0], done = turning, 1
        for turn in turns[:-1]:
            more = factor[done : 2 * done]
            np.multiply(factor[: more.shape[0]], turn, out=more)
            done *= 2
        factor.real += stay
        part[:] = _product(factor)
        turning *= turns[-1]
    phi *= np.exp(1j * np.outer(np.arange(nodes), spacing * weights.sum(axis=1)))
    return phi


def _product(factor: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Product over the second axis by halving, which multiplies whole arrays; overwrites its argument."""
    size = factor.shape[1]
    while size > 1:
        half = size // 2
        factor[:, :half] *= factor[:, size - half : size]
        size -= half
    return factor[:, 0]


def _without_zeros(weights: NDArray[np.float64]) -> int:
    """First column to multiply: zeros before it are factors of 1.

    The columns left are a power of two: then halving multiplies the same pairs of factors, whatever the
    zeros, so that the digits of a pair don't depend on those it is computed with.
    """
    size = weights.shape[1]
    used = np.flatnonzero(weights.any(axis=0))
    needed = size - int(used[0]) if used.size else 1
    kept = 1 << (needed - 1).bit_length()
    return size - kept if size == 1 << (size - 1).bit_length() else 0
