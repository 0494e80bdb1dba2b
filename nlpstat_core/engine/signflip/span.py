"""Finding the lattice: which weights are whole multiples of one step, and of which."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.own_step import FINER, own_factors

MOST_DECIMALS = 9
DENOMINATORS = (1, 3, 7, 12)
FACTORS = tuple(10.0**power * q for power in range(MOST_DECIMALS + 1) for q in DENOMINATORS)
NEARNESS = 1e-9
# Sums up to here are exact in float64.
LARGEST_SUM = 2.0**53
PROBE_UNITS = 8
# Numbers that a full pass takes at a time: few enough for the processor's cache.
CELLS_AT_ONCE = 1 << 16
# Largest power of two that is a float64; only numbers below 1e-305 would want more.
MOST_SHIFT = 1023


def whole_multiples(z: FloatArray, max_decimals: int | None = None) -> tuple[FloatArray, BoolArray]:
    """Differences as whole multiples of the widest step that fits each pair.

    A step of 10^(−d)/q, with d up to `max_decimals` and q in {1, 3, 7, 12}, fits when every difference of the
    pair is within 1e-9 steps of a whole number and no non-zero difference rounds to zero; dividing by the
    greatest common divisor then makes the step as wide as it can be. So 0.3 − 0.2 and 0.2 − 0.1 become the
    same weight, which float subtraction makes different. Of scores in a unit of their own, as those scaled to
    unit variance, a few differences tell the step if it isn't too fine (see `own_step`).

    z (ndarray, shape (n_pairs, n_units)): Differences, finite.
    max_decimals: Most decimals to try; 9 unless the caller knows how the scores were written.
    Returns multiples (ndarray, shape (n_pairs, n_units)): Whole numbers as float64 with greatest common
        divisor 1 where a step was found, else zero; can't be written to where no pair has one.
    Returns found (ndarray of bool, shape (n_pairs,)).

    Costs a look at one unit of each pair for all trial steps, a pass over a few units where that one fits,
    and full passes only over pairs that pass on those.
    """
    found = np.zeros(z.shape[0], dtype=np.bool_)
    decimals = MOST_DECIMALS if max_decimals is None else min(max_decimals, MOST_DECIMALS)
    probe = z[:, _probe_units(z.shape[1])]
    factors = np.array(FACTORS[: (decimals + 1) * len(DENOMINATORS)])
    if max_decimals is not None:
        # The known decimals first: dividing by the common divisor makes the order matter for speed only.
        factors = np.concatenate([[10.0**decimals], factors])
    near = _largest_is_near(probe, factors)
    multiples = np.zeros(z.shape) if near.any() else np.broadcast_to(0.0, z.shape)
    for factor, may_fit in zip(factors.tolist(), near, strict=True):
        open_pairs = np.flatnonzero(may_fit & ~found)
        if open_pairs.size == 0:
            continue
        with np.errstate(over="ignore"):
            open_pairs = open_pairs[_fits(probe[open_pairs] * factor)]
        _enter(z, open_pairs, np.full(open_pairs.size, factor), multiples, found)
        if np.all(found):
            return multiples, found
    left = np.flatnonzero(~found)
    own = own_factors(z[left], probe[left])
    left, own = left[own > 0.0], own[own > 0.0]
    if left.size and not multiples.flags.writeable:
        multiples = np.zeros(z.shape)
    for times in range(1, FINER + 1):
        rest = ~found[left]
        _enter(z, left[rest], times * own[rest], multiples, found)
    return multiples, found


def _enter(
    z: FloatArray, pairs: NDArray[np.intp], factor: FloatArray, multiples: FloatArray, found: BoolArray
) -> None:
    """Enter the multiples of those of some pairs that a number of steps per unit fits."""
    rows = max(1, CELLS_AT_ONCE // max(1, z.shape[1]))
    for start in range(0, pairs.size, rows):
        part = pairs[start : start + rows]
        with np.errstate(over="ignore"):
            scaled = z[part] * factor[start : start + rows, None]
        fits = _fits(scaled)
        multiples[part[fits]] = _reduced(np.rint(scaled[fits]))
        found[part[fits]] = True


def near_one(z: FloatArray) -> FloatArray:
    """Each row times the power of two that brings its largest number to between ½ and 1, where it can be.

    z (ndarray, shape (n_pairs, n_units)): Finite.
    Returns ndarray, shape (n_pairs, n_units): The same digits; squares of them neither overflow nor vanish.
    """
    scale = scale_to_one(np.maximum(z.max(axis=1, initial=0.0), -z.min(axis=1, initial=0.0)))
    with np.errstate(under="ignore"):
        return np.asarray(z * scale[:, None], dtype=np.float64)


def scale_to_one(largest: FloatArray) -> FloatArray:
    """The power of two by which `near_one` multiplies, from each row's largest number."""
    _, exponent = np.frexp(largest)
    return np.asarray(np.ldexp(1.0, np.minimum(-exponent, MOST_SHIFT)), dtype=np.float64)


@lru_cache(maxsize=64)
def _probe_units(n_units: int) -> NDArray[np.intp]:
    # Of differences with rising sizes neither the smallest nor the largest: they say the least.
    asked = min(PROBE_UNITS, n_units)
    units: NDArray[np.intp] = ((np.arange(asked) + 0.5) * n_units / asked).astype(np.intp)
    return units


def _largest_is_near(probe: FloatArray, factors: FloatArray) -> BoolArray:
    """Whether the largest of a few units of each pair is near a whole number in each step: a first look."""
    largest = np.maximum(probe.max(axis=1, initial=0.0), -probe.min(axis=1, initial=0.0))
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.outer(factors, largest)
        return np.asarray(np.abs(scaled - np.rint(scaled)) <= NEARNESS, dtype=np.bool_)


def _fits(scaled: FloatArray) -> BoolArray:
    whole = np.rint(scaled)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(scaled - whole) <= NEARNESS
        small = np.abs(whole).sum(axis=1) <= LARGEST_SUM
    lost = (whole == 0.0) & (scaled != 0.0)
    return np.asarray(np.all(near & ~lost, axis=1) & small, dtype=np.bool_)


def _reduced(whole: FloatArray) -> FloatArray:
    """Each row over its greatest common divisor, which a few numbers mostly prove to be 1."""
    divisor = np.gcd.reduce(whole[:, _probe_units(whole.shape[1])].astype(np.int64), axis=1)
    rows = np.flatnonzero(divisor != 1)
    if rows.size:
        common = np.gcd.reduce(whole[rows].astype(np.int64), axis=1)
        whole[rows] /= np.maximum(common, 1)[:, None]
    return whole
