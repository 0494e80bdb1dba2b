"""The step of a lattice in a unit of its own: scores times some number, or scaled to unit variance."""

import numpy as np

from nlpstat_core.arrays import FloatArray

# Up to so many steps make up the largest of a few differences; and so many more that these may not show.
MOST_STEPS, FINER = 100_000, 12
NEARNESS = 1e-9
# Fewer differences are enumerated, whatever their unit.
FEWEST_UNITS = 37
# Convergents of a continued fraction whose denominators stay below the most steps.
MOST_CONVERGENTS = 24


def own_factors(z: FloatArray, probe: FloatArray) -> FloatArray:
    """Steps per unit of each pair's own lattice, to try; 0 for pairs that seem to have none.

    z (ndarray, shape (n_pairs, n_units)): Differences, finite.
    probe (ndarray, shape (n_pairs, n_probed)): Some of them.
    Returns ndarray, shape (n_pairs,): The fewest steps that make up the largest of those probed so that all
        of them are whole multiples, over that largest. The others may need a multiple of it.

    Of two whole multiples of a step the ratio is a fraction with a small denominator, which its continued
    fraction tells: the first number of steps that makes it nearly whole is the denominator of a convergent.
    One ratio is looked at for every pair, the others where that one is such a fraction.
    """
    factors = np.zeros(z.shape[0])
    if z.shape[1] < FEWEST_UNITS:
        return factors
    size = np.abs(probe)
    largest = size.max(axis=1)
    some = np.flatnonzero(largest > 0.0)
    ratio = size[some] / largest[some, None]
    # A difference unlike the largest tells most.
    unlike = np.where(ratio > 0.0, np.abs(ratio - 0.5), np.inf)
    first = np.take_along_axis(ratio, unlike.argmin(axis=1)[:, None], axis=1)
    likely = np.flatnonzero(_denominators(first)[:, 0] > 0)
    of_each = _denominators(ratio[likely])
    steps = np.ones(likely.size, dtype=np.int64)
    for own in of_each.T:
        steps = np.where((own > 0) & (steps <= MOST_STEPS), np.lcm(steps, np.maximum(own, 1)), 2 * MOST_STEPS)
    fits = steps <= MOST_STEPS
    pairs = some[likely[fits]]
    with np.errstate(over="ignore"):
        factors[pairs] = steps[fits] / largest[pairs]
    return np.where(np.isfinite(factors), factors, 0.0)


def _denominators(ratio: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The smallest whole numbers by which ratios from 0 to 1 become nearly whole; 0 where that is beyond."""
    found = np.zeros(ratio.shape, dtype=np.int64)
    before, now, rest = np.zeros(ratio.shape), np.ones(ratio.shape), ratio.copy()
    with np.errstate(over="ignore", invalid="ignore"):  # of ratios next to nothing
        for _ in range(MOST_CONVERGENTS):
            scaled = ratio * now
            near = (found == 0) & (now <= MOST_STEPS) & (np.abs(scaled - np.rint(scaled)) <= NEARNESS)
            found[near] = now[near].astype(np.int64)
            going = (found == 0) & (now <= MOST_STEPS)
            if not going.any():
                break
            rest = 1.0 / np.where(going, rest, 0.5)
            whole = np.floor(rest)
            rest -= whole
            before, now = now, np.where(going, whole * now + before, now)
            rest = np.where(rest > 0.0, rest, 0.5)
    return found
