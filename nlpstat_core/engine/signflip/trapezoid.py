"""The trapezoidal rule along each pair's contour: the tail, and an estimate of what was left out."""

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.left_out import ROUNDING_ERROR
from nlpstat_core.engine.signflip.line import Line


def trapezoidal_sum(
    phi: NDArray[np.complex128],
    line: Line,
    step: FloatArray,
    last: FloatArray,
    doubt: FloatArray | float = 0.0,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Sum the trapezoidal rule, estimate what was left out.

    Log tail, its error, the tail over e^peak, what relative errors `doubt` of φ may add to the error, and the
    share of P(T = t), whose kernel is `step`: that of P(T > t) is the tail's times e^(−step·s), no larger.
    """
    tau, reach = line.tilted.tau, line.reach
    y = np.outer(np.arange(phi.shape[0]), line.spacing)
    s = tau + 1j * y
    lattice = step > 0.0
    width = np.where(lattice, step, 1.0)
    kernel = 1.0 / s
    if lattice.any():
        kernel = np.where(lattice, width / -np.expm1(-width * s), kernel)
    period = np.where(lattice, np.pi / width, np.inf)
    weight = np.where((y == 0.0) | (np.abs(y - period) < 0.25 * line.spacing), 0.5, 1.0)
    weight = np.where((y <= last) & (y < period + 0.25 * line.spacing), weight, 0.0)
    terms = weight * (phi * kernel).real * (line.spacing / np.pi)
    # Running sums add node after node; plain sums group them differently for one pair and for many.
    whole = np.cumsum(terms, axis=0)[-1]
    half = np.cumsum(np.where(y <= reach / 2.0, terms, 0.0), axis=0)[-1]
    size = weight * np.abs(phi)
    outer = np.where(y >= reach / 2.0, size, 0.0).max(axis=0)
    left_out = np.cumsum(size * np.abs(kernel) * doubt, axis=0)[-1] * (line.spacing / np.pi)
    beyond = np.abs(whole - half)
    atom = np.cumsum(weight * phi.real * step * (line.spacing / np.pi), axis=0)[-1]
    # The sum ends at a whole one less what the pole adds to it.
    whole = whole - line.pole
    good = whole > 0.0
    share = np.where(good, whole, 1.0)
    error = np.maximum(10.0 * beyond, outer / np.pi) / share + ROUNDING_ERROR
    log_tail = np.where(good, line.tilted.peak + np.log(share), -np.inf)
    return log_tail, np.where(good, error, np.inf), np.where(good, whole, 0.0), left_out / share, atom / share
