"""How many battles would separate neighbours on a board, and which two systems to ask about next."""

import math

import numpy as np
from scipy import linalg, special

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.methods.preferences.fit import Fit

POWER = 0.8


def battles_needed(
    difference: FloatArray,
    error: FloatArray,
    freedom: FloatArray,
    number: int,
    level: float,
    power: float = POWER,
) -> FloatArray:
    """Battles in all, drawn as the present ones are, with which each difference would be found.

    difference, error (floats, shape (n,)): Of strengths, as they are now, and as they are assumed to be.
    freedom (floats, shape (n,)): Degrees of freedom of their tests.
    number: Battles now.
    level: Of one comparison, two-sided.
    Returns: Whole numbers as floats; infinite where the difference is 0, NaN where the error is.

    The error falls with the root of the number of battles, and clusters stay as many; so
    number·((t_{1−level/2} + z_power)·error/|d|)². For a plan, not for a decision; but what isn't found at
    this level never needs fewer battles than there are.
    """
    z = special.stdtrit(freedom, 1 - level / 2) + special.ndtri(power)
    with np.errstate(divide="ignore"):
        return np.asarray(np.ceil(number * (z * error / np.abs(difference)) ** 2))


def next_pair(fit: Fit, order: IntArray, open_: BoolArray) -> tuple[int, int] | None:
    """The two systems whose next battle would tell most about neighbours that aren't separated.

    order: Positions of systems, the strongest first.
    open_ (bools, shape (n_systems − 1,)): Whether a place and the next aren't separated.
    Returns: Positions; None where all neighbours are separated.

    Of every pair: by how much one more battle shrinks the variances of the differences of open neighbours,
    each relative to what it is now, summed (the information is the model's own).
    """
    neighbours = np.flatnonzero(open_)
    if not neighbours.size:
        return None
    m = fit.counts.n_systems
    inverse = linalg.inv(fit.information)[:m, :m]
    left, right = np.triu_indices(m, 1)
    a, b = order[neighbours], order[neighbours + 1]
    contrasts = inverse[a] - inverse[b]
    variance = inverse[a, a] + inverse[b, b] - 2 * inverse[a, b]
    weight, _ = fit.model.slope(fit.parameters, left, right)
    own = inverse[left, left] + inverse[right, right] - 2 * inverse[left, right]
    gain = np.zeros(left.size)
    for contrast, now in zip(contrasts, variance, strict=True):
        gain += (contrast[left] - contrast[right]) ** 2 / now
    gain *= weight / (1 + weight * own)
    best = int(np.argmax(gain))
    return int(left[best]), int(right[best])


def as_number(needed: float) -> int | None:
    """Battles as a whole number; None where there is none."""
    return int(needed) if math.isfinite(needed) else None
