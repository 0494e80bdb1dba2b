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
        _fill(phi[:, part], weights[part], tau[part], spacing[part])
    return phi


def _fill(phi: NDArray[np.complex128], weights: FloatArray, tau: FloatArray, spacing: FloatArray) -> None:
    """Products of some pairs at all nodes."""
    nodes = phi.shape[0]
    columns = np.ascontiguousarray(weights.T)
    shrink = np.exp(-2.0 * tau * columns)
    stay = 1.0 / (1.0 + shrink)
    angle = -2.0 * spacing * columns
    turns = _powers_by_doubling(np.stack([np.cos(angle), np.sin(angle)]))
    turning = shrink * stay * turns[0]
    table = np.empty((2, 2, min(NODES_AT_ONCE, nodes), *columns.shape))
    phi[0] = 1.0
    for start in range(1, nodes, NODES_AT_ONCE):
        part = phi[start : start + NODES_AT_ONCE]
        factor, spare = table[:, :, : part.shape[0]]
        factor[:, 0], done = turning, 1
        for turn in turns[:-1]:
            more = factor[:, done : 2 * done]
            again = slice(more.shape[1])
            _multiply(factor[:, again], turn[:, None], more, spare[:, again])
            done *= 2
        factor[0] += stay
        part.real, part.imag = _product(factor, spare)
        _multiply(turning, turns[-1], turning, table[1, :, 0])
    phi *= np.exp(1j * np.outer(np.arange(nodes), spacing * weights.sum(axis=1)))


def _powers_by_doubling(turn: FloatArray) -> list[FloatArray]:
    """Powers 1, 2, 4, … `NODES_AT_ONCE` of complex numbers."""
    powers = [turn]
    for _ in range(NODES_AT_ONCE.bit_length() - 1):
        square = np.empty(turn.shape)
        _multiply(powers[-1], powers[-1], square, np.empty(turn.shape))
        powers.append(square)
    return powers


def _multiply(first: FloatArray, second: FloatArray, into: FloatArray, spare: FloatArray) -> None:
    """Multiply complex numbers, real and imaginary parts apart on the first axis; `into` may be `first`.

    NumPy's own complex product rounds differently at the ends of an array: a pair's digits would depend on
    the pairs beside it.
    """
    np.multiply(first, second[1], out=spare)
    np.multiply(first, second[0], out=into)
    into[0] -= spare[1]
    into[1] += spare[0]


def _product(factor: FloatArray, spare: FloatArray) -> FloatArray:
    """Product over the third axis by halving, which multiplies whole arrays; overwrites its arguments."""
    size = factor.shape[2]
    while size > 1:
        half = size // 2
        into = factor[:, :, :half]
        _multiply(into, factor[:, :, size - half : size], into, spare[:, :, :half])
        size -= half
    return factor[:, :, 0]


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
