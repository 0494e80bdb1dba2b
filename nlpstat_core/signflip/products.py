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
    columns = np.ascontiguousarray(weights[:, _without_zeros(weights) :].T)
    shrink = np.exp(-2.0 * tau * columns)
    stay = 1.0 / (1.0 + shrink)
    angle = -2.0 * spacing * columns
    turn = np.cos(angle), np.sin(angle)
    turning = shrink * stay, np.zeros(columns.shape)
    spare = np.empty((4, *columns.shape))
    phi = np.empty((nodes, tau.size), dtype=np.complex128)
    phi[0] = 1.0
    for k in range(1, nodes):
        _multiply(turning, turn, spare)
        real, imaginary = spare[2], spare[3]
        np.add(turning[0], stay, out=real)
        imaginary[:] = turning[1]
        phi[k].real, phi[k].imag = _product((real, imaginary), spare[:2])
    phi *= np.exp(1j * np.outer(np.arange(nodes), spacing * weights.sum(axis=1)))
    return phi


def _multiply(
    into: tuple[FloatArray, FloatArray], by: tuple[FloatArray, FloatArray], spare: FloatArray
) -> None:
    """Multiply complex numbers in place, real and imaginary parts apart.

    NumPy's own complex product rounds differently at the ends of an array: a pair's digits would depend on
    the pairs beside it.
    """
    first, second = spare[0, : into[0].shape[0]], spare[1, : into[0].shape[0]]
    np.multiply(into[0], by[1], out=first)
    np.multiply(into[1], by[1], out=second)
    np.multiply(into[0], by[0], out=into[0])
    np.multiply(into[1], by[0], out=into[1])
    np.subtract(into[0], second, out=into[0])
    np.add(into[1], first, out=into[1])


def _product(factor: tuple[FloatArray, FloatArray], spare: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Product over the first axis by halving, which multiplies whole arrays; overwrites its arguments."""
    real, imaginary = factor
    size = real.shape[0]
    while size > 1:
        half = size // 2
        into = real[:half], imaginary[:half]
        _multiply(into, (real[size - half : size], imaginary[size - half : size]), spare)
        size -= half
    return real[0], imaginary[0]


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
